/**
 * What is remembered of an agent that ended by itself: a program that dies at once would be started again with each
 * prompt, as fast as somebody can type. Only prompts start an agent; nothing here starts one.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { crashLoopNotice } from '../core/notices.js';
import type { Notice } from '../core/transcript/model.js';

/** So many ends in so long a time are a loop. */
const loop = { ends: 3, ms: 120_000 };
/** The wait before the next start, after the first end and at most. */
const pause = { first: 1_000, most: 30_000, forget: 300_000 };

export class Crashes {
  #ends: readonly number[] = [];

  /** Notes an end at this time in ms. Says whether it is a loop now. */
  note(at: number): boolean {
    this.#ends = [...this.#ends.filter((end) => at - end < pause.forget), at];
    return this.isLoop(at);
  }

  /** Whether starting is for a person to say: it ended three times within two minutes. */
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

  /** Why the next start is for a person to say, or undefined. */
  refuses(agent: string, now: number): Notice | undefined {
    return this.isLoop(now) ? crashLoopNotice(agent) : undefined;
  }

  /** Resolves when the next start is due. */
  async pause(now: number): Promise<void> {
    const ms = this.dueIn(now);
    if (ms > 0) {
      await delay(ms);
    }
  }

  /** A person wants it started, or it was stopped in order. */
  clear(): void {
    this.#ends = [];
  }
}
