/**
 * A small process that outlives this one. An extension host that is killed runs no exit hook, and an agent that
 * ignores the end of its stdin would stay for ever. The watchdog holds the other end of a pipe; when that ends without
 * a goodbye, it ends the trees it was told of.
 *
 * Lines: `add PID STARTTIME MARKER`, `del PID`, `bye`.
 */
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { RecordedTree } from './endTrees.js';
import { hostEnvironment, variable } from './environment.js';
import type { ProcessRegistry } from './registry.js';

export type WatchdogStart = {
  /** A Node, or an Electron that can run as one: `process.execPath`. */
  readonly node: string;
  /** Absolute path of the bundled `watchdog.cjs`. */
  readonly script: string;
};

export interface Watchdog {
  readonly pid: number | undefined;
  /** A clean end: the watchdog leaves everything alone and exits. */
  bye(): void;
}

/** Starts a watchdog over everything in the registry. Where it cannot be started, nothing else fails. */
export function startWatchdog(registry: ProcessRegistry, { node, script }: WatchdogStart): Watchdog {
  const child = spawn(node, [script], {
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: variable(hostEnvironment(), 'PATH') ?? '', ELECTRON_RUN_AS_NODE: '1' },
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  // It must not keep this process from ending: ending is what it waits for.
  child.unref();
  if (child.stdin instanceof Socket) {
    child.stdin.unref();
  }
  const say = (line: string): void => {
    if (child.stdin.writable) {
      child.stdin.write(`${line}\n`);
    }
  };
  const stopObserving = registry.observe({
    added: ({ pid, startTime, marker }) => {
      if (startTime !== null) {
        say(`add ${pid} ${startTime} ${marker}`);
      }
    },
    removed: ({ pid }) => say(`del ${pid}`),
  });
  return {
    pid: child.pid,
    bye: () => {
      stopObserving();
      say('bye');
      child.stdin.end();
    },
  };
}

/** What the watchdog knows. Pure, so that its protocol can be tested without a process. */
export class WatchList {
  readonly #trees = new Map<number, RecordedTree>();
  #bye = false;

  /** Takes one line; anything that is not understood is ignored. */
  take(line: string): void {
    const [verb, pidText, startTime, marker] = line.trim().split(' ');
    const pid = Number(pidText);
    if (verb === 'bye') {
      this.#bye = true;
    } else if (verb === 'del') {
      this.#trees.delete(pid);
    } else if (
      verb === 'add' &&
      Number.isSafeInteger(pid) &&
      pid > 1 &&
      startTime !== undefined &&
      marker !== undefined
    ) {
      this.#trees.set(pid, { pid, startTime, marker });
    }
  }

  /** What has to be ended when the pipe ends: nothing after a goodbye. */
  orphans(): readonly RecordedTree[] {
    return this.#bye ? [] : [...this.#trees.values()];
  }
}
