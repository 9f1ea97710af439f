/** How real agents announce, change and end tool calls and messages, and what the host sends back. */
import assert from 'node:assert/strict';
import type { JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cancelled, cleanAfterEach, scenario, selected } from './scenario.js';
import { allowing, blank, card, cards, methods, said, statuses } from './transcripts.js';

const inSession = (sessionId: string, update: JsonObject) => ({ do: 'update' as const, sessionId, update });

describe('oddities of tool calls, questions and messages', () => {
  cleanAfterEach();

  it('oddity 1: takes updates that come before the session has an id, in order, and asks for nothing more', async () => {
    const commands = {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'plan', description: 'p' }],
    };
    const run = await scenario({
      agent: {
        on: {
          'session/new': [
            inSession('s-1', commands),
            inSession('s-1', { sessionUpdate: 'session_info_update', title: 'Early' }),
            inSession('other', { sessionUpdate: 'session_info_update', title: 'Not ours' }),
            s.respond({ sessionId: 's-1' }),
          ],
        },
        prompts: [{ steps: [s.text('hi')] }],
      },
      prompts: ['go'],
    });
    const names = run.lines.map(({ event }) => event);
    assert.ok(names.indexOf('sessionStarted') < names.indexOf('commandsChanged'));
    assert.deepEqual(
      run.events('commandsChanged').map(({ commands: all }) => (all as { name: string }[])[0]?.name),
      ['plan'],
    );
    assert.equal(run.transcript['title'], 'Early');
    assert.deepEqual(methods(run), ['initialize', 'session/new', 'session/prompt']);
  });

  it('oddity 2: takes updates between turns, and opens no message for blank text before the first prompt', async () => {
    const run = await scenario({
      agent: {
        on: { 'session/new': [s.respond({ sessionId: 's' }), inSession('s', blank('agent_message_chunk'))] },
        prompts: [
          {
            steps: [
              s.text('one'),
              s.respond({ stopReason: 'end_turn' }),
              s.update({ sessionUpdate: 'usage_update', used: 5, size: 10 }),
              s.update({ sessionUpdate: 'session_info_update', title: 'After' }),
            ],
          },
          { steps: [s.text('two')] },
        ],
      },
      prompts: ['a', 'b'],
    });
    assert.deepEqual(
      said(run).map((text) => String(text).trim()),
      ['one', 'two'],
    );
    assert.equal(run.transcript['title'], 'After');
    assert.equal(run.events('usageChanged').length, 1);
    assert.deepEqual(
      run.events('turnEnded').map(({ stopReason }) => stopReason),
      ['end_turn', 'end_turn'],
    );
  });

  it('oddity 3: a question announces the call; the call announced again is the same, and never goes back', async () => {
    const run = await scenario({
      agent: [
        // Gemini: nothing but updates after the question.
        s.permission({ toolCallId: 'write__1', title: 'Write', kind: 'edit' }, s.usualOptions, { id: 'g' }),
        s.toolUpdate('write__1', { status: 'completed' }),
        // The older Codex: announced after it.
        s.permission({ toolCallId: 'x', title: 'Run', kind: 'execute' }, s.usualOptions, { id: 'c' }),
        s.toolCall('x', { title: 'Run', kind: 'execute', status: 'in_progress' }),
        s.toolUpdate('x', { status: 'completed' }),
        // Cline: an update, the question, progress, and only then the announcement as pending.
        s.toolUpdate('0:call', { title: 'Edit', kind: 'edit', status: 'pending' }),
        s.permission('0:call', s.usualOptions, { id: 'n' }),
        s.toolUpdate('0:call', { status: 'in_progress' }),
        s.toolCall('0:call', { title: 'Edit', kind: 'edit', status: 'pending' }),
        s.toolUpdate('0:call', { status: 'completed' }),
        s.toolCall('0:call', { title: 'Edit', kind: 'edit', status: 'pending' }),
      ],
      prompts: ['go'],
      options: allowing,
    });
    for (const [id, request] of [
      ['write__1', 'g'],
      ['x', 'c'],
      ['0:call', 'n'],
    ] as const) {
      assert.equal(card(run, id)['status'], 'completed', id);
      assert.deepEqual(run.answerTo(request).result, selected('yes'));
    }
    const order = ['pending', 'in_progress', 'completed'];
    const seen = statuses(run, '0:call').map((status) => order.indexOf(String(status)));
    assert.deepEqual(seen, [...seen].sort(), 'a status never goes back');
    assert.deepEqual(
      cards(run).map(({ toolCallId }) => toolCallId),
      ['write__1', 'x', '0:call'],
    );
  });

  it('oddity 4: a question with little is read with what was said before, and one with other words over it', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('d', { title: 'Edit a.txt', kind: 'edit', content: [s.diff('{{cwd}}/a.txt', 'old\n', 'new\n')] }),
        s.permission('d', s.usualOptions, { id: 'd' }),
        s.toolCall('t', { title: 'bash', kind: 'execute', rawInput: { command: 'ls' } }),
        s.permission({ toolCallId: 't', title: 'Run ls', rawInput: { command: 'ls -la' } }, s.usualOptions, {
          id: 't',
        }),
      ],
      files: { 'a.txt': 'old\n' },
      prompts: ['go'],
      options: ['--write', 'ask', ...allowing],
    });
    const [edit, command] = run.events('approvalUpdated');
    assert.deepEqual([edit?.['verb'], edit?.['paths']], ['edit', [`${run.cwd}/a.txt`]]);
    assert.match(JSON.stringify(edit?.['diff']), /"added":1,"removed":1/);
    assert.deepEqual([command?.['verb'], command?.['command']], ['execute', 'ls -la']);
    assert.equal(card(run, 't')['title'], 'Run ls');
    assert.deepEqual([run.answerTo('d').result, run.answerTo('t').result], [selected('yes'), selected('yes')]);
  });

  it('oddity 5: picks by kind, never by place or name, and never where two options allow once', async () => {
    const lasting = { optionId: 'proceed_always', name: 'Allow for this session', kind: 'allow_always' };
    const project = { optionId: 'proceed_always_project', name: 'Always allow here', kind: 'allow_always' };
    const once = { optionId: 'proceed_once', name: 'Reject nothing', kind: 'allow_once' };
    const no = { optionId: 'abort', name: 'Yes, stop', kind: 'reject_once' };
    const other = { optionId: 'later', name: 'Allow', kind: 'allow_later' };
    const run = await scenario({
      agent: [
        s.permission({ toolCallId: 'a', title: 'A', kind: 'edit' }, [lasting, project, once, no], { id: 'first' }),
        s.permission({ toolCallId: 'b', title: 'B', kind: 'edit' }, [once, { ...once, optionId: 'too' }, no], {
          id: 'two',
        }),
        s.permission({ toolCallId: 'c', title: 'C', kind: 'edit' }, [lasting, no], { id: 'lasting' }),
        s.permission({ toolCallId: 'd', title: 'D', kind: 'edit' }, [other, no], { id: 'unknown' }),
        s.permission({ toolCallId: 'e', title: 'E', kind: 'edit' }, [once], { id: 'only' }),
      ],
      prompts: ['go'],
      options: allowing,
    });
    const answers = ['first', 'two', 'lasting', 'unknown', 'only'].map((id) => run.answerTo(id).result);
    assert.deepEqual(answers, ['proceed_once', 'abort', 'abort', 'abort', 'proceed_once'].map(selected));
    const shown = run.events('approval')[0]?.['options'] as { name: string }[];
    assert.deepEqual(
      shown.map(({ name }) => name),
      [lasting, project, once, no].map(({ name }) => name),
    );
  });

  for (const stopReason of ['end_turn', 'cancelled', 'refusal']) {
    it(`oddity 6: a No is sent once, the call it stopped is settled, and the turn ends as told: ${stopReason}`, async () => {
      const run = await scenario({
        agent: {
          prompts: [
            {
              stopReason,
              steps: [
                s.permission({ toolCallId: 'a', title: 'A', kind: 'edit' }, s.usualOptions, { id: 'a' }),
                s.toolCall('open', { status: 'in_progress', kind: 'execute' }),
              ],
            },
            { steps: [s.text('again')] },
          ],
        },
        options: ['--answers', 'reject_once'],
        prompts: ['go', 'on'],
      });
      assert.deepEqual(run.answerTo('a').result, selected('no'));
      assert.equal(card(run, 'a')['status'], 'cancelled');
      assert.ok(['cancelled', 'interrupted'].includes(String(card(run, 'open')['status'])));
      assert.deepEqual(
        run.events('turnEnded').map((line) => line['stopReason']),
        [stopReason, 'end_turn'],
      );
      assert.deepEqual(said(run).slice(-1), ['again']);
    });
  }

  it('oddity 7: an answer without a choice is `cancelled`, and the turn may end by it though nobody stopped it', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          {
            stopReason: 'cancelled',
            steps: [s.permission({ toolCallId: 'a', title: 'A', kind: 'edit' }, s.usualOptions, { id: 'a' })],
          },
        ],
      },
      options: ['--answers', 'cancel'],
      prompts: ['go'],
    });
    assert.deepEqual(run.answerTo('a').result, cancelled);
    assert.equal(card(run, 'a')['status'], 'cancelled');
    assert.deepEqual(run.sentOf('session/cancel'), []);
    assert.deepEqual((run.transcript['turn'] as { state: string }).state, 'idle');
  });

  it('oddity 8: Stop answers each open question once, also for an agent that waits for it or takes it back itself', async () => {
    const script = [
      { do: 'prompt', text: 'go' },
      { do: 'waitFor', event: 'approval' },
      { do: 'waitFor', event: 'approval' },
      { do: 'cancel' },
      { do: 'waitFor', event: 'turnEnded' },
      { do: 'answer', approvalId: 'a1', decision: 'allow_once' },
    ];
    const ask = (id: string | number, wait: boolean) =>
      s.permission({ toolCallId: `call ${String(id)}`, title: 'T', kind: 'edit' }, s.usualOptions, { id, wait });
    const waits = await scenario({
      agent: { prompts: [{ stopReason: 'cancelled', steps: [ask(0, false), ask('b', true), s.waitResponse(0)] }] },
      script,
    });
    const takesBack = await scenario({
      agent: {
        prompts: [
          {
            stopReason: 'cancelled',
            steps: [
              ask(0, false),
              ask('b', false),
              s.hang(),
              { do: 'notify', method: '$/cancel_request', params: { requestId: 0 } },
              { do: 'notify', method: '$/cancel_request', params: { requestId: 'b' } },
            ],
          },
        ],
      },
      script,
    });
    for (const run of [waits, takesBack]) {
      assert.deepEqual(
        run.events('approvalSettled').map(({ outcome }) => outcome),
        ['cancelled', 'cancelled'],
      );
      for (const id of [0, 'b']) {
        // One answer; which of its two forms depends on who was first.
        const { result, error } = run.answerTo(id);
        assert.ok(error?.code === -32800 || JSON.stringify(result) === JSON.stringify(cancelled));
      }
      assert.equal(run.sentOf('session/cancel').length, 1);
      assert.deepEqual(
        run.events('turnEnded').map(({ stopReason }) => stopReason),
        ['cancelled'],
      );
    }
  });

  it('oddity 9: calls that a Stop left open are settled, and the next prompt is a turn like any other', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          {
            stopReason: 'cancelled',
            steps: [
              s.toolCall('p', { kind: 'edit' }),
              s.toolCall('i', { kind: 'execute', status: 'in_progress' }),
              s.toolCall('f', { kind: 'read', status: 'failed' }),
              s.hang(),
            ],
          },
          { steps: [s.toolUpdate('i', { status: 'completed' }), s.text('fine')] },
        ],
      },
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'toolChanged', match: { toolCallId: 'f' } },
        { do: 'cancel' },
        { do: 'prompt', text: 'on' },
      ],
    });
    assert.equal(card(run, 'p')['status'], 'cancelled');
    assert.equal(card(run, 'f')['status'], 'failed');
    // A result that comes late is taken.
    assert.equal(card(run, 'i')['status'], 'completed');
    assert.deepEqual(said(run), ['fine']);
    assert.deepEqual(
      run.events('turnEnded').map(({ stopReason }) => stopReason),
      ['cancelled', 'end_turn'],
    );
  });
});
