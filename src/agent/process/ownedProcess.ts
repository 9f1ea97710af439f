/**
 * One child process and everything that descends from it, from the spawn to the last straggler. On POSIX it leads a
 * process group of its own; agents start shells in further sessions, so ending it means the group *and* a snapshot of
 * its tree (pid with start time), and, on Linux, whatever carries its marker in its environment.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { ExitFacts, StartFailure } from '../../core/failures.js';
import { messageOf } from '../../core/errors.js';
import { limits } from '../../core/text/limits.js';
import { markerName } from './environment.js';
import {
  descendantsOf,
  isAlive,
  processTable,
  signalGroup,
  signalIfSame,
  type ProcessIdentity,
} from './processTable.js';
import { processRegistry } from './registry.js';

/** What made it end: it did so by itself, or the step of stopping that it followed. */
export type EndedBy = 'itself' | keyof StopBudget;

/** Milliseconds for each step of stopping: end of stdin, SIGTERM, SIGKILL. */
export type StopBudget = { readonly stdin: number; readonly term: number; readonly kill: number };

export type ProcessStart = {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete, from `buildEnvironment`. A marker is added where it has none. */
  readonly env: Readonly<Record<string, string>>;
  /** The arguments are quoted already. Windows only. */
  readonly verbatim?: boolean;
};

const posix = process.platform !== 'win32';

/** A new value for the marker variable. */
export function newMarker(): string {
  return randomUUID();
}

export class OwnedProcess {
  readonly pid: number;
  readonly marker: string;
  /** null where the platform does not tell, or it was gone before it could be read. */
  readonly startTime: string | null;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves after the exit and a short drain of its output. A descendant that holds the pipes does not delay it. */
  readonly exited: Promise<ExitFacts>;
  /** Resolves at the exit itself. */
  readonly #gone: Promise<void>;
  readonly #known = new Map<number, ProcessIdentity>();
  #stopping: Promise<void> | undefined;
  #endedByUs = false;
  #step: EndedBy = 'itself';
  #facts: ExitFacts | null = null;
  #endedBy: EndedBy | null = null;
  #outlivedBy = 0;

  private constructor(child: ChildProcess & { readonly pid: number }, streams: Streams, marker: string) {
    this.pid = child.pid;
    this.marker = marker;
    ({ stdin: this.stdin, stdout: this.stdout, stderr: this.stderr } = streams);
    this.startTime = processTable.startTime(child.pid);
    // A pipe breaks when the other side ends; that is told by `exited` and must never be an unhandled error.
    for (const stream of [child, this.stdin, this.stdout, this.stderr]) {
      stream.on('error', () => undefined);
    }
    const closed = new Promise<void>((resolve) => child.once('close', resolve));
    this.#gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#facts = { code, signal };
        this.#endedBy = this.#step;
        this.#sweep();
        resolve();
      });
    });
    this.exited = this.#gone.then(() => this.#drain(closed));
    processRegistry().add(this);
  }

  /** Starts a program. Resolves when the system says that it runs, or to the reason why not; never rejects. */
  static async start({
    file,
    args,
    cwd,
    env,
    verbatim = false,
  }: ProcessStart): Promise<OwnedProcess | { readonly error: Error }> {
    const marker = env[markerName] ?? newMarker();
    try {
      const child = spawn(file, args, {
        cwd,
        env: { ...env, [markerName]: marker },
        stdio: ['pipe', 'pipe', 'pipe'],
        // On Windows a detached child gets a console and leaves the job that dies with this process.
        detached: posix,
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
        shell: false,
      });
      if (!isStarted(child)) {
        return await new Promise((resolve) => child.once('error', (error) => resolve({ error })));
      }
      return new OwnedProcess(child, { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr }, marker);
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(messageOf(error)) };
    }
  }

  /** How it ended, or null while it runs. */
  exitFacts(): ExitFacts | null {
    return this.#facts;
  }

  /** Whether this side began to end it. */
  get endedByUs(): boolean {
    return this.#endedByUs;
  }

  /** What made it end, or null while it runs. */
  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  /** How many of its descendants still ran when it had ended; this side ended them then. */
  get outlivedBy(): number {
    return this.#outlivedBy;
  }

  /**
   * Ends it with everything that descends from it: end of stdin, SIGTERM, SIGKILL. Resolves when all of it is gone, at
   * the latest after the budget. Calling it again joins, and a shorter budget hurries the first call.
   */
  stop(budget: StopBudget = limits.stop): Promise<void> {
    if (this.#stopping === undefined) {
      this.#stopping = this.#stop(budget);
    } else if (this.#facts === null) {
      const hurry = setTimeout(() => this.killNow(), budget.stdin + budget.term);
      void this.#gone.then(() => clearTimeout(hurry));
    }
    return this.#stopping;
  }

  /** SIGKILL to all of it, synchronously. For the last moment, and for a dispose that nobody awaits. */
  killNow(): void {
    this.#endedByUs = true;
    this.#step = 'kill';
    if (this.#facts === null) {
      this.#remember();
      endTree(this.pid, 'SIGKILL');
    }
    this.#killKnown();
  }

  async #stop(budget: StopBudget): Promise<void> {
    if (this.#facts === null) {
      this.#endedByUs = true;
      // Before anything ends: what is reparented to init can no longer be found from here.
      this.#remember();
      this.#step = 'stdin';
      this.stdin.end();
      if (!(await this.#goneWithin(budget.stdin))) {
        this.#remember();
        if (posix) {
          this.#step = 'term';
          signalGroup(this.pid, 'SIGTERM');
        }
        if (!posix || !(await this.#goneWithin(budget.term))) {
          this.killNow();
          await this.#goneWithin(budget.kill);
        }
      }
    }
    await this.#stragglersGone(budget.kill);
  }

  #goneWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.#gone.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** A killed process needs a moment until the kernel has taken it down. */
  async #stragglersGone(ms: number): Promise<void> {
    const deadline = Date.now() + ms;
    for (;;) {
      this.#rememberMarked();
      if (this.#liveKnown().length === 0 || Date.now() >= deadline) {
        return;
      }
      this.#killKnown();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Takes the tree as it is now into what is known. Only while the leader lives: then its number is its own. */
  #remember(): void {
    for (const identity of this.#known.values()) {
      if (!isAlive(identity)) {
        this.#known.delete(identity.pid);
      }
    }
    this.#rememberMarked();
    const rows = processTable.list();
    for (const root of [this.pid, ...this.#known.keys()]) {
      for (const { pid, startTime } of descendantsOf(rows, root)) {
        this.#know({ pid, startTime });
      }
    }
  }

  #rememberMarked(): void {
    for (const { pid, startTime } of processTable.marked(this.marker)) {
      this.#know({ pid, startTime });
    }
  }

  #know(identity: ProcessIdentity): void {
    if (identity.pid !== this.pid && identity.pid !== process.pid) {
      this.#known.set(identity.pid, identity);
    }
  }

  #liveKnown(): readonly ProcessIdentity[] {
    return [...this.#known.values()].filter((identity) => isAlive(identity));
  }

  #killKnown(): void {
    for (const identity of this.#known.values()) {
      signalIfSame(identity, 'SIGKILL');
    }
  }

  /** Once, at the exit of the leader: from here on its number may belong to somebody else. */
  #sweep(): void {
    this.#rememberMarked();
    this.#outlivedBy = this.#liveKnown().length;
    if (posix) {
      signalGroup(this.pid, 'SIGKILL');
    }
    if (this.#outlivedBy > 0) {
      // What was forked meanwhile.
      this.#rememberMarked();
    }
    this.#killKnown();
    processRegistry().remove(this);
  }

  async #drain(closed: Promise<void>): Promise<ExitFacts> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limits.exitDrain);
    });
    await Promise.race([closed, limit]);
    clearTimeout(timer);
    for (const stream of [this.stdin, this.stdout, this.stderr]) {
      stream.destroy();
    }
    return this.#facts ?? { code: null, signal: null };
  }
}

type Streams = { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };

function isStarted<C extends ChildProcess>(child: C): child is C & { readonly pid: number } {
  return child.pid !== undefined;
}

/** Signals a group; on Windows ends the tree while its leader lives, for afterwards nothing finds the rest. */
function endTree(pid: number, signal: NodeJS.Signals): void {
  if (posix) {
    signalGroup(pid, signal);
    return;
  }
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true, timeout: 5000 });
  } catch {
    // It ended meanwhile.
  }
}

/** The failure that stands behind an error of `spawn`. */
export function spawnFailure(command: string, error: Error): StartFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  switch (code) {
    case 'ENOENT':
      return { reason: 'missing_binary', detail: 'notFound', command, folders: 0 };
    case 'EACCES':
      return { reason: 'spawn_error', detail: 'notExecutable', command };
    default:
      return { reason: 'spawn_error', detail: 'system', command, system: code };
  }
}
