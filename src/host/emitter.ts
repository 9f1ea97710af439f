import type { Disposable } from '../agent/ports.js';

/** Tells listeners of one thing, in order. A listener may remove itself while it is told. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly on = (listener: (value: T) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      listener(value);
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Everything one owner has to end. What is added after the end is ended at once. */
export class Disposables implements Disposable {
  #ended = false;
  readonly #parts: Disposable[] = [];

  add<T extends Disposable>(part: T): T {
    if (this.#ended) {
      part.dispose();
    } else {
      this.#parts.push(part);
    }
    return part;
  }

  dispose(): void {
    this.#ended = true;
    for (const part of this.#parts.splice(0).reverse()) {
      part.dispose();
    }
  }
}
