import assert from 'node:assert/strict';
import { fuzz } from '../support/fuzz/fuzz.js';
import { fuzzSeed, recordedFrames } from '../support/fuzz/seeds.js';

describe('fuzz', () => {
  it('mutated frames throw nothing, cost bounded memory, and every valid frame between them arrives', async () => {
    const { faults, seed, frames, valid, updates, permissions, peakGrowthMiB } = await fuzz(
      recordedFrames(),
      150_000,
      fuzzSeed(),
    );
    const again = `ACP_HOST_FUZZ_SEED=${String(seed)}`;
    assert.deepEqual(faults, [], again);
    assert.equal(frames, 150_000, again);
    assert.ok(valid > 1_000 && updates > frames / 10 && permissions > 1_000, again);
    assert.ok(peakGrowthMiB < 64, `${String(peakGrowthMiB)} MiB, ${again}`);
  }).timeout(120_000);
});
