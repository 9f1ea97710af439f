/**
 * Bytes of an agent's stdout → JSON-RPC messages.
 *
 * This stands before the SDK because the SDK answers every line that is no JSON with an error on the agent's stdin and
 * waits for that write: an agent that prints a log without reading its stdin then stops the session for good (measured
 * with SDK 2.4.0). Here such lines are noise: counted, kept for a report, and never answered.
 * Transport rules: https://agentclientprotocol.com/protocol/transports
 */
import { limits, cut } from '../../core/text/limits.js';

/** What was found on stdout besides protocol messages. */
export type Noise = {
  /** The first lines, cut. */
  readonly lines: readonly string[];
  readonly count: number;
  /** A line began like a message and was no JSON: typical of a message printed over several lines. */
  readonly brokenFrames: number;
};

export type FrameSink = {
  /** A JSON object, and the line that it came as. */
  onMessage(message: Record<string, unknown>, line: string): void;
  onNoise(line: string): void;
  /** A JSON-RPC batch, which ACP does not allow. Answered with one error by the caller. */
  onBatch(): void;
  /** A frame over `limits.frame`. Nothing more is delivered after it. */
  onOverflow(): void;
};

const newline = 0x0a;
const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits bytes into lines and lines into messages. Cuts may fall anywhere, also inside a character. Never throws;
 * holds at most one frame (`limits.frame` bytes).
 */
export class FrameSplitter {
  #parts: Buffer[] = [];
  #size = 0;
  #dead = false;
  readonly #noise: string[] = [];
  #noiseCount = 0;
  #broken = 0;

  constructor(
    private readonly sink: FrameSink,
    private readonly maxFrame: number = limits.frame,
  ) {}

  /** The noise seen so far. */
  get noise(): Noise {
    return { lines: this.#noise, count: this.#noiseCount, brokenFrames: this.#broken };
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (!this.#dead) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) {
        break;
      }
      if (this.#size === 0 && end - start <= this.maxFrame) {
        // The usual case, a line within one chunk, is decoded where it lies: a view of it would cost as much again.
        this.#take(chunk, start, end);
      } else {
        this.#append(chunk.subarray(start, end));
        this.#flush();
      }
      start = end + 1;
    }
    if (!this.#dead && start < chunk.length) {
      this.#append(chunk.subarray(start));
    }
  }

  /** The stream ended: a last line without a newline still counts. */
  end(): void {
    if (!this.#dead) {
      this.#flush();
    }
  }

  #append(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.maxFrame) {
      this.#dead = true;
      this.#parts = [];
      this.sink.onOverflow();
      return;
    }
    this.#parts.push(part);
  }

  #flush(): void {
    if (this.#dead) {
      return;
    }
    const first = this.#parts.length === 1 ? this.#parts[0] : undefined;
    const line = first ?? Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    this.#take(line, 0, line.length);
  }

  #take(bytes: Buffer, from: number, to: number): void {
    const marked = bytes[from] === bom[0] && bytes.subarray(from, Math.min(from + bom.length, to)).equals(bom);
    const text = bytes.toString('utf8', marked ? from + bom.length : from, to).trim();
    if (text.length > 0) {
      this.#deliver(text);
    }
  }

  #deliver(text: string): void {
    const opener = text[0];
    if (opener !== '{' && opener !== '[') {
      this.addNoise(text);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#broken += opener === '{' ? 1 : 0;
      this.addNoise(text);
      return;
    }
    if (isRecord(value)) {
      this.sink.onMessage(value, text);
    } else {
      this.sink.onBatch();
    }
  }

  /** Counts a line as noise: found here, or an object that the caller does not take for a message. */
  addNoise(text: string): void {
    this.#noiseCount += 1;
    const line = cut(text, limits.noiseLine);
    if (this.#noise.length < limits.noiseLines) {
      this.#noise.push(line);
    }
    this.sink.onNoise(line);
  }
}

/** An object that is no array: the only shape a JSON-RPC message may have. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
