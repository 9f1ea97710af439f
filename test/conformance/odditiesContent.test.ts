/** What real agents put into calls, diffs, ids and messages, and what is made of it. */
import assert from 'node:assert/strict';
import type { Json } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, selected } from './scenario.js';
import { allowing, blank, card, cards, methods, said } from './transcripts.js';

describe('oddities of content, diffs and ids', () => {
  cleanAfterEach();

  it('oddity 12: content replaces, an update with nothing but _meta changes nothing, ids may hold any sign', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('0:call_a__b', { title: 'WriteFile', kind: 'edit', rawInput: {} }),
        ...['{"pa', '{"path":"a', '{"path":"a.txt"}'].map((json) =>
          s.toolUpdate('0:call_a__b', { content: [s.textContent(json)] }),
        ),
        s.toolUpdate('0:call_a__b', { _meta: {} }),
        s.toolUpdate('0:call_a__b', { _meta: { claudeCode: { toolName: 'Write' } } }),
        s.toolUpdate('0:call_a__b', { title: 'WriteFile: a.txt', rawInput: { path: 'a.txt' } }),
        s.toolUpdate('0:call_a__b', { status: 'in_progress' }),
        s.toolUpdate('0:call_a__b', { status: 'in_progress' }),
        s.toolUpdate('0:call_a__b', { status: 'completed', content: [s.textContent('done')] }),
        s.toolUpdate('never announced', { _meta: {} }),
      ],
      prompts: ['go'],
    });
    const entry = card(run, '0:call_a__b');
    assert.deepEqual([entry['title'], entry['status']], ['WriteFile: a.txt', 'completed']);
    assert.deepEqual(entry['content'], [{ type: 'content', content: { type: 'text', text: 'done' } }]);
    assert.equal(cards(run).length, 1, 'nothing was said of the other one');
    assert.deepEqual(methods(run), ['initialize', 'session/new', 'session/prompt']);
  });

  it('oddity 13: a command is failed or completed as the agent says, with its output where it sent one', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('failed', { kind: 'execute', status: 'failed', content: [s.textContent('exit code 3')] }),
        s.toolCall('done', { kind: 'execute', status: 'completed', content: [], rawOutput: { exitCode: 3 } }),
        s.toolCall('bare', { kind: 'execute', status: 'completed', content: [] }),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(
      ['failed', 'done', 'bare'].map((id) => card(run, id)['status']),
      ['failed', 'completed', 'completed'],
    );
    assert.match(JSON.stringify(card(run, 'failed')['content']), /exit code 3/);
    assert.deepEqual(card(run, 'bare')['content'], []);
  });

  it('oddity 14: a snippet is not taken for the file, new files are new, and a line of 1.5 MB arrives', async () => {
    const whole = 'first\nsecond\nthird\n';
    const big = 'x'.repeat(750_000);
    const run = await scenario({
      agent: [
        s.toolCall('snippet', { kind: 'edit', title: 'E', content: [s.diff('{{cwd}}/a.txt', 'second', 'SECOND')] }),
        s.permission('snippet', s.usualOptions, { id: 'snippet' }),
        s.toolCall('null', { kind: 'edit', title: 'N', content: [s.diff('{{cwd}}/n.txt', null, 'new\n')] }),
        s.permission('null', s.usualOptions, { id: 'null' }),
        s.toolCall('empty', { kind: 'edit', title: 'M', content: [s.diff('{{cwd}}/m.txt', '', 'new\n')] }),
        s.permission('empty', s.usualOptions, { id: 'empty' }),
        s.toolCall('old', { kind: 'edit', title: 'O', content: [s.diff('{{cwd}}/a.txt', null, 'all of it\n')] }),
        s.permission('old', s.usualOptions, { id: 'old' }),
        s.toolCall('big', { kind: 'edit', status: 'completed', content: [s.diff('{{cwd}}/b.txt', big, `${big}y`)] }),
        s.text('after'),
      ],
      files: { 'a.txt': whole },
      prompts: ['go'],
      options: ['--write', 'ask', ...allowing],
    });
    const [snippet, fresh, empty] = run
      .events('approvalUpdated')
      .map(
        ({ diff }) =>
          diff as { added: number; removed: number; isNew: boolean; lines: { sign: string; number?: number }[] },
      );
    assert.deepEqual([snippet?.added, snippet?.removed, snippet?.isNew], [1, 1, false]);
    assert.deepEqual(
      snippet?.lines.filter(({ sign }) => sign === '-').map(({ number }) => number),
      [2],
    );
    assert.deepEqual([fresh?.isNew, fresh?.removed, empty?.removed], [true, 0, 0]);
    // By the file as it is, whatever the agent calls it.
    assert.deepEqual(
      run.events('approvalUpdated').map(({ verb, title }) => [verb, title]),
      [
        ['edit', 'Edit a.txt?'],
        ['create', 'Create n.txt?'],
        ['create', 'Create m.txt?'],
        ['edit', 'Edit a.txt?'],
      ],
    );
    assert.equal(card(run, 'big')['status'], 'completed');
    assert.deepEqual(said(run), ['after']);
    assert.equal(run.file('a.txt'), whole, 'asking changes nothing');
  });

  it('oddity 20: answers each request with its own id and type, zero, text and the host’s own numbers among them', async () => {
    const ids: readonly Json[] = [0, '0', 1, 2, '550e8400-e29b-41d4-a716-446655440000', 4_294_967_296];
    const run = await scenario({
      agent: [
        ...ids.map((id, i) =>
          s.permission({ toolCallId: `t${String(i)}`, title: 'T', kind: 'edit' }, s.usualOptions, { id, wait: false }),
        ),
        ...ids.map((id) => s.waitResponse(id)),
      ],
      prompts: ['go'],
      options: allowing,
    });
    for (const id of ids) {
      assert.deepEqual(run.answerTo(id).result, selected('yes'), JSON.stringify(id));
    }
    assert.deepEqual(
      run.events('turnEnded').map(({ stopReason }) => stopReason),
      ['end_turn'],
    );
  });

  it('oddity 22: an id begins a message, an empty piece is none, and usage in _meta does no harm', async () => {
    const run = await scenario({
      agent: [
        s.text('one', 'm1'),
        s.text(' more', 'm1'),
        s.text('', 'm2'),
        s.update({ ...blank('agent_message_chunk', ''), _meta: { usage: { totalTokens: 7 } } }),
        s.text('two', 'm2'),
        s.toolCall('t', { title: 'T', status: 'completed' }),
        s.text('three', 'm3'),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(said(run), ['one more', 'two', 'three']);
  });
});
