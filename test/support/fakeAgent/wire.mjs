// @ts-check
/** What came in and who waits for it: arrivals per method, answers to our own requests, cancelled turns. */

/** @typedef {import('../fakeAgentScript.js').Frame} Frame */

/** A thing that happens at most once, and can be waited for before and after. */
export class Once {
  done = false;
  /** @type {() => void} */
  #settle = () => {};
  /** @type {Promise<void>} */
  promise = new Promise((resolve) => {
    this.#settle = resolve;
  });

  fire() {
    this.done = true;
    this.#settle();
  }
}

/** Remembers every arrival, so that waiting after the fact works as well as before it. */
export class Arrivals {
  /** @type {Map<string, unknown[]>} */
  #params = new Map();
  /** @type {{ method: string, count: number, settle: (params: unknown) => void }[]} */
  #waiting = [];

  /**
   * @param {string} method
   * @param {unknown} params
   */
  add(method, params) {
    const all = this.#params.get(method) ?? [];
    all.push(params);
    this.#params.set(method, all);
    const due = this.#waiting.filter((waiter) => waiter.method === method && waiter.count <= all.length);
    this.#waiting = this.#waiting.filter((waiter) => !due.includes(waiter));
    for (const waiter of due) {
      waiter.settle(params);
    }
  }

  /** @param {string} method */
  count(method) {
    return this.#params.get(method)?.length ?? 0;
  }

  /**
   * @param {string} method
   * @param {number} count
   * @returns {Promise<unknown>} the params of the arrival number `count`
   */
  wait(method, count) {
    const all = this.#params.get(method) ?? [];
    if (all.length >= count) {
      return Promise.resolve(all[count - 1]);
    }
    return new Promise((settle) => {
      this.#waiting.push({ method, count, settle });
    });
  }
}

/** Answers to our requests, by id and its type: `7` and `"7"` are two requests. */
export class Answers {
  /** @type {Map<string, Frame>} */
  #early = new Map();
  /** @type {Map<string, (frame: Frame) => void>} */
  #waiting = new Map();
  #nextId = 1;

  nextId() {
    return this.#nextId++;
  }

  /** @param {Frame} frame */
  add(frame) {
    const key = JSON.stringify(frame.id);
    const settle = this.#waiting.get(key);
    if (settle) {
      this.#waiting.delete(key);
      settle(frame);
    } else {
      this.#early.set(key, frame);
    }
  }

  /**
   * Each answer is handed out once, so that an id can be used again.
   * @param {unknown} id
   * @returns {Promise<Frame>}
   */
  wait(id) {
    const key = JSON.stringify(id);
    const early = this.#early.get(key);
    if (early) {
      this.#early.delete(key);
      return Promise.resolve(early);
    }
    return new Promise((settle) => this.#waiting.set(key, settle));
  }
}
