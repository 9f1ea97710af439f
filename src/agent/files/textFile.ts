/**
 * Text as agents and people see it, and bytes as the disk has them. What is read has no byte order mark and its own
 * line ends; what is written gets the mark and the line ends that the file had, so that an edit of one line changes
 * one line. Only UTF-8 is text here: anything else is refused, never guessed, because a wrong guess written back
 * destroys letters far from the edit.
 */
import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { HostError } from '../../core/errors.js';
import { utf8Length } from '../../core/policy/paths.js';
import { limits } from '../../core/text/limits.js';

/** A window of lines: `line` is the first, from 1; `limit` how many, all where it is absent. */
export type LineWindow = { readonly line?: number; readonly limit?: number };

type ReadBounds = { readonly maxBytes: number; readonly scanBytes: number };

const readBounds: ReadBounds = { maxBytes: limits.readBytes, scanBytes: limits.scanBytes };

/**
 * Checks the numbers of a read request: whole, not negative; null counts as absent and line 0 as the first.
 * @throws HostError badParams
 */
export function checkWindow(line: unknown, limit: unknown): LineWindow {
  const number = (value: unknown, name: string): number | undefined => {
    if (value === undefined || value === null) {
      return undefined;
    }
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new HostError('badParams', `"${name}" must be a whole number.`);
    }
    return value;
  };
  const [first, count] = [number(line, 'line'), number(limit, 'limit')];
  return { ...(first === undefined ? {} : { line: first }), ...(count === undefined ? {} : { limit: count }) };
}

/**
 * The window of a text that is in memory. Empty past the end.
 * @throws HostError tooLarge
 */
export function windowOf(text: string, { line = 1, limit }: LineWindow, maxBytes: number = limits.readBytes): string {
  let start = 0;
  for (let skip = line - 1; skip > 0 && start < text.length; skip--) {
    start = after(text, start);
  }
  let end = limit === undefined ? text.length : start;
  for (let left = limit ?? 0; left > 0 && end < text.length; left--) {
    end = after(text, end);
  }
  const out = text.slice(start, end);
  if (utf8Length(out) > maxBytes) {
    throw tooLarge(maxBytes, limit !== undefined);
  }
  return out;
}

function after(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}

/**
 * Reads a window of an open regular file of `size` bytes by its first `stat`. Memory stays at the cap plus one chunk,
 * also when the file is endless, grows meanwhile, or is a hole of gigabytes.
 * @throws HostError tooLarge, binary, notUtf8
 */
export async function readText(
  handle: FileHandle,
  size: number,
  { line = 1, limit }: LineWindow,
  bounds: ReadBounds = readBounds,
): Promise<string> {
  const wholeFile = line <= 1 && limit === undefined;
  if (wholeFile && size > bounds.maxBytes + bom.length) {
    throw tooLarge(bounds.maxBytes, false);
  }
  const buffer = Buffer.allocUnsafe(limits.readChunk);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let scanned = 0;
  let skip = Math.max(line, 1) - 1;
  let left = limit ?? Infinity;
  for (let first = true; ; first = false) {
    const chunk = await fill(buffer, handle, scanned);
    if (first) {
      refuseBinary(chunk);
    }
    let from = first && startsWithBom(chunk) ? bom.length : 0;
    scanned += chunk.length;
    while (skip > 0 && from < chunk.length) {
      const at = chunk.indexOf(10, from);
      from = at < 0 ? chunk.length : at + 1;
      skip -= at < 0 ? 0 : 1;
    }
    const end = skip > 0 ? { at: from, lines: 0 } : endOf(chunk, from, left);
    left -= end.lines;
    if (end.at > from) {
      kept.push(Buffer.from(chunk.subarray(from, end.at)));
      keptBytes += end.at - from;
    }
    if (keptBytes > bounds.maxBytes) {
      throw tooLarge(bounds.maxBytes, limit !== undefined);
    }
    if (left <= 0 || chunk.length < limits.readChunk) {
      return decode(Buffer.concat(kept));
    }
    if (skip > 0 && scanned >= bounds.scanBytes) {
      throw new HostError('tooLarge', `Line ${line} lies beyond the first ${megabytes(bounds.scanBytes)} of the file.`);
    }
  }
}

/** A whole file as text, with what `encode` needs to write it back in the same form. */
export type WholeText = { readonly text: string; readonly style: TextStyle };

/** How a file is written on disk. `mixed` line ends are left as they come; a file of one line has `none`. */
export type TextStyle = { readonly bom: boolean; readonly lineEnds: 'lf' | 'crlf' | 'mixed' | 'none' };

/**
 * Reads a whole open file for an edit.
 * @throws HostError tooLarge, binary, notUtf8
 */
export async function readWhole(
  handle: FileHandle,
  size: number,
  maxBytes: number = limits.readBytes,
): Promise<WholeText> {
  const text = await readText(handle, size, {}, { maxBytes, scanBytes: maxBytes });
  const mark = Buffer.alloc(bom.length);
  const { bytesRead } = await handle.read(mark, 0, bom.length, 0);
  return { text, style: { bom: bytesRead === bom.length && startsWithBom(mark), lineEnds: lineEndsOf(text) } };
}

/** Which line ends a text uses. */
export function lineEndsOf(text: string): TextStyle['lineEnds'] {
  const all = count(text, '\n');
  const crlf = count(text, '\r\n');
  return all === 0 ? 'none' : crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed';
}

/**
 * The text that a write leaves in a file of this style: the file's line ends where they are all alike, and no mark of
 * its own. Without a style (a new file) the content stays byte for byte.
 */
export function fit(content: string, style: TextStyle | undefined): string {
  if (style === undefined) {
    return content;
  }
  const text = content.startsWith('\ufeff') ? content.slice(1) : content;
  switch (style.lineEnds) {
    case 'lf':
      return text.replace(/\r\n/g, '\n');
    case 'crlf':
      return text.replace(/\r?\n/g, '\r\n');
    case 'mixed':
    case 'none':
      return text;
  }
}

/** The bytes of a text that was fitted to this style. */
export function encode(text: string, style: TextStyle | undefined): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return style?.bom === true ? Buffer.concat([bom, bytes]) : bytes;
}

const bom = Buffer.from([0xef, 0xbb, 0xbf]);

function startsWithBom(bytes: Buffer): boolean {
  return bytes.subarray(0, bom.length).equals(bom);
}

/** Fills the buffer from a position; what comes back is shorter only at the end of the file. */
async function fill(buffer: Buffer, handle: FileHandle, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function endOf(chunk: Buffer, from: number, lines: number): { at: number; lines: number } {
  if (lines === Infinity) {
    return { at: chunk.length, lines: 0 };
  }
  let at = from;
  let found = 0;
  while (found < lines && at < chunk.length) {
    const next = chunk.indexOf(10, at);
    at = next < 0 ? chunk.length : next + 1;
    found += next < 0 ? 0 : 1;
  }
  return { at, lines: found };
}

function refuseBinary(start: Buffer): void {
  const utf16 =
    start.length >= 2 && ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff));
  if (utf16) {
    throw new HostError('notUtf8', 'The file is UTF-16, not UTF-8 text.');
  }
  if (start.includes(0)) {
    throw new HostError('binary', 'The file is binary, not text.');
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new HostError('notUtf8', `The file is not UTF-8 text: byte ${badByte(bytes)} of what was read is not valid.`);
  }
  return bytes.toString('utf8');
}

/** Where invalid UTF-8 begins: the first place where decoding and encoding again gives other bytes. */
function badByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'), 'utf8');
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) {
    at++;
  }
  while (at > 0 && ((again[at] ?? 0) & 0xc0) === 0x80) {
    at--;
  }
  return at;
}

function tooLarge(maxBytes: number, limited: boolean): HostError {
  return new HostError(
    'tooLarge',
    `${limited ? 'These lines are' : 'The text is'} larger than ${megabytes(maxBytes)}. Read it in parts with "line" and "limit".`,
  );
}

function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found++;
  }
  return found;
}
