import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { emptyTranscript, entriesOf, pageSize } from '../../../src/core/transcript/model.js';
import type { Transcript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { anyEvent, fold, said, sent, tool } from './events.js';

describe('reduce: as a whole', () => {
  const events = fc.array(anyEvent, { maxLength: 60 });

  it('never throws and keeps its count, ids and pages straight', () => {
    fc.assert(
      fc.property(events, (list) => {
        const t = fold(list);
        const entries = entriesOf(t);
        equal(entries.length, t.count);
        equal(new Set(entries.map((entry) => entry.id)).size, t.count);
        ok(t.pages.every((page, i) => (i < t.pages.length - 1 ? page.length === pageSize : page.length > 0)));
        const open = entries.slice(0, -1).filter((entry) => 'open' in entry && entry.open);
        deepStrictEqual(open, []);
        // No spinner is left in an older turn.
        ok(entries.every((entry) => entry.kind !== 'tool' || entry.turn === t.turn.number || !isOpen(entry.status)));
      }),
      { numRuns: 300 },
    );
  }).timeout(10_000);

  it('goes on from a snapshot as from the events, also through JSON', () => {
    fc.assert(
      fc.property(events, fc.nat(60), (list, cutAt) => {
        const head = fold(list.slice(0, cutAt));
        const snapshot = JSON.parse(JSON.stringify(head)) as Transcript;
        deepStrictEqual(snapshot, head);
        deepStrictEqual(fold(list.slice(cutAt), snapshot), fold(list));
      }),
      { numRuns: 300 },
    );
  }).timeout(10_000);

  it('does not change its input', () => {
    fc.assert(
      fc.property(events, anyEvent, (list, event) => {
        const t = fold(list);
        const before = JSON.stringify(t);
        reduce(t, event);
        equal(JSON.stringify(t), before);
      }),
    );
  });

  it('copies one page for one event', () => {
    const t = fold(Array.from({ length: 300 }, (_, i) => tool(`x${i}`, { title: 'T' })));
    const next = reduce(t, tool('x10', { status: 'completed' }));
    equal(next.pages.filter((page, i) => page !== t.pages[i]).length, 1);
    equal(next.pages[0]?.[11], t.pages[0]?.[11]);
  });

  it('folds 20,000 chunks in well under a second, and keeps every character', () => {
    const started = performance.now();
    let t = reduce(emptyTranscript, sent('go'));
    for (let i = 0; i < 20_000; i++) {
      t = reduce(t, said(`chunk ${i} `));
    }
    const took = performance.now() - started;
    const last = entriesOf(t).at(-1);
    ok(last?.kind === 'assistant' && last.text.endsWith('chunk 19999 '));
    ok(took < 1_000, `took ${took} ms`);
  });
});

function isOpen(status: string): boolean {
  return status === 'pending' || status === 'in_progress';
}
