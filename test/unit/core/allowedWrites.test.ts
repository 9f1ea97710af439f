import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript, entriesOf, type Approval, type ToolEntry } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { approval } from './events.js';

const diff = { path: 'a.ts', added: 1, removed: 0, lines: [], omitted: 0, isNew: false } as const;

function fold(events: readonly SessionEvent[]): ToolEntry[] {
  const transcript = events.reduce(reduce, emptyTranscript);
  return entriesOf(transcript).filter((entry) => entry.kind === 'tool');
}

function write(toolCallId: string | undefined, outcome: 'allowed' | 'denied' | 'cancelled'): SessionEvent[] {
  const asked: Approval = {
    ...approval('a1', toolCallId),
    origin: 'host',
    verb: 'edit',
    paths: ['/w/a.ts'],
    diff,
  };
  return [
    { type: 'promptSent', at: 1, text: 'x', attachments: [] },
    ...(toolCallId === undefined
      ? []
      : [{ type: 'toolChanged', at: 2, patch: { toolCallId, title: 'Write', toolKind: 'edit' } } as const]),
    { type: 'approvalRequested', at: 3, approval: asked },
    { type: 'approvalSettled', at: 4, approvalId: 'a1', outcome, by: outcome === 'cancelled' ? 'cancel' : 'person' },
  ];
}

describe('a write that was asked about', () => {
  it('keeps the diff that was allowed on the card of its call', () => {
    const [entry, ...rest] = fold(write('t1', 'allowed'));
    assert.deepEqual(rest, []);
    assert.deepEqual(entry?.allowed, diff);
    assert.deepEqual(entry.provenance, { by: 'person', outcome: 'allowed' });
  });

  it('keeps no diff of what was denied', () => {
    const [entry] = fold(write('t1', 'denied'));
    assert.equal(entry?.allowed, undefined);
    assert.deepEqual(entry?.provenance, { by: 'person', outcome: 'denied' });
  });

  it('gets a card of its own where the agent announced no call', () => {
    const [allowed, ...rest] = fold(write(undefined, 'allowed'));
    assert.deepEqual(rest, []);
    assert.equal(allowed?.status, 'completed');
    assert.deepEqual(allowed.allowed, diff);
    assert.deepEqual(allowed.locations, [{ path: '/w/a.ts' }]);
    const [denied] = fold(write(undefined, 'denied'));
    assert.equal(denied?.status, 'cancelled');
    assert.deepEqual(fold(write(undefined, 'cancelled')), []);
  });
});
