/** Order and measure for calls that arrive all at once. */

/** Runs calls of one key one after the other, in the order in which they were made; other keys run beside them. */
export class Serial {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const before = this.settled(key);
    let done: () => void = () => undefined;
    const tail = new Promise<void>((resolve) => {
      done = resolve;
    });
    const chained = before.then(() => tail);
    this.#tails.set(key, chained);
    await before;
    try {
      return await call();
    } finally {
      done();
      if (this.#tails.get(key) === chained) {
        this.#tails.delete(key);
      }
    }
  }

  /** Resolves when every call of the key that was made before has ended. */
  settled(key: string): Promise<void> {
    return this.#tails.get(key) ?? Promise.resolve();
  }
}

/** Runs at most `size` calls at a time; the others wait in order. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free--;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next) {
        next();
      } else {
        this.#free++;
      }
    }
  }
}
