/**
 * Everything that was spawned and has not ended, in one place for the whole process: also when this module is loaded
 * more than once (two extensions, a reload), there is one list and one hook on `exit`.
 */
import type { StopBudget } from './ownedProcess.js';

/** What the registry needs of a process that it holds. */
export interface RegisteredProcess {
  readonly pid: number;
  readonly marker: string;
  readonly startTime: string | null;
  stop(budget?: StopBudget): Promise<void>;
  killNow(): void;
}

/** Is told of every start and end, synchronously. Must not throw. */
export interface RegistryObserver {
  added(process: RegisteredProcess): void;
  removed(process: RegisteredProcess): void;
}

export interface ProcessRegistry {
  add(process: RegisteredProcess): void;
  remove(process: RegisteredProcess): void;
  /** Also hears of what runs already. Returns what ends the observation. */
  observe(observer: RegistryObserver): () => void;
  list(): readonly RegisteredProcess[];
  /** SIGKILL to every tree, synchronously: for the `exit` of this process and for a dispose that nobody awaits. */
  killAllSync(): void;
  /** Stops all of them at the same time. */
  stopAll(budget?: StopBudget): Promise<void>;
}

class Registry implements ProcessRegistry {
  readonly #processes = new Set<RegisteredProcess>();
  readonly #observers = new Set<RegistryObserver>();

  add(process: RegisteredProcess): void {
    this.#processes.add(process);
    for (const observer of this.#observers) {
      observer.added(process);
    }
  }

  remove(process: RegisteredProcess): void {
    if (this.#processes.delete(process)) {
      for (const observer of this.#observers) {
        observer.removed(process);
      }
    }
  }

  observe(observer: RegistryObserver): () => void {
    this.#observers.add(observer);
    for (const process of this.#processes) {
      observer.added(process);
    }
    return () => this.#observers.delete(observer);
  }

  list(): readonly RegisteredProcess[] {
    return [...this.#processes];
  }

  killAllSync(): void {
    for (const process of this.#processes) {
      process.killNow();
    }
  }

  async stopAll(budget?: StopBudget): Promise<void> {
    await Promise.all([...this.#processes].map((process) => process.stop(budget)));
  }
}

const key = Symbol.for('acp-host.processRegistry.1');

/** The one registry of this process. The first call hooks `exit`. */
export function processRegistry(): ProcessRegistry {
  const holder = globalThis as { [key]?: ProcessRegistry };
  if (holder[key] === undefined) {
    const registry = new Registry();
    holder[key] = registry;
    process.once('exit', () => registry.killAllSync());
  }
  return holder[key];
}
