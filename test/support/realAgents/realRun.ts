/** Runs of a real agent under the headless host, each with a home and a folder of its own, and nothing left after it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runHeadless, type HeadlessRequest, type HeadlessRun } from '../headless.js';
import { writeFiles } from '../writeFiles.js';
import type { RealAgent } from './launch.js';

export type Place = {
  /** The folder that the agent works in, canonical. */
  readonly folder: string;
  /** The environment that the host gets over its own. */
  readonly env: Readonly<Record<string, string>>;
  file(name: string): string;
  read(name: string): string;
  has(name: string): boolean;
  /** How many Node processes with this home run now, the host left aside. */
  agents(): number;
  /** Rejects after `ms` (two seconds), naming what still runs with this home in its environment. */
  noProcessLeft(ms?: number): Promise<void>;
  dispose(): void;
};

export type RealRun = Omit<HeadlessRequest, 'agent' | 'cwd' | 'env'>;

/** How long a run of the host may take, s: a cold start on a busy machine is slow. */
const RUN_S = 150;
const GONE_MS = 2_000;

/** A fresh home with the agent's settings and a folder with these files; `git` makes the folder a repository. */
export function makePlace(
  files: Readonly<Record<string, string>>,
  options: { readonly git: boolean; readonly home: RealAgent['home'] },
): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'real-agent-')));
  const home = join(base, 'home');
  const folder = join(base, 'project');
  const file = (name: string): string => join(folder, name);
  writeFiles(home, options.home);
  writeFiles(folder, files);
  if (options.git) {
    execFileSync('git', ['init', '--quiet', folder]);
  }
  return {
    folder,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_STATE_HOME: join(home, '.local/state'),
    },
    file,
    read: (name) => readFileSync(file(name), 'utf8'),
    has: (name) => existsSync(file(name)),
    agents: () => pidsWith(`HOME=${home}`).filter((pid) => isNode(pid) && !isHost(pid)).length,
    noProcessLeft: (ms) => noneWith(`HOME=${home}`, ms),
    dispose: () => {
      endAllWith(`HOME=${home}`);
      rmSync(base, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Runs the host to its end. The variables of the agent reach it as a person's would: named, not written down. */
export function runReal(agent: RealAgent, place: Place, run: RealRun): Promise<HeadlessRun> {
  const names = Object.keys(agent.env).flatMap((name) => ['--pass', name]);
  return runHeadless({
    ...run,
    agent,
    cwd: place.folder,
    options: ['--timeout', String(RUN_S), '--handshake-timeout', String(RUN_S), ...names, ...(run.options ?? [])],
    env: { ...place.env, ...agent.env },
  });
}

/** How long an agent may take to go when its input has ended, ms. The slowest that goes by itself takes a second. */
const INPUT_ENDED_MS = 3_000;

/** Whether an agent that has initialized, and does nothing, exits by itself soon after its input ends. */
export async function endsWithItsInput(agent: RealAgent, place: Place): Promise<boolean> {
  const child = spawn(agent.command, agent.args, {
    cwd: place.folder,
    env: { ...process.env, ...place.env, ...agent.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit').then(() => true);
  const params = { protocolVersion: 1, clientCapabilities: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  const initialized = await Promise.race([once(child.stdout.resume(), 'data'), exited]);
  assert.notEqual(initialized, true, 'it answers before it ends');
  child.stdin.end();
  const ended = await Promise.race([exited, delay(INPUT_ENDED_MS, false)]);
  child.kill('SIGKILL');
  return ended;
}

/** Resolves when no process of this user has the assignment in its environment; rejects after `ms`. Linux only. */
export async function noneWith(assignment: string, ms = GONE_MS): Promise<void> {
  const deadline = Date.now() + ms;
  for (;;) {
    const left = pidsWith(assignment);
    if (left.length === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(`left running: ${left.map((pid) => `${pid} ${commandOf(pid)}`).join('; ')}`);
    }
    await delay(20);
  }
}

/** Ends what a failed test has told of: it must not stay for the next one. */
export function endAllWith(assignment: string): void {
  for (const pid of pidsWith(assignment)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

function pidsWith(assignment: string): readonly string[] {
  const pids = existsSync('/proc/self/environ') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.filter((pid) => readProc(pid, 'environ').split('\0').includes(assignment));
}

function isNode(pid: string): boolean {
  return /\bnode$/.test(readProc(pid, 'cmdline').split('\0')[0] ?? '');
}

function isHost(pid: string): boolean {
  return readProc(pid, 'cmdline').includes('dist/headless.cjs');
}

function commandOf(pid: string): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 200);
}

/** Empty for a process that went in between or belongs to another user. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
