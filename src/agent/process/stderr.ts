/** The end of an agent's stderr. Always drained, so that a chatty agent is never blocked by a full pipe. */
import { limits, cut } from '../../core/text/limits.js';
import { redact } from '../../core/text/redact.js';

/** Keeps the last `capacity` bytes. Redacted when it is read, over the whole of it: a secret may arrive in two parts. */
export class StderrRing {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = false;

  constructor(
    private readonly secrets: readonly string[] = [],
    private readonly capacity: number = limits.stderr,
  ) {}

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > this.capacity) {
      const first = this.#chunks[0];
      if (first === undefined) {
        return;
      }
      this.#dropped = true;
      const excess = this.#bytes - this.capacity;
      if (first.length <= excess) {
        this.#chunks.shift();
        this.#bytes -= first.length;
      } else {
        // A copy: a slice would keep all of a large chunk alive.
        this.#chunks[0] = Buffer.from(first.subarray(excess));
        this.#bytes -= excess;
      }
    }
  }

  /** The last lines that are not blank, redacted, without control characters, each cut. */
  tail(lines: number = limits.stderrTail): string[] {
    const text = redact(this.#whole(), this.secrets);
    return text
      .split(/\r\n|\n|\r/)
      .map((line) => cut(plain(line), limits.stderrLine))
      .filter((line) => line.trim() !== '')
      .slice(-lines);
  }

  /** Without the torn first line: it could hold the second half of a secret, which nothing would recognise. */
  #whole(): string {
    const bytes = Buffer.concat(this.#chunks);
    if (!this.#dropped) {
      return bytes.toString('utf8');
    }
    const end = bytes.indexOf(0x0a);
    return bytes.subarray(end === -1 ? Math.min(bytes.length, limits.stderrLine) : end + 1).toString('utf8');
  }
}

/** Without terminal sequences and control characters; a report is read, not run through a terminal. */
function plain(line: string): string {
  return line
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, '')
    .replace(/\t/g, ' ')
    .replace(/\p{Cc}/gu, '');
}
