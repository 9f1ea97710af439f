import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, type Result } from './scenario.js';
import { card as tool } from './transcripts.js';

const note = (value: string): JsonObject => s.textContent(value);
const plans = (run: Result): readonly (readonly string[])[] =>
  run
    .events('planChanged')
    .map((line) => (line['entries'] as readonly { content: string }[]).map(({ content }) => content));

describe('tool calls, plans and commands', () => {
  cleanAfterEach();

  it('item 39 item 40 item 41 makes a card of little, of an update alone, and of words that are not known', async () => {
    const run = await scenario({
      agent: [
        s.update({ sessionUpdate: 'tool_call', toolCallId: 'bare', title: 'Bare' }),
        s.toolUpdate('early', { title: 'Early', status: 'in_progress' }),
        s.toolCall('early', { title: 'Early', status: 'pending' }),
        s.toolCall('odd', { kind: 'summon', status: 'paused' }),
        s.toolCall('gone', { status: 'in_progress' }),
        s.toolUpdate('gone', { status: 'cancelled' }),
        s.toolUpdate('gone', { status: 'in_progress' }),
        s.toolCall('known', { kind: 'edit' }),
        s.toolUpdate('known', { kind: 'summon' }),
        s.toolUpdate('known', { status: 'completed' }),
      ],
      prompts: ['go'],
    });
    const [first] = run.events('toolChanged');
    assert.deepEqual([first?.['kind'], first?.['status'], first?.['title']], ['other', 'pending', 'Bare']);
    assert.equal(tool(run, 'early')['title'], 'Early');
    assert.equal(tool(run, 'odd')['toolKind'], 'other');
    assert.equal(tool(run, 'gone')['status'], 'cancelled');
    assert.deepEqual([tool(run, 'known')['toolKind'], tool(run, 'known')['status']], ['edit', 'completed']);
  });

  it('item 42 item 43 changes what an update names, and takes the good items of a list', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('t', {
          title: 'T',
          kind: 'edit',
          locations: [{ path: '/a' }],
          content: [note('one'), note('two')],
        }),
        s.toolUpdate('t', { status: 'in_progress' }),
        s.toolUpdate('t', { status: 'completed', content: null, locations: null, title: null }),
        s.toolCall('u', { content: [note('one')] }),
        s.toolUpdate('u', { content: [7, { type: 'content' }, note('good'), { type: 'hologram' }, null] as Json[] }),
        s.toolCall('v', { content: [note('one')] }),
        s.toolUpdate('v', { content: [], status: 'completed' }),
      ],
      prompts: ['go'],
    });
    const t = tool(run, 't');
    assert.deepEqual([t['title'], t['toolKind'], t['status']], ['T', 'edit', 'completed']);
    assert.deepEqual(t['locations'], [{ path: '/a' }]);
    assert.equal((t['content'] as unknown[]).length, 2);
    assert.match(JSON.stringify(tool(run, 'u')['content']), /good/);
    assert.deepEqual(tool(run, 'v')['content'], []);
  });

  it('item 44 item 45 shows diffs of every size as given, and opens or writes nothing for them', async () => {
    const large = 'line\n'.repeat(1_000_000);
    const run = await scenario({
      agent: [
        s.toolCall('new', { content: [s.diff('{{cwd}}/new.txt', null, 'x')] }),
        s.toolCall('missing', { content: [{ type: 'diff', path: 'relative/a.txt', newText: 'x' }] }),
        s.toolCall('equal', { content: [s.diff('/etc/passwd', 'same', 'same')] }),
        s.toolCall('large', { content: [s.diff('{{cwd}}/big.txt', large, `${large}end`)] }),
      ],
      prompts: ['go'],
    });
    const diffOf = (id: string): JsonObject => (tool(run, id)['content'] as JsonObject[])[0] as JsonObject;
    assert.deepEqual([diffOf('new')['oldText'], diffOf('new')['newText']], [null, 'x']);
    assert.deepEqual([diffOf('missing')['path'], diffOf('missing')['oldText']], ['relative/a.txt', null]);
    assert.equal(diffOf('equal')['path'], '/etc/passwd');
    assert.ok(JSON.stringify(diffOf('large')).length < 20_000);
    assert.equal(run.exists('new.txt'), false);
    assert.equal(run.events('fileRead').length + run.events('fileWritten').length, 0);
    assert.equal(run.status, 0);
  });

  it('item 46 keeps locations from line 1 up and lets go of lines that are none', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('t', {
          locations: [
            { path: '/a', line: 1 },
            { path: '/a', line: 0 },
            { path: '/a', line: null },
            { path: '/a', line: 9e15 },
            { path: 7 },
            'x',
          ] as Json[],
        }),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(tool(run, 't')['locations'], [
      { path: '/a', line: 1 },
      { path: '/a', line: 1 },
      { path: '/a' },
      { path: '/a', line: 9e15 },
    ]);
  });

  it('B106 item 47 each plan replaces the one before, and an empty one takes it away', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          {
            steps: [
              s.plan({ content: 'a' }, { content: 'b' }, { content: 'c' }),
              s.plan({ content: 'other', status: 'cancelled', priority: 'urgent' }),
            ],
          },
          { steps: [s.plan()] },
        ],
      },
      prompts: ['one', 'two'],
    });
    assert.deepEqual(plans(run), [['a', 'b', 'c'], ['other'], []]);
    assert.deepEqual(run.transcript['plan'], []);
    const kept = await scenario({
      agent: [s.plan({ content: 'a' }), s.plan({ content: 'b', status: 'cancelled', priority: 'urgent' })],
      prompts: ['go'],
    });
    assert.deepEqual(kept.transcript['plan'], [{ content: 'b', priority: 'urgent', status: 'cancelled' }]);
  });

  it('B106 shows the plan that a loaded session replays', async () => {
    const run = await scenario({
      agent: {
        capabilities: { loadSession: true },
        on: { 'session/load': [s.userText('x'), s.plan({ content: 'old' })] },
      },
      options: ['--load', 'OLD'],
    });
    assert.deepEqual(run.transcript['plan'], [{ content: 'old', priority: 'medium', status: 'pending' }]);
    assert.equal(run.status, 0);
  });

  it('item 50 replaces the list of commands, and sends one as the text that it is', async () => {
    const commands = (...names: string[]): ReturnType<typeof s.update> =>
      s.update({
        sessionUpdate: 'available_commands_update',
        availableCommands: names.map((name) => ({
          name,
          description: name,
          input: name === 'b' ? { hint: 'what' } : null,
        })),
      });
    const run = await scenario({ agent: [commands('a', 'b'), commands('b')], prompts: ['/b some words'] });
    assert.deepEqual(
      run.events('commandsChanged').map((line) => line['commands']),
      [
        [
          { name: 'a', description: 'a' },
          { name: 'b', description: 'b', hint: 'what' },
        ],
        [{ name: 'b', description: 'b', hint: 'what' }],
      ],
    );
    assert.deepEqual((run.sentOf('session/prompt')[0]?.params as JsonObject)['prompt'], [
      { type: 'text', text: '/b some words' },
    ]);
  });

  it('item 57 sets, keeps and clears a title', async () => {
    const info = (fields: JsonObject): ReturnType<typeof s.update> =>
      s.update({ sessionUpdate: 'session_info_update', ...fields });
    const run = await scenario({
      agent: {
        prompts: [{ steps: [info({ title: 'T' }), info({ updatedAt: 'now' })] }, { steps: [info({ title: null })] }],
      },
      prompts: ['one'],
    });
    assert.equal(run.transcript['title'], 'T');
    const cleared = await scenario({ agent: [info({ title: 'T' }), info({ title: null })], prompts: ['one'] });
    assert.equal('title' in cleared.transcript, false);
  });

  it('item 36 item 51 says in the last line what was open when the turn ended', async () => {
    const run = await scenario({
      agent: [s.toolCall('open', { status: 'in_progress' }), s.toolCall('done', { status: 'completed' })],
      prompts: ['go'],
    });
    assert.equal(tool(run, 'open')['status'], 'interrupted');
    assert.equal(tool(run, 'done')['status'], 'completed');
    const cancelled = await scenario({
      agent: [s.toolCall('open', { status: 'in_progress' }), s.hang()],
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'toolChanged' }, { do: 'cancel' }],
    });
    assert.equal(tool(cancelled, 'open')['status'], 'cancelled');
  });
});
