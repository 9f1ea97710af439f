/**
 * What is remembered of an agent that ended by itself. Only a prompt of the person starts it again; a program that dies
 * at once is then started later each time.
 */

import { setTimeout as delay } from 'node:timers/promises';

/** So many ends in so long a time are a loop. */
const loop = { ends: 3, ms: 120_000 };
/** The wait before the next start, after the first end and at most. */
const pause = { first: 1_000, most: 30_000, forget: 300_000 };

export class Crashes {
  #ends: readonly number[] = [];
  #woken = new AbortController();

  /** Notes an end at this time in ms. Says whether it is a loop now. */
  note(at: number): boolean {
    this.#ends = [...this.#ends.filter((end) => at - end < pause.forget), at];
    return this.isLoop(at);
  }

  /** Whether it ended three times within two minutes. */
  isLoop(now: number): boolean {
    return this.#ends.filter((end) => now - end < loop.ms).length >= loop.ends;
  }

  /** Milliseconds until the next start is due: 1, 2, 4 s and so on after the last end. */
  dueIn(now: number): number {
    const recent = this.#ends.filter((end) => now - end < pause.forget);
    const last = recent.at(-1);
    if (last === undefined) {
      return 0;
    }
    const wait = Math.min(pause.first * 2 ** (recent.length - 1), pause.most);
    return Math.max(0, last + wait - now);
  }

  /** Resolves when the next start is due, or at once when `wake` is called. */
  async pause(now: number): Promise<void> {
    const ms = this.dueIn(now);
    if (ms > 0) {
      // An end of the wait is what `wake` is for, and no fault.
      await delay(ms, undefined, { signal: this.#woken.signal }).catch(() => undefined);
    }
  }

  /** Nobody wants the next start any more. */
  wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
  }

  /** A person wants it started, or it was stopped in order. */
  clear(): void {
    this.#ends = [];
  }
}
