import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToHost, ToView } from '../../../src/core/messages.js';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { mergeEvents } from '../../../src/core/transcript/mergeEvents.js';
import { createStore, type Store } from '../../../src/webview/store.js';
import { panel } from '../../support/webviewPreview/parts.js';

const chunk = (
  at: number,
  text: string,
  role: 'assistant' | 'thought' = 'assistant',
  messageId?: string,
): SessionEvent => ({
  type: 'messageChunk',
  at,
  role,
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});

function setUp(): { store: Store; posted: ToHost[]; frames: (() => void)[] } {
  const posted: ToHost[] = [];
  const frames: (() => void)[] = [];
  const store = createStore(
    reduce,
    (message) => posted.push(message),
    (run) => frames.push(run),
  );
  return { store, posted, frames };
}

const snapshot = (seq: number, chat = 1): ToView => ({
  type: 'snapshot',
  chat,
  seq,
  transcript: emptyTranscript,
  panel,
});
const events = (from: number, list: SessionEvent[], chat = 1): ToView => ({ type: 'events', chat, from, events: list });

describe('the replica', () => {
  it('folds the same whether chunks are merged or not', () => {
    const event = fc.oneof(
      fc
        .record({
          text: fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('', ' ', '\n')),
          role: fc.constantFrom('assistant' as const, 'thought' as const),
          messageId: fc.constantFrom(undefined, 'm1', 'm2'),
        })
        .map(({ text, role, messageId }) => chunk(0, text, role, messageId)),
      fc.constant<SessionEvent>({ type: 'promptSent', at: 0, text: 'go', attachments: [] }),
      fc.constant<SessionEvent>({
        type: 'toolChanged',
        at: 0,
        patch: { toolCallId: 't', title: 'x', status: 'in_progress' },
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (list) => {
        const timed = list.map((one, i) => ({ ...one, at: 1000 + i }));
        const merged = mergeEvents(timed);
        assert.deepEqual(merged.reduce(reduce, emptyTranscript), timed.reduce(reduce, emptyTranscript));
      }),
    );
  });

  it('merges a flood into few events', () => {
    const flood = Array.from({ length: 500 }, (_, i) => chunk(i, 'x'));
    assert.equal(mergeEvents(flood).length, 2);
    const blank = Array.from({ length: 500 }, (_, i) => chunk(i, ' '));
    assert.equal(mergeEvents([...blank, ...flood]).length, 4);
  });

  it('folds batches in order and draws once a frame', () => {
    const { store, frames, posted } = setUp();
    let drawn = 0;
    store.subscribe(() => drawn++);
    store.receive(snapshot(0));
    store.receive(events(0, [{ type: 'promptSent', at: 1, text: 'go', attachments: [] }]));
    store.receive(events(1, [chunk(2, 'a'), chunk(3, 'b'), chunk(4, 'c')]));
    assert.equal(frames.length, 1);
    frames.shift()?.();
    assert.equal(drawn, 1);
    assert.equal(store.state.transcript.count, 2);
    const entry = store.state.transcript.pages[0]?.[1];
    assert.equal(entry?.kind === 'assistant' && entry.text, 'abc');
    assert.deepEqual(posted, []);
  });

  it('asks once for a snapshot when a batch is missing, and drops what comes before it', () => {
    const { store, posted } = setUp();
    store.receive(snapshot(0));
    store.receive(events(5, [chunk(1, 'lost')]));
    store.receive(events(6, [chunk(1, 'lost')]));
    assert.deepEqual(posted, [{ type: 'resync' }]);
    assert.equal(store.state.transcript.count, 0);
    store.receive(snapshot(7));
    store.receive(events(7, [chunk(1, 'seen')]));
    assert.equal(store.state.transcript.count, 1);
  });

  it('drops events of another chat, and everything before the first snapshot', () => {
    const { store, posted } = setUp();
    store.receive(events(0, [chunk(1, 'early')]));
    store.receive(snapshot(0, 2));
    store.receive(events(0, [chunk(1, 'old')], 1));
    assert.equal(store.state.transcript.count, 0);
    assert.deepEqual(posted, []);
  });

  it('fetches a body once and keeps a bounded number', () => {
    const { store, posted } = setUp();
    store.fetchBody('b1');
    store.fetchBody('b1');
    assert.deepEqual(posted, [{ type: 'fetchBody', bodyId: 'b1' }]);
    for (let i = 0; i < 100; i++) {
      store.receive({ type: 'body', bodyId: `b${i}`, text: 'x' });
    }
    assert.equal(store.state.bodies.size, 64);
  });
});
