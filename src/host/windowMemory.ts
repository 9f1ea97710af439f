import type { Memento } from 'vscode';
import type { Memory } from './chat.js';

const draftDelayMs = 300;

/** The workspace's memory. What is set often (a draft) is written once it rests. */
export class WindowMemory implements Memory {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly state: Memento) {}

  get(key: string): unknown {
    return this.state.get(key);
  }

  set(key: string, value: unknown): void {
    if (typeof value !== 'string') {
      void this.state.update(key, value);
      return;
    }
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        void this.state.update(key, value);
      }, draftDelayMs),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }
}
