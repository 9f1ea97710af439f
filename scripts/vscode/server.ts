import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { mustRun } from '../run.js';
import { Plain } from '../say.js';
import type { VsCode } from './install.js';
import { machineSettings, type Settings } from './settings.js';

/** Longest wait for the server to listen; it takes about 0.2 s. */
const START_MS = 30_000;
/** Time between the polite and the hard end of the server. */
const STOP_MS = 3_000;

export type ServeOptions = {
  readonly vscode: VsCode;
  /** Holds settings, logs and installed extensions of this server. */
  readonly dataDir: string;
  /** 0 or absent: a free one. */
  readonly port?: number;
  readonly settings?: Settings;
  /** False leaves workspace trust on, so that a folder opens in Restricted Mode. */
  readonly trust?: boolean;
  /** Without it the browser edition ignores the extension under development. */
  readonly smokeTestDriver?: boolean;
  /** Added to our environment; it is also the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
};

export type VsCodeServer = {
  readonly port: number;
  readonly dataDir: string;
  /** Ends the server and everything in its process group. */
  readonly stop: () => Promise<void>;
  /** Settles when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
};

/** Starts a VS Code server on 127.0.0.1 and returns when it accepts connections. */
export async function serve(options: ServeOptions): Promise<VsCodeServer> {
  const { vscode, dataDir, trust = true, smokeTestDriver = true } = options;
  await machineSettings(dataDir).write(options.settings ?? {});
  const args = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--without-connection-token'];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--server-data-dir', dataDir);
  args.push(
    ...(smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
    ...(trust ? ['--disable-workspace-trust'] : []),
  );
  await mkdir(dataDir, { recursive: true });
  // A group of its own: Ctrl+C then reaches us alone, and one signal ends the server with its children.
  const child = spawn(vscode.node, [vscode.server, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...options.env },
  });
  const killNow = () => signalGroup(child, 'SIGKILL');
  process.once('exit', killNow);
  const ended = once(child, 'exit').then(() => {
    process.removeListener('exit', killNow);
  });
  const log = createWriteStream(join(dataDir, 'server.log'));
  child.stderr.pipe(log, { end: false });
  child.stdout.pipe(log, { end: false });
  try {
    return { port: await listeningPort(child), dataDir, ended, stop: () => stop(child, ended) };
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
}

/** Installs a packed extension into the folder of a server that is not running. */
export async function installExtension(vscode: VsCode, dataDir: string, vsix: string): Promise<void> {
  const where = ['--server-data-dir', dataDir, '--accept-server-license-terms', '--telemetry-level', 'off'];
  const args = [vscode.server, '--install-extension', vsix, '--force', ...where];
  await mustRun(`Installing ${vsix}`, vscode.node, args);
}

/** Copies an extension's folder to where a server that has never run looks for installed extensions. */
export async function installFolder(dataDir: string, folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const name = `${manifest['publisher']}.${manifest['name']}-${manifest['version']}`;
  await cp(folder, join(dataDir, 'extensions', name), { recursive: true });
}

async function listeningPort(child: ChildProcess): Promise<number> {
  const seen: string[] = [];
  const lines = createInterface({ input: child.stdout! });
  child.stderr!.on('data', (part: Buffer) => seen.push(part.toString()));
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Plain(`The VS Code server ${why}.\n${seen.join('\n').slice(-4000)}`));
    const timer = setTimeout(() => fail(`did not listen within ${START_MS / 1000} s`), START_MS);
    child.once('error', (error) => fail(`could not start: ${error.message}`));
    child.once('exit', (code) => fail(`ended with status ${String(code)} before it listened`));
    lines.on('line', (line) => {
      seen.push(line);
      const port = /agent listening on (\d+)/.exec(line)?.[1];
      if (port !== undefined) {
        clearTimeout(timer);
        resolve(Number(port));
      }
    });
  });
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  signalGroup(child, 'SIGTERM');
  await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
  await ended;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // The group is gone already, which is what was asked for.
  }
}
