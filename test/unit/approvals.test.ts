import assert from 'node:assert/strict';
import { Approvals, Withdrawal, type ApprovalOwner } from '../../src/agent/approvals.js';
import type { ApprovalRequest } from '../../src/agent/ports.js';
import type { SessionEvent } from '../../src/core/transcript/events.js';
import type { ApprovalOption } from '../../src/core/transcript/model.js';

const usual: readonly ApprovalOption[] = [
  { optionId: 'na', name: 'Never', kind: 'reject_always' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
];

function setUp(): { approvals: Approvals; events: SessionEvent[]; owner: (key: string) => ApprovalOwner } {
  const events: SessionEvent[] = [];
  const owner = (key: string): ApprovalOwner => ({
    key,
    agentName: 'Agent',
    emit: (event) => events.push(event),
    now: () => 1,
  });
  return { approvals: new Approvals(), events, owner };
}

function request(signal: AbortSignal, options: readonly ApprovalOption[] = usual): ApprovalRequest {
  return { origin: 'agent', verb: 'edit', title: 'Edit a.ts?', paths: [], options, marks: [], signal };
}

const never = new AbortController().signal;

describe('approvals', () => {
  it('B70 keeps two requests apart, whichever is answered first', async () => {
    const { approvals, owner } = setUp();
    const gate = approvals.gate(owner('s1'));
    const first = gate.ask(request(never));
    const second = gate.ask(request(never));
    const [a, b] = approvals.pending.map(({ approval }) => approval.approvalId);
    assert.ok(a !== undefined && b !== undefined);
    assert.equal(approvals.answer(b, 'y'), true);
    assert.equal(approvals.answer(a, 'n'), true);
    assert.deepEqual(await second, { outcome: 'allowed', by: 'person', optionId: 'y' });
    assert.deepEqual(await first, { outcome: 'denied', by: 'person', optionId: 'n' });
  });

  it('B72 withdraws what its signal ends, and only that', async () => {
    const { approvals, owner, events } = setUp();
    const turn = new AbortController();
    const first = approvals.gate(owner('s1')).ask(request(turn.signal));
    const second = approvals.gate(owner('s1')).ask(request(turn.signal));
    void approvals.gate(owner('s2')).ask(request(never));
    turn.abort(new Withdrawal('cancel'));
    assert.deepEqual(await first, { outcome: 'cancelled', by: 'cancel' });
    assert.deepEqual(await second, { outcome: 'cancelled', by: 'cancel' });
    assert.deepEqual(
      approvals.pending.map(({ owner: { key } }) => key),
      ['s2'],
    );
    assert.equal(events.filter(({ type }) => type === 'approvalSettled').length, 2);
  });

  it('B74 denies with the one option that rejects once, never with one that rejects for good', async () => {
    const { approvals, owner } = setUp();
    const asked = approvals.gate(owner('s1')).ask(request(never));
    assert.equal(approvals.decide('a1', 'reject_once'), true);
    assert.deepEqual(await asked, { outcome: 'denied', by: 'person', optionId: 'n' });
    const only = approvals.gate(owner('s1')).ask(request(never, usual.slice(0, 1)));
    approvals.decide('a2', 'reject_once');
    assert.deepEqual(await only, { outcome: 'denied', by: 'person' });
  });

  it('settles once: what comes later is refused and changes nothing', async () => {
    const { approvals, owner, events } = setUp();
    const asked = approvals.gate(owner('s1')).ask(request(never));
    assert.equal(approvals.decide('a1', 'allow_once'), true);
    assert.equal(approvals.decide('a1', 'reject_once'), false);
    assert.equal(approvals.answer('a1', 'n'), false);
    assert.equal((await asked).outcome, 'allowed');
    assert.equal(events.filter(({ type }) => type === 'approvalSettled').length, 1);
  });

  it('B76 does not allow by the plain button where several options allow once', async () => {
    const { approvals, owner } = setUp();
    const options: ApprovalOption[] = ['A', 'B', 'C'].map((name) => ({
      optionId: name,
      name: `Plan ${name}`,
      kind: 'allow_once',
    }));
    const asked = approvals.gate(owner('s1')).ask(request(never, options));
    assert.equal(approvals.decide('a1', 'allow_once'), false);
    assert.equal(approvals.answer('a1', 'B'), true);
    assert.deepEqual(await asked, { outcome: 'allowed', by: 'person', optionId: 'B' });
  });

  it('takes no answer by an id that is offered twice', () => {
    const { approvals, owner } = setUp();
    const twice: ApprovalOption[] = [
      { optionId: 'x', name: 'Yes', kind: 'allow_once' },
      { optionId: 'x', name: 'No', kind: 'reject_once' },
    ];
    void approvals.gate(owner('s1')).ask(request(never, twice));
    assert.equal(approvals.answer('a1', 'x'), false);
  });

  it('lets the preparation decide, or add what it found; a late one changes nothing', async () => {
    const { approvals, owner, events } = setUp();
    const gate = approvals.gate(owner('s1'));
    const decided = gate.ask({
      ...request(never),
      prepare: () => Promise.resolve({ decision: { outcome: 'allowed', by: 'policy', optionId: 'y' } }),
    });
    assert.deepEqual(await decided, { outcome: 'allowed', by: 'policy', optionId: 'y' });
    void gate.ask({ ...request(never), prepare: () => Promise.resolve({ facts: { resolvesTo: '/w/b.ts' } }) });
    assert.equal(approvals.find('a2')?.approval.preparing, true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(approvals.find('a2')?.approval.preparing, undefined);
    assert.equal(approvals.find('a2')?.approval.resolvesTo, '/w/b.ts');
    const failing = gate.ask({ ...request(never), prepare: () => Promise.reject(new Error('gone')) });
    approvals.decide('a3', 'reject_once');
    assert.equal((await failing).outcome, 'denied');
    assert.equal(events.filter(({ type }) => type === 'approvalUpdated').length, 1);
  });

  it('4.5.9 is withdrawn also while it is still looked at, and what the look finds then changes nothing', async () => {
    const { approvals, owner, events } = setUp();
    const turn = new AbortController();
    let found = (): void => undefined;
    const asked = approvals.gate(owner('s1')).ask({
      ...request(turn.signal),
      prepare: () =>
        new Promise((resolve) => {
          found = () => resolve({ decision: { outcome: 'allowed', by: 'policy', optionId: 'y' } });
        }),
    });
    turn.abort(new Withdrawal('cancel'));
    assert.deepEqual(await asked, { outcome: 'cancelled', by: 'cancel' });
    found();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(approvals.pending, []);
    assert.equal(events.filter(({ type }) => type === 'approvalSettled').length, 1);
  });
});
