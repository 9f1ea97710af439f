import { deepEqual, equal } from 'node:assert/strict';
import { Crashes } from '../../src/agent/crashes.js';

describe('an agent that ends by itself', () => {
  it('waits twice as long after each end, and forgets after five minutes', () => {
    const crashes = new Crashes();
    equal(crashes.dueIn(0), 0);
    const waits = [0, 1, 2, 3, 4, 5, 6].map((i) => {
      crashes.note(i * 40_000);
      return crashes.dueIn(i * 40_000);
    });
    deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    equal(crashes.dueIn(6 * 40_000 + 29_000), 1_000);
    equal(crashes.dueIn(6 * 40_000 + 31_000), 0);
    crashes.note(1_000_000);
    equal(crashes.dueIn(1_000_000), 1_000);
  });

  it('waits until the start is due, and no longer than somebody wants it', async () => {
    const crashes = new Crashes();
    await crashes.pause(0);
    for (let i = 0; i < 6; i++) {
      crashes.note(0);
    }
    const waiting = crashes.pause(0);
    crashes.wake();
    await waiting;
  });

  it('is a loop at the third end in two minutes, until it has been quiet or was started anew', () => {
    const crashes = new Crashes();
    deepEqual([crashes.note(0), crashes.note(60_000), crashes.note(119_999)], [false, false, true]);
    equal(crashes.isLoop(119_999), true);
    equal(crashes.isLoop(121_000), false);
    equal(crashes.note(122_000), true);
    crashes.clear();
    equal(crashes.isLoop(122_000), false);
    const slow = new Crashes();
    deepEqual([slow.note(0), slow.note(60_000), slow.note(120_000)], [false, false, false]);
  });
});
