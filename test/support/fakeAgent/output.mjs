// @ts-check
/** Everything that leaves the fake agent: stdout in ordered, cuttable writes, stderr, and the record file. */
import { closeSync, openSync, writeSync } from 'node:fs';

/** @typedef {import('../fakeAgentScript.js').Cutting} Cutting */

const LF = 0x0a;

/**
 * Where to cut, as sorted offsets inside the buffer.
 * @param {Buffer} bytes
 * @param {Cutting['cuts']} cuts
 * @returns {number[]}
 */
function offsets(bytes, cuts) {
  if (cuts === undefined) {
    return [];
  }
  if (cuts === 'bytes') {
    return Array.from({ length: bytes.length - 1 }, (_unused, index) => index + 1);
  }
  if (cuts === 'insideCharacters') {
    // A UTF-8 continuation byte is 10xxxxxx: a cut before it is inside a character.
    return [...bytes.keys()].filter((index) => ((bytes[index] ?? 0) & 0xc0) === 0x80);
  }
  return [...cuts].sort((a, b) => a - b).filter((cut) => cut > 0 && cut < bytes.length);
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {Uint8Array | string} data
 * @returns {Promise<void>} settled when the pipe took the data, or is gone
 */
function put(stream, data) {
  return new Promise((resolve) => {
    stream.write(data, () => resolve());
  });
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));

/** The order of writes is the order of calls, also for a frame that goes out in pieces. */
export class Output {
  /** @type {Promise<void>} */
  #tail = Promise.resolve();

  constructor() {
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
  }

  /**
   * @param {Buffer} bytes
   * @param {Cutting} [cutting]
   * @returns {Promise<void>}
   */
  bytes(bytes, cutting = {}) {
    this.#tail = this.#tail.then(async () => {
      let from = 0;
      for (const to of [...offsets(bytes, cutting.cuts), bytes.length]) {
        if (from > 0) {
          await pause(cutting.delayMs ?? 0);
        }
        await put(process.stdout, bytes.subarray(from, to));
        from = to;
      }
    });
    return this.#tail;
  }

  /**
   * @param {string} text
   * @returns {Promise<void>}
   */
  stderr(text) {
    return put(process.stderr, text);
  }

  /** @returns {Promise<void>} */
  close() {
    return this.#tail.then(() => closeSync(1));
  }
}

/** The record: one JSON line per event, in the file when `write` returns. Without a path it does nothing. */
export class Recorder {
  #started = Date.now();
  /** @type {number | undefined} */
  #file;

  /** @param {string | undefined} path */
  constructor(path) {
    this.#file = path === undefined ? undefined : openSync(path, 'a', 0o600);
  }

  /**
   * @param {string} event
   * @param {Record<string, unknown>} fields
   */
  write(event, fields) {
    if (this.#file === undefined) {
      return;
    }
    writeSync(this.#file, `${JSON.stringify({ event, at: Date.now() - this.#started, ...fields })}\n`);
  }
}

/**
 * Cuts a byte stream at line ends. Keeps the pieces of a long line apart until its end is there.
 * @param {(line: string) => void} onLine
 * @returns {(chunk: Buffer) => void}
 */
export function lineSplitter(onLine) {
  /** @type {Buffer[]} */
  let open = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      open.push(chunk.subarray(from, at));
      onLine(Buffer.concat(open).toString('utf8'));
      open = [];
      from = at + 1;
    }
    if (from < chunk.length) {
      open.push(chunk.subarray(from));
    }
  };
}
