/** What a session last saw of each file: the base that its next write is built on. */
import { limits } from '../../core/text/limits.js';

type Seen = { readonly text?: string; readonly version?: string };

export class FileMemory {
  readonly #byPath = new Map<string, Seen>();

  /** The unsaved text that was read, or undefined where the agent saw the disk or nothing. */
  textOf(canonical: string): string | undefined {
    return this.#byPath.get(canonical)?.text;
  }

  /** The version of the file on disk that was read or written. */
  versionOf(canonical: string): string | undefined {
    return this.#byPath.get(canonical)?.version;
  }

  /** Remembers the newest sight of a file; the oldest files are forgotten. */
  remember(canonical: string, seen: Seen): void {
    this.#byPath.delete(canonical);
    this.#byPath.set(canonical, seen);
    if (this.#byPath.size > limits.rememberedTexts) {
      const [oldest] = this.#byPath.keys();
      this.#byPath.delete(oldest ?? '');
    }
  }
}
