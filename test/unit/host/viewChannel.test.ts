import { deepEqual, equal, ok } from 'node:assert/strict';
import type { PanelState, ToView } from '../../../src/core/messages.js';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { Emitter } from '../../../src/host/emitter.js';
import { ViewChannel } from '../../../src/host/viewChannel.js';

const chunk = (text: string, messageId = 'm'): SessionEvent => ({
  type: 'messageChunk',
  at: 1,
  role: 'assistant',
  messageId,
  content: { type: 'text', text },
});

function fixture() {
  const event = new Emitter<SessionEvent>();
  const reset = new Emitter<void>();
  const changed = new Emitter<void>();
  const posted: ToView[] = [];
  const state = { visible: true, transcript: emptyTranscript };
  let arrived = (): void => undefined;
  const channel = new ViewChannel(
    {
      chat: 7,
      get transcript() {
        return state.transcript;
      },
      panel: (surface) => ({ surface }) as PanelState,
      onEvent: event.on,
      onReset: reset.on,
      onDidChange: changed.on,
    },
    {
      surface: 'sidebar',
      get visible() {
        return state.visible;
      },
      post: (message) => {
        posted.push(message);
        arrived();
        return Promise.resolve(true);
      },
    },
  );
  const emit = (next: SessionEvent): void => {
    state.transcript = reduce(state.transcript, next);
    event.fire(next);
  };
  /** Resolves when `count` messages were posted. */
  const until = async (count: number): Promise<void> => {
    while (posted.length < count) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  };
  return { channel, emit, reset, changed, posted, state, until };
}

describe('view channel', () => {
  it('posts nothing before the view is ready, then a snapshot', () => {
    const { channel, emit, posted } = fixture();
    emit(chunk('a'));
    equal(posted.length, 0);
    channel.ready();
    deepEqual(
      posted.map(({ type }) => type),
      ['snapshot'],
    );
    channel.dispose();
  });

  it('B148 sends one batch of a frame, chunks of one message joined, in the order they came', async () => {
    const { channel, emit, posted, state, until } = fixture();
    channel.ready();
    emit({ type: 'promptSent', at: 0, text: 'hi', attachments: [] });
    for (const text of 'abcdef') {
      emit(chunk(text));
    }
    emit({ type: 'toolChanged', at: 1, patch: { toolCallId: 't', title: 'T' } });
    emit(chunk('g', 'n'));
    emit(chunk('h', 'n'));
    emit({ type: 'turnEnded', at: 2, stopReason: 'end_turn' });
    await until(2);
    const batch = posted[1];
    ok(batch?.type === 'events');
    equal(batch.from, 0);
    ok(batch.events.length < 10);
    deepEqual(batch.events.reduce(reduce, emptyTranscript), state.transcript);
    channel.dispose();
  });

  it('counts on from what it sent, so that the view sees a gap', async () => {
    const { channel, emit, posted, until } = fixture();
    channel.ready();
    emit(chunk('a'));
    emit(chunk('b'));
    await until(2);
    emit(chunk('c'));
    await until(3);
    const [, first, second] = posted;
    ok(first?.type === 'events' && second?.type === 'events');
    equal(second.from, first.from + first.events.length);
    channel.dispose();
  });

  it('posts nothing to a hidden view, and a snapshot when it is there again', async () => {
    const { channel, emit, posted, state } = fixture();
    channel.ready();
    state.visible = false;
    channel.hidden();
    emit(chunk('a'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    equal(posted.length, 1);
    state.visible = true;
    channel.ready();
    const last = posted.at(-1);
    ok(last?.type === 'snapshot');
    equal(last.transcript, state.transcript);
    channel.dispose();
  });

  it('B79 keeps what a view is to show until it is there', () => {
    const { channel, posted } = fixture();
    channel.nudge({ type: 'reveal', approvalId: 'a1' });
    equal(posted.length, 0);
    channel.ready();
    deepEqual(
      posted.map(({ type }) => type),
      ['snapshot', 'reveal'],
    );
    channel.dispose();
  });

  it('sends what is pending before a message that may be about it', () => {
    const { channel, emit, posted } = fixture();
    channel.ready();
    emit(chunk('a'));
    channel.nudge({ type: 'reveal', toolCallId: 't' });
    deepEqual(
      posted.map(({ type }) => type),
      ['snapshot', 'events', 'reveal'],
    );
    channel.dispose();
  });

  it('sends a new snapshot when another session is shown', () => {
    const { channel, reset, posted } = fixture();
    channel.ready();
    reset.fire();
    deepEqual(
      posted.map(({ type }) => type),
      ['snapshot', 'snapshot'],
    );
    channel.dispose();
  });

  it('leaves no timer after dispose', async () => {
    const { channel, emit, changed, posted } = fixture();
    channel.ready();
    emit(chunk('a'));
    changed.fire();
    channel.dispose();
    await new Promise((resolve) => setTimeout(resolve, 40));
    equal(posted.length, 1);
  });
});
