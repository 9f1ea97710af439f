import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { diffView } from '../../../src/core/text/diffView.js';
import { limits } from '../../../src/core/text/limits.js';
import type { DiffView } from '../../../src/core/transcript/model.js';

const shape = (view: DiffView): string[] =>
  view.lines.map((line) => (line.sign === '…' ? `…${line.count}` : `${line.sign}${line.number} ${line.text}`));
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `l${from + i}`);
const file = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('diffView', () => {
  it('B64 shows new files, emptied files and no change', () => {
    const made = diffView('/w/n.txt', null, 'a\nb\n');
    deepStrictEqual([made.added, made.removed, made.isNew, shape(made)], [2, 0, true, ['+1 a', '+2 b']]);
    const emptied = diffView('/w/n.txt', 'a\nb\n', '');
    deepStrictEqual([emptied.added, emptied.removed, shape(emptied)], [0, 2, ['-1 a', '-2 b']]);
    deepStrictEqual(diffView('p', 'a\n', 'a\n'), {
      path: 'p',
      added: 0,
      removed: 0,
      lines: [],
      omitted: 0,
      isNew: false,
    });
  });

  it('folds unchanged runs and keeps the real line numbers of either side', () => {
    const before = file(...numbered(1, 10), 'old', ...numbered(12, 30), 'gone', ...numbered(32, 34));
    const after = file(...numbered(1, 10), 'new', 'more', ...numbered(12, 30), ...numbered(32, 34));
    deepStrictEqual(shape(diffView('p', before, after)), [
      '…7',
      ...[' 8 l8', ' 9 l9', ' 10 l10', '-11 old', '+11 new', '+12 more', ' 13 l12', ' 14 l13', ' 15 l14'],
      '…13',
      ...[' 29 l28', ' 30 l29', ' 31 l30', '-31 gone', ' 32 l32', ' 33 l33', ' 34 l34'],
    ]);
  });

  it('keeps tabs, hides line ends, and counts a change of them', () => {
    deepStrictEqual(shape(diffView('p', '\ta\r\nb\r\n', '\ta\r\nc\r\n')), [' 1 \ta', '-2 b', '+2 c']);
    deepStrictEqual(shape(diffView('p', 'a\nb', 'a\nb\n')), [' 1 a', '-2 b', '+2 b']);
    equal(diffView('p', 'a\r\nb\r\n', 'a\nb\n').added, 2);
  });

  it('B66 is ready soon for 60,000 changed lines, and for a line of 2 MB', () => {
    const side = (name: string): string => Array.from({ length: 60_000 }, (_, i) => `${name} ${i}\n`).join('');
    const [before, after, long] = [side('old'), side('new'), 'x'.repeat(2_000_000)];
    const started = performance.now();
    const view = diffView('p', before, after);
    const wide = diffView('p', long, `${long}y`);
    const took = performance.now() - started;
    deepStrictEqual([view.added, view.removed, view.lines.length], [60_000, 60_000, limits.diffLines]);
    equal(view.omitted, 120_000 - limits.diffLines);
    ok(shape(view).some((line) => line.startsWith('+1 ')) && shape(view).some((line) => line.startsWith('-1 ')));
    deepStrictEqual([wide.added, wide.removed], [1, 1]);
    ok(shape(wide).every((line) => line.length < limits.diffLine + 100 && line.endsWith('more characters)')));
    ok(took < 1_500, `took ${took} ms`);
  }).timeout(10_000);

  it('accounts for every line of both sides', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const view = diffView('p', before, after);
        const lines = (value: string): string[] => (value === '' ? [] : value.split(/(?<=\n)/));
        equal(lines(after).length - lines(before).length, view.added - view.removed);
        const bare = (value: string, n: number): string | undefined => lines(value)[n - 1]?.replace(/\n$/, '');
        for (const line of view.lines) {
          if (line.sign !== '…') {
            equal(line.text, bare(line.sign === '-' ? before : after, line.number));
          }
        }
        if (view.lines.length > 0) {
          const seen = view.lines.reduce(
            (sum, line) => sum + (line.sign === '…' ? line.count : line.sign === '-' ? 0 : 1),
            0,
          );
          equal(seen, lines(after).length);
        }
      }),
      { numRuns: 500 },
    );
  });
});
