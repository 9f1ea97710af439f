import { deepEqual, equal, match } from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript, type Transcript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { droppedSteps, planItems, planProgress, stepsLeft } from '../../../src/host/planItems.js';
import { editApproval } from './parts.js';

const none = (): undefined => undefined;
const fold = (...events: SessionEvent[]): Transcript => events.reduce(reduce, emptyTranscript);
const prompt: SessionEvent = { type: 'promptSent', at: 0, text: 'go', attachments: [] };
const plan = (at: number, ...steps: [string, string, string?][]): SessionEvent => ({
  type: 'planChanged',
  at,
  entries: steps.map(([content, status, priority = 'medium']) => ({ content, status, priority })),
});
const call = (at: number, toolCallId: string, title: string): SessionEvent => ({
  type: 'toolChanged',
  at,
  patch: { toolCallId, title, toolKind: 'edit', status: 'in_progress' },
});

describe('plan items', () => {
  const steps = fold(
    prompt,
    plan(0, ['Find', 'in_progress'], ['Fix', 'pending', 'high'], ['Tell', 'pending', 'low']),
    plan(12_000, ['Find', 'completed'], ['Fix', 'in_progress', 'high'], ['Tell', 'pending', 'low']),
    call(13_000, 't1', 'Edit parse.ts'),
  );

  it('show status, priority unless it is medium, and the time of each step', () => {
    const items = planItems(steps, [], 'Claude', 54_000, none);
    deepEqual(
      items.map(({ label, icon, description }) => [label, icon, description]),
      [
        ['Find', 'pass', '0:12'],
        ['Fix', 'loading~spin', 'high · 0:42'],
        ['Tell', 'circle-large', 'low'],
      ],
    );
    equal(items[1]?.accessibleName, 'Fix, in progress, high priority, 42 seconds, step 2 of 3');
  });

  it('put the calls of a step below it, and say which of them needs an answer', () => {
    const asking = reduce(steps, {
      type: 'approvalRequested',
      at: 14_000,
      approval: editApproval({ toolCallId: 't1' }),
    });
    const [, fix] = planItems(asking, [], 'Claude', 14_000, none);
    deepEqual(
      fix?.children.map(({ label, icon, description, toolCallId }) => [label, icon, description, toolCallId]),
      [['Edit parse.ts', 'shield', 'needs your answer', 't1']],
    );
  });

  it('add up the lines that the finished calls of a step changed', () => {
    const done = reduce(steps, { type: 'toolChanged', at: 15_000, patch: { toolCallId: 't1', status: 'completed' } });
    const [, fix] = planItems(done, [], 'Claude', 16_000, () => ({ added: 3, removed: 1 }));
    equal(fix?.description, 'high · 0:04 · +3 −1');
  });

  it('keep the id of a step over updates that replace the whole plan', () => {
    const before = planItems(steps, [], 'Claude', 0, none).map(({ id }) => id);
    const again = reduce(
      steps,
      plan(20_000, ['Find', 'completed'], ['Fix it well', 'in_progress'], ['Tell', 'pending']),
    );
    const items = planItems(again, [], 'Claude', 20_000, none);
    deepEqual(
      items.map(({ id }) => id),
      before,
    );
    match(items[1]?.description ?? '', /reworded/);
  });

  it('keep a dropped step in sight, where it stood', () => {
    const after = reduce(steps, plan(20_000, ['Find', 'completed'], ['Tell', 'pending']));
    const items = planItems(after, droppedSteps(steps.plan, after.plan), 'Claude', 20_000, none);
    deepEqual(
      items.map(({ label, icon, description }) => [label, icon, description.includes('dropped by Claude')]),
      [
        ['Find', 'pass', false],
        ['Fix', 'circle-slash', true],
        ['Tell', 'circle-large', false],
      ],
    );
  });

  it('show a status and a priority that nobody knows as such', () => {
    const [item] = planItems(fold(prompt, plan(0, ['X', 'paused', 'urgent'])), [], 'Claude', 0, none);
    deepEqual([item?.icon, item?.description, item?.open], ['question', 'urgent', false]);
  });

  it('stop the clock of a step that the turn left open', () => {
    const ended = reduce(steps, { type: 'turnEnded', at: 30_000, stopReason: 'end_turn' });
    const [, fix] = planItems(ended, [], 'Claude', 999_000, none);
    deepEqual([fix?.icon, fix?.description, fix?.open], ['debug-disconnect', 'high · 0:18', false]);
  });

  it('show a label of one bounded line, and the whole text in the tooltip', () => {
    const text = `a\n${'b'.repeat(500)}`;
    const [item] = planItems(fold(prompt, plan(0, [text, 'pending'])), [], 'Claude', 0, none);
    equal(item?.tooltip, text);
    equal(item?.label.includes('\n'), false);
    equal((item?.label.length ?? 0) <= 200, true);
  });

  it('count progress', () => {
    equal(planProgress(steps.plan), '1 of 3');
    equal(stepsLeft(steps.plan), 2);
    equal(planProgress([]), undefined);
  });
});
