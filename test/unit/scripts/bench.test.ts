import assert from 'node:assert/strict';
import { parseArgs } from '../../../scripts/bench/args.js';
import { median, summarize, toText } from '../../../scripts/bench/results.js';

describe('the command line of the benchmarks', () => {
  it('runs everything three times where nothing is said', () =>
    assert.deepEqual(parseArgs([]), {
      json: false,
      runs: 3,
      chunks: [2_000, 20_000],
      names: ['stream', 'activate', 'tap', 'jail', 'bundle'],
    }));

  it('takes names and options in any order', () =>
    assert.deepEqual(parseArgs(['activate', '--runs', '5', '--chunks', '10,20', '--json', 'activate']), {
      json: true,
      runs: 5,
      chunks: [10, 20],
      names: ['activate'],
    }));

  for (const wrong of [['--runs', '0'], ['--runs'], ['--chunks', '1.5'], ['--fast'], ['streams']]) {
    it(`refuses ${wrong.join(' ')} and says how it is used`, () => assert.throws(() => parseArgs(wrong), /Usage: /));
  }
});

describe('the figures of a benchmark', () => {
  it('are medians', () => assert.deepEqual([median([9, 1, 5]), median([4, 1, 2, 100])], [5, 3]));
  it('are never made of nothing', () => {
    assert.throws(() => median([]));
    assert.throws(() => median([1, NaN, 2]));
    assert.throws(() => summarize('stream', 'x', 'ms', [{ ms: 1, heap: 2 }, { ms: 1 }]));
  });

  it('keep the runs beside the medians', () => {
    const result = summarize('stream', '10 chunks', 'ms', [
      { ms: 30.04, heap: 1 },
      { ms: 10, heap: 3 },
      { ms: 20, heap: 2 },
    ]);
    assert.deepEqual([result.median, result.runs, result.also], [20, [30, 10, 20], { heap: 2 }]);
    assert.match(toText(result), /^stream 10 chunks: 20 ms {2}\(30, 10, 20\)\n {2}heap +2$/);
  });
});
