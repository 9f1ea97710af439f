import { deepEqual, equal } from 'node:assert/strict';
import { Approvals, Withdrawal } from '../../../src/agent/approvals.js';
import type { Decision } from '../../../src/agent/ports.js';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { ApprovalDialogs } from '../../../src/host/approvalDialogs.js';
import type { DialogButton, DialogText } from '../../../src/host/dialogText.js';
import { editRequest, folder, settled } from './parts.js';

/** Dialogs that a test answers, and a clock that it sets. */
function fixture() {
  const approvals = new Approvals();
  const events: SessionEvent[] = [];
  const owner = { key: 's', agentName: 'Claude', emit: (event: SessionEvent) => events.push(event), now: () => 0 };
  const shown: { text: DialogText; press: (button: DialogButton) => void }[] = [];
  const told: string[] = [];
  const reviewed: string[] = [];
  const revealed: string[] = [];
  const open: boolean[] = [];
  const state = { wanted: true, now: 100_000 };
  const dialogs = new ApprovalDialogs({
    approvals,
    show: (text) => new Promise<DialogButton>((press) => shown.push({ text, press })),
    tell: (message) => void told.push(message),
    review: (id) => void reviewed.push(id),
    reveal: (id) => void revealed.push(id),
    folder: () => folder,
    wanted: () => state.wanted,
    remember: (isOpen) => void open.push(isOpen),
    now: () => state.now,
  });
  const ask = (abort = new AbortController()): { abort: AbortController; answer: Promise<Decision> } => ({
    abort,
    answer: approvals.gate(owner).ask(editRequest(abort.signal)),
  });
  return { approvals, dialogs, shown, told, reviewed, revealed, open, state, ask };
}

describe('approval dialogs', () => {
  it('ask one at a time, and say how many wait behind', async () => {
    const { approvals, shown, ask } = fixture();
    const first = ask();
    const second = ask();
    equal(shown.length, 1);
    shown[0]!.press('allow');
    await settled();
    equal((await first.answer).outcome, 'allowed');
    equal(shown.length, 2);
    shown[1]!.press('deny');
    equal((await second.answer).outcome, 'denied');
    equal(approvals.pending.length, 0);
  });

  it('B79 Not Now and Escape decide nothing: the request waits, its card is shown, and no dialog covers it', async () => {
    const { approvals, shown, revealed, ask } = fixture();
    ask();
    ask();
    shown[0]!.press('notNow');
    await settled();
    deepEqual(revealed, ['a1']);
    equal(approvals.pending.length, 2);
    equal(shown.length, 1);
    approvals.decide('a1', 'allow_once');
    equal(shown.length, 2);
  });

  it('Review decides nothing and opens the review', async () => {
    const { approvals, shown, reviewed, ask } = fixture();
    ask();
    shown[0]!.press('review');
    await settled();
    deepEqual(reviewed, ['a1']);
    equal(approvals.pending.length, 1);
  });

  it('tell a late click that nothing was done, and keep the next one waiting until the dialog is closed', async () => {
    const { shown, told, ask } = fixture();
    const { abort, answer } = ask();
    ask();
    abort.abort(new Withdrawal('agent'));
    deepEqual(await answer, { outcome: 'cancelled', by: 'agent' });
    equal(shown.length, 1);
    shown[0]!.press('allow');
    await settled();
    deepEqual(told, ['Claude no longer needs this. Nothing was done.']);
    equal(shown.length, 2);
  });

  it('say nothing where a dialog of a withdrawn request is only closed', async () => {
    const { shown, told, revealed, ask } = fixture();
    const { abort } = ask();
    abort.abort(new Withdrawal('cancel'));
    shown[0]!.press('notNow');
    await settled();
    deepEqual([told, revealed], [[], []]);
  });

  it('B80 open no dialog within a second of a key in the composer', () => {
    const { dialogs, shown, state, ask } = fixture();
    dialogs.typed();
    ask();
    equal(shown.length, 0);
    state.now += 999;
    dialogs.pump();
    equal(shown.length, 0);
    state.now += 1;
    dialogs.pump();
    equal(shown.length, 1);
    dialogs.dispose();
  });

  it('leave the cards alone where dialogs are off, and begin when they are turned on', () => {
    const { dialogs, shown, state, ask } = fixture();
    state.wanted = false;
    ask();
    equal(shown.length, 0);
    state.wanted = true;
    dialogs.pump();
    equal(shown.length, 1);
  });

  it('wait for a request that is still being looked into', async () => {
    const { approvals, shown } = fixture();
    let ready = (): void => undefined;
    const prepared = new Promise<object>((resolve) => {
      ready = () => resolve({});
    });
    const owner = { key: 's', agentName: 'Claude', emit: () => undefined, now: () => 0 };
    void approvals.gate(owner).ask({ ...editRequest(new AbortController().signal), prepare: () => prepared });
    equal(shown.length, 0);
    ready();
    await settled();
    equal(shown.length, 1);
  });

  it('remember that a dialog is open for a host that comes after', async () => {
    const { shown, open, ask } = fixture();
    ask();
    deepEqual(open, [true]);
    shown[0]!.press('deny');
    await settled();
    deepEqual(open, [true, false]);
  });

  it('answer nothing after they were disposed', async () => {
    const { approvals, dialogs, shown, ask } = fixture();
    ask();
    dialogs.dispose();
    shown[0]!.press('allow');
    await settled();
    equal(approvals.pending.length, 1);
  });
});
