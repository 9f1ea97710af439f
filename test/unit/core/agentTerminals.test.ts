import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { limits } from '../../../src/core/text/limits.js';
import { terminalOf } from '../../../src/core/transcript/agentTerminals.js';
import { findTool, type TerminalView, type Transcript } from '../../../src/core/transcript/model.js';
import { TurnBudget } from '../../../src/agent/turnBudget.js';
import { ended, fold, sent, wire } from './events.js';

const call = (id: string, more: object = {}): object => ({
  sessionUpdate: 'tool_call',
  toolCallId: id,
  title: 'run',
  kind: 'execute',
  status: 'in_progress',
  ...more,
});
const update = (id: string, meta: unknown, more: object = {}): object => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  _meta: meta,
  ...more,
});
const output = (id: string, data: unknown): object => update(id, { terminal_output: { terminal_id: id, data } });
const delta = (id: string, data: string): object => update(id, { terminal_output_delta: { terminal_id: id, data } });
const exit = (id: string, code: unknown, signal: unknown = null): object =>
  update(id, { terminal_exit: { terminal_id: id, exit_code: code, signal } });
const shows = (id: string): object => ({ content: [{ type: 'terminal', terminalId: id }] });

const turn = (...updates: readonly object[]): Transcript => fold([sent('go'), ...wire(...updates)]);
const shown = (t: Transcript, id: string): TerminalView => {
  const entry = findTool(t, id);
  ok(entry !== undefined, `no card for ${id}`);
  const found = terminalOf(entry, t.terminals);
  ok(found !== undefined, `no terminal for ${id}`);
  return found;
};

describe('oddity 11: terminals that an agent tells of in _meta', () => {
  it('oddity 11: shows what Claude says of its own command, once and with its exit code', () => {
    const t = turn(
      call('a', { ...shows('a'), _meta: { claudeCode: { toolName: 'Bash' }, terminal_info: { terminal_id: 'a' } } }),
      output('a', 'Exit code 3\nout\nerr'),
      exit('a', 3),
    );
    const terminal = shown(t, 'a');
    deepStrictEqual(
      [terminal.tail, terminal.lines, terminal.exit],
      ['Exit code 3\nout\nerr', 2, { code: 3, signal: null }],
    );
    ok(terminal.endedAt !== undefined);
  });

  it('oddity 11: appends the pieces of pi and Codex, and shows a command that names its terminal only later', () => {
    const t = turn(
      call('pi', shows('pi')),
      output('pi', 'one\n'),
      output('pi', 'two\n'),
      exit('pi', 1),
      call('cx'),
      delta('cx', 'begin\n'),
      delta('cx', 'begin\n'),
    );
    equal(shown(t, 'pi').tail, 'one\ntwo\n');
    equal(shown(t, 'cx').tail, 'begin\nbegin\n', 'the same line twice is two lines');
    equal(shown(t, 'cx').exit, undefined);
  });

  it('oddity 11: takes an output that is told whole again for what it is', () => {
    const t = turn(
      call('a', shows('a')),
      output('a', 'one\n'),
      output('a', 'one\ntwo\n'),
      output('a', 'one\ntwo\nthree\n'),
    );
    deepStrictEqual([shown(t, 'a').tail, shown(t, 'a').lines], ['one\ntwo\nthree\n', 3]);
  });

  it('oddity 11: shows the output that comes whole with the result, over pieces that lack its beginning', () => {
    const result = { aggregated_output: 'one\ntwo\n', stdout: 'one\ntwo\n', exit_code: 3 };
    const t = turn(
      call('a', { ...shows('a'), _meta: { terminal_info: { terminal_id: 'a' } } }),
      output('a', 'two\n'),
      update('a', { terminal_exit: { terminal_id: 'a', exit_code: 3 } }, { status: 'failed', rawOutput: result }),
      call('b', { content: [{ type: 'content', content: { type: 'text', text: 'words of the question' } }] }),
      update('b', undefined, { status: 'failed', rawOutput: result }),
      call('c'),
      update('c', undefined, { status: 'completed', rawOutput: { exit_code: 0, aggregated_output: 7 } }),
    );
    for (const id of ['a', 'b']) {
      const { tail, lines, exit: end } = shown(t, id);
      deepStrictEqual([tail, lines, end], ['one\ntwo\n', 2, { code: 3, signal: null }], id);
    }
    equal(t.terminals.length, 2);
  });

  it('oddity 11: counts a command as ended when the turn is, and keeps an end that was told', () => {
    const t = fold(
      [ended('cancelled')],
      turn(call('a', shows('a')), delta('a', 'begin\n'), call('b', shows('b')), exit('b', 0)),
    );
    deepStrictEqual(shown(t, 'a').exit, { code: null, signal: null });
    deepStrictEqual(shown(t, 'b').exit, { code: 0, signal: null });
    deepStrictEqual(shown(fold(wire(exit('b', 9)), t), 'b').exit, { code: 0, signal: null });
  });

  it('oddity 11: never touches a terminal of the host, whatever it is called', () => {
    const host = { type: 'terminalStarted', at: 2, terminalId: 't1', command: 'npm test' } as const;
    const before = fold([sent('go'), host, ...wire(call('a', shows('t1')))]);
    const t = fold(
      wire(
        update('a', {
          terminal_info: { terminal_id: 't1', cwd: '/x' },
          terminal_output: { terminal_id: 't1', data: 'all passed\n' },
        }),
        exit('t1', 0),
        update('a', { terminal_output: { terminal_id: 'agent:t1', data: 'x' } }),
      ),
      before,
    );
    deepStrictEqual(
      t.terminals.find(({ terminalId }) => terminalId === 't1'),
      before.terminals[0],
    );
    equal(shown(t, 'a').command, 'npm test', 'the card shows the terminal of the host');
  });

  it('oddity 11: makes room among its own, never by ending one of the host', () => {
    const host = { type: 'terminalStarted', at: 2, terminalId: 't1', command: 'npm test' } as const;
    const many = Array.from({ length: limits.terminals * 2 }, (_, i) => delta(`x${i}`, 'y\n'));
    const t = fold([sent('go'), host, ...wire(...many)]);
    ok(t.terminals.some(({ terminalId }) => terminalId === 't1'));
    equal(t.terminals.length, limits.terminals + 1);
  });

  it('oddity 11: bounds what is kept, and says that the beginning is gone', () => {
    const t = turn(call('a', shows('a')), delta('a', 'x'.repeat(limits.terminalTail)), delta('a', 'end'));
    const terminal = shown(t, 'a');
    equal(terminal.tail.length, limits.terminalTail);
    ok(terminal.tail.endsWith('xend') && terminal.truncated);
    const fits = turn(call('a', shows('a')), delta('a', 'x'.repeat(limits.terminalTail)));
    const over = turn(call('a', shows('a')), delta('a', 'y'.repeat(limits.terminalTail + 1)));
    deepStrictEqual([shown(fits, 'a').truncated, shown(over, 'a').truncated], [false, true], 'in one piece');
  });

  it('oddity 11: passes over what is not of the shape', () => {
    for (const meta of [
      null,
      7,
      [],
      {},
      { terminal_output: 'x' },
      { terminal_output: { data: 7 } },
      { terminal_exit: [] },
    ]) {
      const t = turn(call('a'), update('a', meta));
      ok(
        t.terminals.every(({ tail }) => tail === ''),
        JSON.stringify(meta),
      );
    }
    const odd = turn(call('a', shows('a')), exit('a', '3', 5));
    deepStrictEqual(shown(odd, 'a').exit, { code: null, signal: null });
    deepStrictEqual(turn(call('a'), output('x'.repeat(limits.identifier + 1), 'y')).terminals, []);
  });

  it('oddity 11: counts the output for the budget of the turn, and takes the end of a command over it', () => {
    const budget = new TurnBudget(10);
    const events = [...wire(delta('a', 'x'.repeat(11))), ...wire(delta('a', 'y')), ...wire(exit('a', 0))];
    const admitted = events.filter(({ type }) => type === 'agentTerminal').map((event) => budget.admit(event));
    deepStrictEqual(admitted, ['last', 'drop', 'take']);
  });
});
