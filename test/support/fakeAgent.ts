/**
 * Puts a fake agent on disk for a test: `fakeAgent({ prompts: [{ steps: [text('hello')] }] })` gives the command line to
 * hand to a host, and what the agent received. Helpers for steps: fakeAgentSteps.ts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { invalidFrames } from './validFrames.js';
import type { FakeAgentScript, Frame, RecordLine, Step } from './fakeAgentScript.js';

const PROGRAM = join('test', 'support', 'fakeAgent', 'fakeAgent.mjs');
const POLL_MS = 10;

export type FakeAgent = {
  readonly command: string;
  readonly args: readonly string[];
  /** Empty; here so that the object can be used as an agent's setting. */
  readonly env: Readonly<Record<string, string>>;
  readonly recordFile: string;
  /** All messages received so far, over all processes that were started from this. */
  record(): Promise<readonly Frame[]>;
  /** All lines of the record, messages included. */
  events(): Promise<readonly RecordLine[]>;
  /** The first message that fits, also one that already came. Rejects after `timeoutMs` (10 s), naming what came. */
  waitForFrame(fits: (frame: Frame) => boolean, timeoutMs?: number): Promise<Frame>;
  waitForEvent(fits: (line: RecordLine) => boolean, timeoutMs?: number): Promise<RecordLine>;
  /** How often a method came. */
  count(method: string): Promise<number>;
  /** Pids of the agent's processes, in the order of their starts. */
  agentPids(): Promise<readonly number[]>;
  /** Pids of the helper children. */
  helperPids(): Promise<readonly number[]>;
  /** Methods that came although the script said `expectNone`. */
  violations(): Promise<readonly string[]>;
  /** Ends what is still alive of it, by pid, and removes its folder. Rejects where the host broke the schemas. */
  dispose(): Promise<void>;
};

/**
 * Writes the script to a fresh temporary folder. A list of steps is short for a script with this one prompt. `drivenBy`:
 * what a host sends has to fit the schemas of the protocol; a test of the fake agent itself may send anything.
 */
export function fakeAgent(
  script: FakeAgentScript | readonly Step[] = {},
  { drivenBy = 'host' }: { readonly drivenBy?: 'host' | 'test' } = {},
): FakeAgent {
  const dir = mkdtempSync(join(tmpdir(), 'fake-agent-'));
  const scriptFile = join(dir, 'script.json');
  const recordFile = join(dir, 'record.ndjson');
  const whole: FakeAgentScript = isSteps(script) ? { prompts: [{ steps: script }] } : script;
  writeFileSync(scriptFile, JSON.stringify(whole));

  const events = (): readonly RecordLine[] => readRecord(recordFile);
  const frames = (): readonly Frame[] => framesOf(events());
  const pids = (event: 'started' | 'spawned'): readonly number[] =>
    events().flatMap((line) => (line.event === event ? [line.pid] : []));

  return {
    command: nodeCommand(),
    args: [programPath(), scriptFile, '--record', recordFile],
    env: {},
    recordFile,
    record: async () => Promise.resolve(frames()),
    events: async () => Promise.resolve(events()),
    waitForFrame: (fits, timeoutMs = 10_000) =>
      poll(
        () => frames().find(fits),
        timeoutMs,
        () => summary(events()),
      ),
    waitForEvent: (fits, timeoutMs = 10_000) =>
      poll(
        () => events().find(fits),
        timeoutMs,
        () => summary(events()),
      ),
    count: async (method) => Promise.resolve(frames().filter((frame) => frame.method === method).length),
    agentPids: async () => Promise.resolve(pids('started')),
    helperPids: async () => Promise.resolve(pids('spawned')),
    violations: async () =>
      Promise.resolve(events().flatMap((line) => (line.event === 'violation' ? [line.method] : []))),
    dispose: async () => {
      for (const pid of [...pids('started'), ...pids('spawned')]) {
        kill(pid);
      }
      const invalid = drivenBy === 'host' ? invalidFrames(events()) : [];
      rmSync(dir, { recursive: true, force: true });
      return invalid.length === 0
        ? Promise.resolve()
        : Promise.reject(new Error(`The host sent what the schemas do not allow.\n${invalid.join('\n')}`));
    },
  };
}

/** True while a process with this pid exists (a zombie counts as gone). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Resolves when none of the processes is alive; rejects after `timeoutMs`, naming those that are. */
export async function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<void> {
  const alive = (): readonly number[] => pids.filter(isAlive);
  await poll(
    () => (alive().length === 0 ? true : undefined),
    timeoutMs,
    () => `still alive: ${alive().join(', ')}`,
  );
}

/** A host inside an editor may run on a binary that is no plain Node. */
function nodeCommand(): string {
  return process.versions['electron'] === undefined ? process.execPath : 'node';
}

/** Found from the working folder upwards, else from this file: tests also run bundled, inside an editor. */
function programPath(): string {
  const starts = [process.cwd(), typeof __dirname === 'string' ? __dirname : undefined, import.meta.dirname];
  for (const start of starts) {
    for (let dir = start; dir !== undefined; dir = dirname(dir) === dir ? undefined : dirname(dir)) {
      const candidate = join(dir, PROGRAM);
      if (existsSync(candidate)) {
        return candidate;
      }
    }
  }
  throw new Error(`${PROGRAM} not found above ${process.cwd()}`);
}

function isSteps(script: FakeAgentScript | readonly Step[]): script is readonly Step[] {
  return Array.isArray(script);
}

function readRecord(file: string): readonly RecordLine[] {
  if (!existsSync(file)) {
    return [];
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  // The last piece is empty, or a line that is being written right now.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as RecordLine);
}

function framesOf(lines: readonly RecordLine[]): readonly Frame[] {
  return lines.flatMap((line) => (line.event === 'received' && line.frame !== null ? [line.frame] : []));
}

function summary(lines: readonly RecordLine[]): string {
  const words = lines.slice(-40).map((line) => (line.event === 'received' ? line.line.slice(0, 120) : line.event));
  return `the agent saw: ${words.join(' | ')}`;
}

async function poll<T>(find: () => T | undefined, timeoutMs: number, explain: () => string): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = find();
    if (found !== undefined) {
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain; ${explain()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function kill(pid: number): void {
  if (!isAlive(pid)) {
    return;
  }
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went in between.
  }
}
