import assert from 'node:assert/strict';
import type { TestEvent } from '../../../scripts/test/events.js';
import { Tally } from '../../../scripts/test/tally.js';

describe('the count of a ring', () => {
  const ended: TestEvent = { event: 'ended' };
  const passed: TestEvent = { event: 'passed', title: 'a', ms: 1 };
  const failed: TestEvent = { event: 'failed', title: 'b', error: 'why' };

  const count = (...events: TestEvent[]) => {
    const quiet = process.stdout.write;
    const tally = new Tally('made-up');
    // What the tally prints would stand among the results of this very run.
    process.stdout.write = () => true;
    try {
      events.forEach((event) => tally.add(event));
      tally.close(Date.now());
    } finally {
      process.stdout.write = quiet;
    }
    return [tally.passed, tally.failed];
  };

  it('adds passes and failures', () => assert.deepEqual(count(passed, failed, passed, ended), [2, 1]));
  it('fails a ring that ended without saying so', () => assert.deepEqual(count(passed), [1, 1]));
  it('fails a ring in which nothing ran', () => assert.deepEqual(count(ended), [0, 1]));
  it('fails a ring in which everything was skipped', () =>
    assert.deepEqual(count({ event: 'skipped', title: 'c' }, ended), [0, 1]));
  it('fails a ring that could not run', () => assert.deepEqual(count({ event: 'ended', error: 'no mocha' }), [0, 1]));
});
