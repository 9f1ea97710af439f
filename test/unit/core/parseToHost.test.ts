import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import type { ToHost } from '../../../src/core/messages.js';
import { parseToHost } from '../../../src/core/parseToHost.js';
import { limits } from '../../../src/core/text/limits.js';

/** One message of each type. A new type does not compile until it stands here. */
const samples: { [T in ToHost['type']]: Extract<ToHost, { type: T }> } = {
  ready: { type: 'ready' },
  sendPrompt: { type: 'sendPrompt', text: 'hi' },
  stop: { type: 'stop' },
  answer: { type: 'answer', approvalId: 'a', optionId: 'o' },
  decide: { type: 'decide', approvalId: 'a', decision: 'reject_once', comment: 'no' },
  openDiff: { type: 'openDiff', toolCallId: 't' },
  openLocation: { type: 'openLocation', toolCallId: 't', index: 0 },
  openApproval: { type: 'openApproval', approvalId: 'a' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  copy: { type: 'copy', text: 'x' },
  fetchBody: { type: 'fetchBody', bodyId: 'b1' },
  selectAgent: { type: 'selectAgent', name: 'Demo' },
  pickAgent: { type: 'pickAgent' },
  addAgent: { type: 'addAgent' },
  newSession: { type: 'newSession' },
  chooseEdits: { type: 'chooseEdits', choice: 'ask' },
  pickEdits: { type: 'pickEdits' },
  pickMode: { type: 'pickMode' },
  showPlan: { type: 'showPlan' },
  showMenu: { type: 'showMenu' },
  editQueued: { type: 'editQueued', promptId: 'p', text: 'x' },
  removeQueued: { type: 'removeQueued', promptId: 'p' },
  sendQueued: { type: 'sendQueued', promptId: 'p' },
  act: { type: 'act', entryId: 'e1', action: 'retry' },
  typed: { type: 'typed' },
  draft: { type: 'draft', text: '' },
  resync: { type: 'resync' },
};

describe('parseToHost', () => {
  it('passes every message, and nothing beside its fields', () => {
    for (const sample of Object.values(samples)) {
      deepStrictEqual(parseToHost({ ...sample, path: '/etc/passwd' }), sample);
    }
    deepStrictEqual(parseToHost({ type: 'decide', approvalId: 'a', decision: 'allow_once' }), {
      type: 'decide',
      approvalId: 'a',
      decision: 'allow_once',
    });
  });

  it('refuses every message in which a field has another type or no bound', () => {
    for (const sample of Object.values(samples)) {
      for (const key of Object.keys(sample)) {
        equal(parseToHost({ ...sample, [key]: {} }), null, `${sample.type}.${key}`);
        equal(parseToHost({ ...sample, [key]: 'x'.repeat(limits.turnText + 1) }), null, `${sample.type}.${key}`);
      }
    }
  });

  it('refuses an allow that is not for once, an index out of bounds and an unknown action', () => {
    equal(parseToHost({ type: 'decide', approvalId: 'a', decision: 'allow_always' }), null);
    equal(parseToHost({ type: 'openLocation', toolCallId: 't', index: -1 }), null);
    equal(parseToHost({ type: 'openLocation', toolCallId: 't', index: 0.5 }), null);
    equal(parseToHost({ type: 'act', entryId: 'e', action: 'format' }), null);
    equal(parseToHost({ type: 'chooseEdits', choice: 'allow' }), null);
  });

  it('never throws', () => {
    const message = fc.record({
      type: fc.constantFrom(...Object.keys(samples)),
      text: fc.anything(),
      index: fc.anything(),
    });
    fc.assert(fc.property(fc.oneof(fc.anything(), message), (value) => ok(parseToHost(value) !== undefined)));
  });
});
