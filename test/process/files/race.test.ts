/** Short races in the rings; `npm run bench -- race` runs the long ones. */
import { strict as assert } from 'node:assert';
import { buildSwapper, OUTSIDE, race, raceModes, type RaceMode, type RaceResult } from './race.js';

describe('files: the jail against a swapper', function () {
  this.timeout(60_000);
  let swapper: Awaited<ReturnType<typeof buildSwapper>>;

  before(async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    swapper = await buildSwapper();
  });
  after(() => swapper.remove());

  for (const mode of raceModes) {
    for (const portable of [false, true]) {
      const strength = portable ? 'best effort' : 'kernel';
      it(`3.4 ${strength}: no read and no write gets outside while a ${mode} and a link change places`, async () => {
        // A busy machine may give the swapper too few turns to fool anyone: one more try, then it counts as failed.
        const first = await run(mode, portable);
        const result = first.naive.escapes > 0 && first.swaps > 100 ? first : await run(mode, portable);
        const { naive, read, write, swaps, outside, left } = result;
        const told = JSON.stringify({ swaps, naive, read, write });
        assert.ok(naive.escapes > 0, `INCONCLUSIVE: the naive reader was never fooled, so nothing was tested. ${told}`);
        assert.equal(read.escapes, 0, told);
        assert.equal(write.escapes, 0, told);
        assert.ok(read.rejected + write.rejected > 0, told);
        // Many rounds of comparing hardly ever come to an end under a swapper; one question to the kernel does.
        assert.ok(portable || read.inside > 0, told);
        assert.deepEqual(outside, { f: OUTSIDE }, told);
        assert.deepEqual(left, [], told);
      });
    }
  }

  function run(mode: RaceMode, portable: boolean): Promise<RaceResult> {
    const length = { seconds: portable ? 1 : 2 };
    return race(swapper.program, { mode, portable, naive: { seconds: 1 }, read: length, write: length });
  }
});
