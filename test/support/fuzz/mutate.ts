/** Frames that no honest agent sends, made from real ones. The same seed gives the same frames. */
import { isRecord } from '../../../src/agent/wire/framing.js';

export type Random = {
  /** A whole number from 0 to below `max`. */
  below(max: number): number;
  pick<T>(list: readonly T[]): T;
};

/** Mulberry32: small, and the same everywhere. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const below = (max: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * max);
  };
  return { below, pick: (list) => list[below(list.length)]! };
}

/** One frame without its line end, made from one or two of the seeds (JSON texts). */
export function mutate(rng: Random, seeds: readonly string[]): Buffer {
  const text = rng.pick(seeds);
  return rng.below(3) === 0 ? bytesOf(rng, Buffer.from(text), seeds) : Buffer.from(treeOf(rng, text));
}

function bytesOf(rng: Random, bytes: Buffer, seeds: readonly string[]): Buffer {
  const from = rng.below(bytes.length);
  const to = Math.min(bytes.length, from + 1 + rng.below(64));
  switch (rng.below(6)) {
    case 0:
      for (let flips = 1 + rng.below(8); flips > 0; flips--) {
        const at = rng.below(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << rng.below(8));
      }
      return bytes;
    case 1:
      return bytes.subarray(0, from);
    case 2:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    case 4: {
      const invalid = rng.pick([
        [0xff],
        [0xc0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x9f],
        [0],
        [0x0d],
        [0x0a],
        [0xef, 0xbb, 0xbf],
      ]);
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(invalid), bytes.subarray(from)]);
    }
    default: {
      const other = Buffer.from(rng.pick(seeds));
      return Buffer.concat([bytes.subarray(0, from), other.subarray(rng.below(other.length))]);
    }
  }
}

/** What JSON can say and `JSON.stringify` cannot: put in where these words stand. */
const huge = '@huge';
const deep = '@deep';
const proto = '@proto';

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

function treeOf(rng: Random, text: string): string {
  const frame: unknown = JSON.parse(text);
  const places: Place[] = [];
  collect(frame, places);
  for (let times = 1 + rng.below(3); times > 0; times--) {
    change(rng, rng.pick(places), places);
  }
  return JSON.stringify(frame)
    .replaceAll(`"${huge}"`, () => rng.pick(['1e999', '-1e999', '9007199254740993', '1e-999', '-0', '9'.repeat(400)]))
    .replaceAll(`"${proto}"`, () => rng.pick(['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"']))
    .replaceAll(`"${deep}"`, () => {
      const depth = rng.pick([10, 100, 1_000, 5_000]);
      return rng.below(2) === 0
        ? '['.repeat(depth) + ']'.repeat(depth)
        : `${'{"content":'.repeat(depth)}1${'}'.repeat(depth)}`;
    });
}

/** Every field below the frame; arrays count as objects whose names are numbers. */
function collect(value: unknown, places: Place[]): void {
  if (typeof value === 'object' && value !== null) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      collect(holder[key], places);
    }
  }
}

function change(rng: Random, { holder, key }: Place, places: readonly Place[]): void {
  switch (rng.below(8)) {
    case 0: {
      const other = rng.pick(places);
      const value = holder[key];
      // A copy: swapped with a field of its own it would hold itself.
      holder[key] = structuredClone(other.holder[other.key]);
      other.holder[other.key] = structuredClone(value);
      return;
    }
    case 1:
      Reflect.deleteProperty(holder, key);
      return;
    case 2:
      holder[rng.pick([proto, 'id', 'method', 'params', '_meta', '', '\ud800', 'messageId', 'toolCallId'])] =
        holder[key];
      return;
    case 3: {
      const value = holder[key];
      holder[key] =
        Array.isArray(value) || isRecord(value) ? [value, value, value] : `${String(value)}${String(value)}`;
      return;
    }
    case 4:
      holder[key] = { [proto]: { polluted: true }, content: holder[key] };
      return;
    default:
      holder[key] = odd(rng);
  }
}

function odd(rng: Random): unknown {
  switch (rng.below(14)) {
    case 0:
      return huge;
    case 1:
      return deep;
    case 2:
      return 'x'.repeat(rng.pick([1, 300, 5_000, 9_000]));
    case 3:
      return `a\udc00b\ud83d`;
    default:
      return rng.pick<unknown>([
        null,
        true,
        false,
        -1,
        0.5,
        '',
        '\0',
        '\u202e\u2066',
        [],
        {},
        [[]],
        [null],
        [{}],
        'text',
        'diff',
        'tool_call',
      ]);
  }
}
