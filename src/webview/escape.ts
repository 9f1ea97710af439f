/** How long after a step Escape takes none, in ms. */
const pause = 500;

/** Escape goes one step a press: a held key does not stop the turn as well. One per panel. */
export class Escape {
  #last = -Infinity;

  /** False within 500 ms of the last step. */
  mayStep(now: number = performance.now()): boolean {
    if (now - this.#last < pause) {
      return false;
    }
    this.#last = now;
    return true;
  }
}
