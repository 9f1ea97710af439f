import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { findTool, type Transcript } from '../../../src/core/transcript/model.js';
import { approval, ended, fold, notice, outline, said, sent, tool, wire } from './events.js';

const noticeShown: SessionEvent = { type: 'noticeShown', at: 300, notice };
const settled = (approvalId: string, outcome: 'allowed' | 'denied' | 'cancelled'): SessionEvent => ({
  type: 'approvalSettled',
  at: 300,
  approvalId,
  outcome,
  by: 'person',
});

describe('reduce: approvals, plan, files', () => {
  it('B148 keeps the order of one write: a, x, b, request, c', () => {
    const t = fold([
      sent('go'),
      said('a'),
      tool('x', { title: 'X' }),
      said('b'),
      { type: 'approvalRequested', at: 250, approval: approval('p1', 'x') },
      said('c'),
      ended(),
    ]);
    deepStrictEqual(outline(t), ['user:go', 'assistant:a', 'tool:x:interrupted', 'assistant:bc']);
    equal(findTool(t, 'x')?.asked, true);
    equal(t.turn.state, 'idle');
    deepStrictEqual(fold([ended('cancelled', 9_999)], t), t);
  });

  it('keeps requests until they are settled, and says on the card who decided', () => {
    const asked = fold([
      tool('x', { title: 'X' }),
      { type: 'approvalRequested', at: 250, approval: approval('p1', 'x') },
      { type: 'approvalRequested', at: 251, approval: approval('p2') },
      { type: 'approvalUpdated', at: 252, approval: { ...approval('p1', 'x'), title: 'more' } },
    ]);
    deepStrictEqual(
      asked.approvals.map((one) => [one.approvalId, one.title]),
      [
        ['p1', 'more'],
        ['p2', 'edit a.ts'],
      ],
    );
    const t = fold([settled('p1', 'allowed'), settled('p2', 'cancelled'), settled('p2', 'denied')], asked);
    equal(t.approvals.length, 0);
    deepStrictEqual(findTool(t, 'x')?.provenance, { by: 'person', outcome: 'allowed' });
  });

  it('settles a denied call as cancelled where the agent says nothing more', () => {
    const t = fold([
      sent('go'),
      tool('x', { title: 'X' }),
      { type: 'approvalRequested', at: 250, approval: approval('p', 'x') },
      settled('p', 'denied'),
      ended(),
    ]);
    equal(findTool(t, 'x')?.status, 'cancelled');
  });

  it('B106 replaces the plan: 3, 1, none', () => {
    const plan = (...entries: string[]): SessionEvent[] =>
      wire({
        sessionUpdate: 'plan',
        entries: entries.map((content) => ({ content, priority: 'medium', status: 'pending' })),
      });
    const three = fold(plan('Read it', 'Change it', 'Test it'));
    equal(three.plan.length, 3);
    const one = fold(plan('Write a poem'), three);
    deepStrictEqual(
      one.plan.map((step) => step.content),
      ['Write a poem'],
    );
    equal(fold(plan(), one).plan.length, 0);
    equal(fold(plan('Again'), fold(plan(), one)).plan.length, 1);
  });

  it('recognises steps by their words, then by place and likeness', () => {
    const plan = (at: number, ...entries: [string, string][]): SessionEvent => ({
      type: 'planChanged',
      at,
      entries: entries.map(([content, status]) => ({ content, priority: 'medium', status })),
    });
    const first = fold([plan(1, ['Read the parser', 'in_progress'], ['Fix the bug', 'pending'], ['Test', 'pending'])]);
    const ids = first.plan.map((step) => step.id);
    ok(first.plan.every((step) => step.change === undefined));
    const second = fold(
      [
        plan(
          5,
          ['Test', 'pending'],
          ['Fix the bug in parse.ts', 'in_progress'],
          ['Read the parser', 'completed'],
          ['Ship', 'odd'],
        ),
      ],
      first,
    );
    deepStrictEqual(
      second.plan.slice(0, 3).map((step) => step.id),
      [ids[2], ids[1], ids[0]],
    );
    deepStrictEqual(
      second.plan.map((step) => step.change),
      [undefined, 'reworded', undefined, 'new'],
    );
    deepStrictEqual([second.plan[2]?.startedAt, second.plan[2]?.endedAt, second.plan[1]?.startedAt], [1, 5, 5]);
    equal(second.plan[3]?.status, 'odd');
    const third = fold([plan(6, ['Fix the bug in parse.ts', 'in_progress'])], second);
    deepStrictEqual([third.plan[0]?.change, third.plan[0]?.startedAt], [undefined, 5]);
  });

  it('moves a finished plan into the conversation with the next prompt, and keeps one with open steps', () => {
    const step = (status: string): SessionEvent => ({
      type: 'planChanged',
      at: 2,
      entries: [{ content: 'A', priority: 'low', status }],
    });
    const done = fold([sent('a'), step('completed'), ended()]);
    equal(done.plan.length, 1);
    const next = fold([sent('b')], done);
    deepStrictEqual([outline(next), next.plan.length], [['user:a', 'plan', 'user:b'], 0]);
    equal(fold([sent('a'), step('pending'), ended(), sent('b')]).plan.length, 1);
  });

  it('a step that a turn left in progress takes no time until a later turn takes it up, and then begins anew', () => {
    const plan = (at: number, a: string, b: string): SessionEvent => ({
      type: 'planChanged',
      at,
      entries: [
        { content: 'A', priority: 'low', status: a },
        { content: 'B', priority: 'low', status: b },
      ],
    });
    const times = (t: Transcript): unknown[] => t.plan.map(({ startedAt, endedAt }) => [startedAt, endedAt]);
    const left = fold([sent('a'), plan(10, 'completed', 'in_progress'), { ...ended('cancelled'), at: 30 }]);
    deepStrictEqual(times(left), [
      [undefined, undefined],
      [10, 30],
    ]);
    const next = fold([sent('b'), plan(90, 'in_progress', 'pending'), plan(95, 'completed', 'in_progress')], left);
    deepStrictEqual(times(next), [
      [90, 95],
      [95, undefined],
    ]);
  });

  it('counts files written through the host and edits that did not come that way', () => {
    const written: SessionEvent = { type: 'fileWritten', at: 300, path: '/w/a', canonical: '/w/a', outcome: 'done' };
    const edit = (id: string): SessionEvent => tool(id, { title: id, toolKind: 'edit', status: 'completed' });
    const t = fold([sent('a'), edit('1'), edit('2'), written, { ...written, outcome: 'refused' }, ended()]);
    deepStrictEqual(t.edits, { brokered: 1, direct: 1 });
    deepStrictEqual(fold([sent('b'), written, written, edit('3'), ended()], t).edits, { brokered: 3, direct: 1 });
  });

  it('says on the card of a path that the write came through the host', () => {
    const content = [{ type: 'diff' as const, path: '/w/a', oldText: null, newText: 'x' }];
    const t = fold([
      sent('a'),
      tool('e', { title: 'Edit', toolKind: 'edit', content }),
      { type: 'fileWritten', at: 300, path: '/w/a', canonical: '/w/a', outcome: 'done', provenance: { by: 'setting' } },
    ]);
    deepStrictEqual([findTool(t, 'e')?.asked, findTool(t, 'e')?.provenance], [true, { by: 'setting' }]);
  });
});

describe('reduce: turn, queue, agent', () => {
  it('runs a turn from its prompt to its end', () => {
    const queued = fold([
      { type: 'promptQueued', at: 0, promptId: 'q1', text: 'go' },
      { type: 'promptQueued', at: 0, promptId: 'q2', text: 'on' },
      { type: 'promptSent', at: 1, text: 'go', attachments: [], promptId: 'q1' },
      said('a'),
    ]);
    deepStrictEqual(
      queued.queue.map((prompt) => prompt.promptId),
      ['q2'],
    );
    deepStrictEqual(queued.turn, { state: 'running', number: 1, tools: 0, startedAt: 1, lastUpdateAt: 100 });
    const t = fold([{ type: 'promptUnqueued', at: 2, promptId: 'q2' }, ended('max_tokens')], queued);
    deepStrictEqual(
      [t.queue.length, t.turn.state, t.turn.stopReason, t.turn.endedAt],
      [0, 'idle', 'max_tokens', 9_000],
    );
  });

  it('ends everything when the agent is gone', () => {
    const t = fold([
      sent('go'),
      said('a'),
      tool('x', { title: 'X' }),
      { type: 'approvalRequested', at: 2, approval: approval('p', 'x') },
      { type: 'terminalStarted', at: 3, terminalId: 't', command: 'npm test' },
      { type: 'terminalOutput', at: 4, terminalId: 't', tail: 'ok', lines: 1, truncated: false },
      { type: 'agentExited', at: 5, code: 1, signal: null, stderrTail: [], notice },
    ]);
    deepStrictEqual(outline(t), ['user:go', 'assistant:a', 'tool:x:interrupted', 'notice']);
    deepStrictEqual([t.turn.state, t.approvals.length], ['failed', 0]);
    deepStrictEqual([t.terminals[0]?.tail, t.terminals[0]?.exit], ['ok', { code: null, signal: null }]);
    equal(fold([{ type: 'agentExited', at: 6, code: 0, signal: null, stderrTail: [] }]).turn.state, 'idle');
  });

  it('keeps a bounded number of terminals, and drops one that has ended first', () => {
    const start = (terminalId: string): SessionEvent => ({ type: 'terminalStarted', at: 1, terminalId, command: 'c' });
    const many = Array.from({ length: 64 }, (_, i) => start(`t${i}`));
    const t = fold([...many, { type: 'terminalExited', at: 2, terminalId: 't5', code: 0, signal: null }, start('new')]);
    equal(t.terminals.length, 64);
    ok(!t.terminals.some((terminal) => terminal.terminalId === 't5'));
    ok(t.terminals.some((terminal) => terminal.terminalId === 't0'));
  });

  it('B33 keeps commands that come before the session is known', () => {
    const t = fold([
      ...wire({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'plan', description: 'x' }] }),
      { type: 'sessionStarted', at: 1, sessionId: 'S1', modes: null, options: [] },
    ]);
    deepStrictEqual([t.commands[0]?.name, t.turn.state, t.sessionId], ['plan', 'idle', 'S1']);
  });

  it('does not take the host’s own notices for signs of life', () => {
    const t = fold([sent('go'), said('a'), noticeShown]);
    equal(t.turn.lastUpdateAt, 100);
  });
});
