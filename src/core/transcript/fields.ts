/**
 * Reading of values that came off the wire: nothing here throws, and nothing here trusts a type.
 */
import { cut, limits } from '../text/limits.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with named fields, or undefined for everything else, arrays included. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A string of at most `max` characters, cut to it; undefined where the value is no string. */
export function textOf(value: unknown, max: number): string | undefined {
  return typeof value === 'string' ? cut(value, max) : undefined;
}

/** Like `textOf`, and undefined for the empty string. */
export function wordsOf(value: unknown, max: number = limits.title): string | undefined {
  return textOf(value, max) || undefined;
}

/** An id as it was sent. One that is empty or too long is refused: a shortened id would be another id. */
export function identifierOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= limits.identifier ? value : undefined;
}

/** A path as it was sent, or undefined where it is empty or too long to be one. */
export function pathOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= limits.path ? value : undefined;
}

/** The items that `read` accepts, at most `max` of them; undefined where the value is no array. */
export function listOf<T>(value: unknown, max: number, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const list: T[] = [];
  for (const item of value as unknown[]) {
    if (list.length >= max) {
      break;
    }
    const read1 = read(item);
    if (read1 !== undefined) {
      list.push(read1);
    }
  }
  return list;
}

/** Leaves out what is undefined, so that an absent field stays absent in JSON and in comparisons. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
