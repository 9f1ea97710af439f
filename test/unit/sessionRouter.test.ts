import assert from 'node:assert/strict';
import { Bodies } from '../../src/agent/bodies.js';
import { AgentSession } from '../../src/agent/session.js';
import { SessionRouter } from '../../src/agent/sessionRouter.js';
import { entriesOf } from '../../src/core/transcript/model.js';
import { FakeLink } from './sessionFakes.js';

describe('session router', () => {
  it('takes an update for an id that is not known yet, and leaves out one that is too deep to measure', () => {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (what: string) => void warnings.push(what) };
    const router = new SessionRouter(() => log);
    const sink = router.sink({ read: false, write: false, terminal: false }, 'Agent', { log }, undefined);
    router.opening();
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.doesNotThrow(() => sink.onUpdate({ sessionId: 'S1', update: deep }));
    const content = { type: 'text', text: 'early' };
    sink.onUpdate({ sessionId: 'S1', update: { sessionUpdate: 'agent_message_chunk', content } });
    const session = new AgentSession('s1', new FakeLink(), new Bodies(), () => 1);
    router.register(session, 'S1');
    router.flushEarly(session, 'S1');
    const texts = entriesOf(session.transcript).map((entry) => (entry.kind === 'assistant' ? entry.text : entry.kind));
    assert.deepEqual(texts, ['early']);
    assert.equal(warnings.length, 1);
  });
});
