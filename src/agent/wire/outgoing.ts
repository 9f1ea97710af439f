/** Answers on their way: an agent that asks for much and reads nothing gets no more than fits here. */
import { limits } from '../../core/text/limits.js';

export class Outgoing {
  #waiting = 0;
  #ended = false;
  readonly #waiters = new Set<() => void>();

  /** An answer of this size was made and is not written yet. */
  made(size: number): void {
    this.#waiting += size;
  }

  /** It was taken by the pipe. */
  written(size: number): void {
    this.#waiting = Math.max(0, this.#waiting - size);
    this.#wake();
  }

  /** Resolves when another answer may be made, and at the end of the connection. */
  async room(): Promise<void> {
    while (this.#waiting > limits.waitingAnswers && !this.#ended) {
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) {
      wake();
    }
  }
}

/** About how many characters an answer takes: only the content of a file and the output of a command are large. */
export function sizeOf(result: unknown): number {
  if (typeof result !== 'object' || result === null) {
    return 0;
  }
  const { content, output } = result as { content?: unknown; output?: unknown };
  return [content, output].reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
