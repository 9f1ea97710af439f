import { randomUUID } from 'node:crypto';

/** One chat: its folder, its mode, and the turn that runs. */
export class Session {
  readonly id = `demo-${randomUUID()}`;
  mode: 'ask' | 'plan' = 'ask';
  #running: AbortController | undefined;
  #count = 0;

  constructor(readonly cwd: string) {}

  /** Starts a turn; its signal fires at `cancel()`. Undefined while another turn runs. */
  begin(): AbortSignal | undefined {
    if (this.#running) {
      return undefined;
    }
    this.#running = new AbortController();
    return this.#running.signal;
  }

  finish(): void {
    this.#running = undefined;
  }

  /** Does nothing when no turn runs. */
  cancel(): void {
    this.#running?.abort();
  }

  /** An id that this session has not used yet. */
  newId(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${this.#count}`;
  }
}
