import assert from 'node:assert/strict';
import { fakeSession, settled } from './sessionFakes.js';
import { StartError } from '../../src/agent/sessionLink.js';

const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);
const exited = { code: 1, signal: null, tail: ['bye'], afterMs: 10 };

describe('session: turns', () => {
  it('starts the agent with the first prompt and keeps the others back until the turn has ended', async () => {
    const { session, link, events } = fakeSession();
    session.prompt('one');
    session.prompt('two');
    session.prompt('  ');
    assert.equal(session.busy, true);
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['one'],
    );
    link.prompts[0]?.answer({ stopReason: 'end_turn' });
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['one', 'two'],
    );
    assert.ok(types(events).indexOf('turnEnded') < types(events).lastIndexOf('promptSent'));
    assert.deepEqual(link.turns, ['started', 'ended', 'started']);
  });

  it('says that a queued prompt will be sent, also in the moment between two turns', async () => {
    const { session, link } = fakeSession();
    const seen: boolean[] = [];
    session.onEvent((event) => {
      if (event.type === 'turnEnded') {
        seen.push(session.busy || session.willSend);
      }
    });
    session.prompt('one');
    session.prompt('two');
    await settled();
    link.prompts[0]?.answer({ stopReason: 'end_turn' });
    await settled();
    link.prompts[1]?.answer({ stopReason: 'end_turn' });
    await settled();
    assert.deepEqual(seen, [true, false]);
  });

  it('a cancel before the agent is there ends the turn without a prompt on the wire', async () => {
    const { session, link, events } = fakeSession();
    let open: () => void = () => undefined;
    link.opening = () => new Promise((resolve) => (open = resolve));
    session.prompt('one');
    session.cancel();
    open();
    await settled();
    assert.deepEqual([link.prompts.length, link.notified.length], [0, 0]);
    assert.equal(events.at(-1)?.type, 'turnEnded');
    assert.equal(session.busy, false);
  });

  it('a second cancel ends the turn at once; what is prompted then waits for the agent', async () => {
    const { session, link } = fakeSession();
    session.prompt('one');
    await settled();
    session.cancel();
    session.cancel();
    session.cancel();
    assert.equal(session.busy, false);
    session.prompt('two');
    await settled();
    assert.equal(link.prompts.length, 1);
    assert.equal(session.willSend, true);
    link.prompts[0]?.fail(new Error('late'));
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['one', 'two'],
    );
    assert.deepEqual(link.notified, ['session/cancel']);
  });

  it('sends what was queued after Stop Now once a restart ends the prompt that still ran', async () => {
    const { session, link } = fakeSession();
    session.prompt('stuck');
    await settled();
    session.prompt('held');
    session.cancel();
    session.cancel();
    session.prompt('after');
    session.agentGone({});
    await settled();
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['stuck', 'after'],
    );
    assert.deepEqual(
      session.transcript.queue.map(({ text }) => text),
      ['held'],
    );
  });

  it('sends a held prompt when the person says so, at once or after the one that runs', async () => {
    const { session, link } = fakeSession();
    session.prompt('a');
    await settled();
    session.prompt('b');
    session.prompt('c');
    session.cancel();
    link.prompts[0]?.answer({ stopReason: 'cancelled' });
    await settled();
    const [b, c] = session.transcript.queue;
    session.sendQueued(c?.promptId ?? '');
    await settled();
    session.sendQueued(b?.promptId ?? '');
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['a', 'c'],
    );
    link.prompts[1]?.answer({ stopReason: 'end_turn' });
    await settled();
    assert.equal(link.prompts[2]?.text, 'b');
    assert.deepEqual(session.transcript.queue, []);
  });

  it('puts what a person says to a denial before what they queued earlier', async () => {
    const { session, link } = fakeSession();
    session.prompt('a');
    await settled();
    session.prompt('later');
    session.prompt('instead', 'next');
    link.prompts[0]?.answer({ stopReason: 'end_turn' });
    await settled();
    assert.equal(link.prompts[1]?.text, 'instead');
  });

  it('holds the queue after a cancel, a failure and an exit, and sends a new prompt before it', async () => {
    for (const end of ['cancel', 'fail', 'exit'] as const) {
      const { session, link } = fakeSession();
      session.prompt('one');
      session.prompt('held');
      await settled();
      if (end === 'cancel') {
        session.cancel();
        link.prompts[0]?.answer({ stopReason: 'cancelled' });
      } else if (end === 'fail') {
        link.prompts[0]?.fail(Object.assign(new Error('no'), { code: -32603 }));
      } else {
        session.agentGone({ exit: exited });
      }
      await settled();
      assert.equal(session.willSend, false, end);
      session.prompt('new');
      await settled();
      assert.deepEqual(
        link.prompts.map(({ text }) => text),
        ['one', 'new'],
        end,
      );
      assert.deepEqual(
        session.transcript.queue.map(({ text }) => text),
        ['held'],
      );
    }
  });

  it('ends a turn once, whatever comes after its end', async () => {
    const { session, link, events } = fakeSession();
    session.prompt('one');
    await settled();
    session.agentGone({ exit: exited });
    link.prompts[0]?.answer({ stopReason: 'end_turn' });
    session.agentGone({});
    session.dispose();
    await settled();
    const ends = types(events).filter(
      (type) => type === 'turnEnded' || type === 'turnFailed' || type === 'agentExited',
    );
    assert.deepEqual(ends, ['agentExited']);
    assert.deepEqual(link.turns, ['started', 'cancelled']);
  });

  it('tells of a running turn that is disposed, and nothing after it', async () => {
    const { session, link, events } = fakeSession();
    session.prompt('one');
    await settled();
    session.dispose();
    session.prompt('two');
    link.prompts[0]?.answer({ stopReason: 'end_turn' });
    await settled();
    assert.equal(events.at(-1)?.type, 'turnEnded');
    assert.equal(link.prompts.length, 1);
    assert.equal(session.turnSignal.aborted, true);
  });

  it('a start that failed fails the turn with its notice, and retry sends the same text again', async () => {
    const { session, link, events } = fakeSession();
    const notice = { code: 'start', severity: 'error', what: 'W', why: 'Y', actions: [] } as const;
    link.opening = () => Promise.reject(new StartError('missing_binary', 'not found', notice));
    session.prompt('one');
    await settled();
    const failed = events.find((event) => event.type === 'turnFailed');
    assert.equal(failed?.type === 'turnFailed' ? failed.reason : '', 'missing_binary');
    link.opening = () => Promise.resolve();
    session.retry();
    await settled();
    assert.deepEqual(
      link.prompts.map(({ text }) => text),
      ['one'],
    );
  });
});
