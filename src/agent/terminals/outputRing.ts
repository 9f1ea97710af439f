/** The end of a command's output, bounded in bytes and cut on a character boundary, as ACP asks. */
import { StringDecoder } from 'node:string_decoder';

export class OutputRing {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #truncated = false;
  #lines = 0;

  /** `max` in UTF-8 bytes. */
  constructor(private readonly max: number) {}

  get truncated(): boolean {
    return this.#truncated;
  }

  /** Line ends that were written, also those no longer kept. */
  get lines(): number {
    return this.#lines;
  }

  push(chunk: Buffer): void {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      this.#lines += 1;
    }
    this.#text += this.#decoder.write(chunk);
    // Cutting costs the whole text, so it waits until there is twice as much as is kept.
    if (this.#text.length > this.max * 2) {
      this.#cut();
    }
  }

  end(): void {
    this.#text += this.#decoder.end();
  }

  /** At most `max` bytes, from the end. */
  text(): string {
    this.#cut();
    return this.#text;
  }

  #cut(): void {
    const bytes = Buffer.from(this.#text, 'utf8');
    if (bytes.length <= this.max) {
      return;
    }
    this.#truncated = true;
    let start = bytes.length - this.max;
    while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) {
      start += 1;
    }
    this.#text = bytes.toString('utf8', start);
  }
}
