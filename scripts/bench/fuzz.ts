import { fuzz, type FuzzResult } from '../../test/support/fuzz/fuzz.js';
import { fuzzSeed, recordedFrames } from '../../test/support/fuzz/seeds.js';
import { Plain, say } from '../say.js';

const FRAMES = 1_000_000;

export type FuzzLine = { readonly name: 'fuzz' } & Omit<FuzzResult, 'faults'>;

/** Sends a million mutated frames, or as many as `ACP_HOST_FUZZ_FRAMES` says. Throws, with the seed, at a fault. */
export async function fuzzRun(print: (line: FuzzLine) => void): Promise<void> {
  const frames = Number(process.env['ACP_HOST_FUZZ_FRAMES'] ?? FRAMES);
  if (!Number.isSafeInteger(frames) || frames < 1) {
    throw new Plain('ACP_HOST_FUZZ_FRAMES must be a whole number of at least 1.');
  }
  const seed = fuzzSeed();
  say(`fuzz, ${String(frames)} frames, ACP_HOST_FUZZ_SEED=${String(seed)}`);
  const { faults, ...result } = await fuzz(recordedFrames(), frames, seed);
  print({ name: 'fuzz', ...result });
  if (faults.length > 0) {
    throw new Plain([...faults, `Again: ACP_HOST_FUZZ_SEED=${String(seed)}`].join('\n'));
  }
}
