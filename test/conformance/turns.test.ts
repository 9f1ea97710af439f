import assert from 'node:assert/strict';
import type { JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cleanAfterEach, indexOf, outline, scenario } from './scenario.js';

const chunkOf = (content: JsonObject): ReturnType<typeof s.update> =>
  s.update({ sessionUpdate: 'agent_message_chunk', content });

describe('turns', () => {
  cleanAfterEach();

  it('B33 item 26 keeps updates that come before the session is known', async () => {
    const run = await scenario({
      agent: {
        on: {
          'session/new': [
            s.update({
              sessionUpdate: 'available_commands_update',
              availableCommands: [{ name: 'plan', description: 'make a plan' }],
            }),
            s.update({ sessionUpdate: 'current_mode_update', currentModeId: 'b' }),
            s.update({ sessionUpdate: 'usage_update', used: 1, size: 10 }),
            s.respond({
              sessionId: '{{sessionId}}',
              modes: { currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({ id, name: id })) },
            }),
          ],
        },
      },
      prompts: ['go'],
    });
    assert.deepEqual(run.events('commandsChanged')[0]?.['commands'], [{ name: 'plan', description: 'make a plan' }]);
    assert.equal(run.events('usageChanged').length, 1);
    assert.equal((run.transcript['modes'] as { currentModeId: string }).currentModeId, 'b');
  });

  it('item 27 ignores updates for a session that does not exist', async () => {
    const run = await scenario({
      agent: [
        { ...s.text('stray'), sessionId: 'S9' } as never,
        { ...s.text('stray'), sessionId: '__proto__' } as never,
        { ...s.text('stray'), sessionId: 'S'.repeat(100_000) } as never,
        { do: 'notify', method: 'session/update', params: { update: { sessionUpdate: 'agent_message_chunk' } } },
        { do: 'notify', method: 'session/update' },
        { do: 'notify', method: 'session/update', params: [] },
        s.text('mine'),
      ],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'mine');
    assert.equal(run.events('messageChunk').length, 1);
    assert.equal(run.stderr.match(/session that is not open here/g)?.length, 1);
    assert.equal(run.status, 0);
  });

  it('item 28 item 29 applies what came in one write in its order, before the turn ends', async () => {
    const run = await scenario({
      agent: [s.oneWrite(...['1', '2', '3', '4', '5'].map((n) => s.text(n)), s.respond({ stopReason: 'end_turn' }))],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), '12345');
    const names = run.lines.map(({ event }) => event);
    assert.ok(names.lastIndexOf('messageChunk') < names.indexOf('turnEnded'));
  });

  it('B148 keeps the order of text, call, request and end in one write', async () => {
    const run = await scenario({
      agent: [
        s.oneWrite(
          s.text('a'),
          s.toolCall('x'),
          s.text('b'),
          s.permission('x', s.usualOptions, { id: 'ask', wait: false }),
          s.text('c'),
          s.respond({ stopReason: 'end_turn' }),
        ),
      ],
      prompts: ['go'],
    });
    const names = run.lines
      .filter(({ event }) => event === 'messageChunk' || event === 'approval' || event === 'turnEnded')
      .map((line) => (typeof line['text'] === 'string' ? line['text'] : line.event));
    assert.deepEqual(names, ['a', 'b', 'approval', 'c', 'turnEnded']);
    assert.deepEqual(outline(run), ['user:go', 'assistant:a', 'tool:x', 'assistant:bc']);
    assert.ok(run.answerTo('ask').result);
    assert.equal(run.events('approvalSettled').length, 1);
    assert.ok(indexOf(run, 'approvalSettled') < indexOf(run, 'turnEnded'));
  });

  it('item 30 item 31 appends what comes after the answer to a prompt, and while no prompt runs', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [s.text('a'), s.respond({ stopReason: 'end_turn' }), s.text('late'), s.plan({ content: 'idle' })] },
        ],
      },
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'waitFor', event: 'planChanged' },
      ],
    });
    assert.match(assistantText(run), /^a\s*late$/);
    assert.equal((run.transcript['plan'] as unknown[]).length, 1);
    assert.equal((run.transcript['turn'] as { state: string }).state, 'idle');
  });

  it('item 32 keeps two sessions of one connection apart', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { match: 'one', steps: [s.text('1a'), s.waitFor('session/prompt', 2), s.text('1b'), s.toolCall('t1')] },
          {
            match: 'two',
            steps: [s.text('2a'), s.readFile('{{cwd}}/a.txt', {}, { id: 'read' }), s.wait(100), s.text('2b')],
          },
        ],
      },
      files: { 'a.txt': 'x' },
      script: [
        { do: 'prompt', text: 'one' },
        { do: 'waitFor', event: 'messageChunk' },
        { do: 'newSession' },
        { do: 'prompt', text: 'two' },
      ],
    });
    assert.equal(assistantText(run), '2a2b');
    const first = run.events('messageChunk').filter(({ sessionId }) => sessionId === 'S1');
    assert.deepEqual(
      first.map((line) => line['text']),
      ['1a', '1b'],
    );
    assert.equal(run.events('toolChanged')[0]?.sessionId, 'S1');
    assert.equal(run.events('fileRead')[0]?.sessionId, 'S2');
    assert.equal(run.events('turnEnded').length, 2);
  });

  it('B44 item 37 item 38 goes on after updates, contents and fields that are not known', async () => {
    const run = await scenario({
      agent: [
        s.update({ sessionUpdate: 'usage_update', used: 11383, size: 262144 }),
        s.update({ sessionUpdate: 'hologram_update', x: 1 }),
        s.update({ sessionUpdate: '_vendor/thing' }),
        s.update({ sessionUpdate: 'plan_update', plan: { type: 'items', id: 'p', entries: [] } }),
        s.update({ sessionUpdate: 'plan_removed', id: 'p' }),
        s.update({ sessionUpdate: 'compaction_update', status: 'in_progress' }),
        s.update({ sessionUpdate: 'compaction_summary_chunk', content: { type: 'text', text: 'x' } }),
        s.update({ sessionUpdate: 'subagent_update', subagentId: 's' }),
        s.update({ sessionUpdate: 'session_message', messageId: 'm', content: [] }),
        s.update({ sessionUpdate: 'session_message_chunk', messageId: 'm', content: { type: 'text', text: 'x' } }),
        s.update({}),
        s.update({ sessionUpdate: 7 }),
        s.update({ sessionUpdate: '__proto__' }),
        s.update({ sessionUpdate: 'tool_call' }),
        s.update({ sessionUpdate: 'tool_call_update', toolCallId: 7 }),
        s.update({ sessionUpdate: 'plan', entries: 'none' }),
        chunkOf({ type: 'video', uri: 'v' }),
        s.update({ sessionUpdate: 'agent_message_chunk', content: 'plain' }),
        s.update({ sessionUpdate: 'agent_message_chunk' }),
        s.update({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'ok', extra: { deep: [1] }, annotations: null },
          _meta: { 'vendor/x': 1 },
          later: true,
        }),
      ],
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.match(assistantText(run), /ok$/);
    assert.doesNotMatch(assistantText(run), /x/);
    assert.equal(run.events('usageChanged').length, 1);
  });

  it('B46 item 33 keeps thoughts, messages and calls as blocks of their own, with ids and without', async () => {
    for (const ids of [true, false]) {
      const id = (value: string): string | undefined => (ids ? value : undefined);
      const run = await scenario({
        agent: [
          s.thought('pl', id('t1')),
          s.thought('an', id('t1')),
          s.text('lo', id('m1')),
          s.text('ok', id('m1')),
          s.toolCall('x1'),
          s.thought('check', id('t2')),
          s.text('done', id('m2')),
        ],
        prompts: ['go'],
      });
      assert.deepEqual(outline(run).slice(1), [
        'thought:plan',
        'assistant:look',
        'tool:x1',
        'thought:check',
        'assistant:done',
      ]);
    }
    const changed = await scenario({ agent: [s.text('one', 'm1'), s.text('two', 'm2')], prompts: ['go'] });
    assert.deepEqual(outline(changed).slice(1), ['assistant:one', 'assistant:two']);
  });

  it('item 34 does not show an echo of the prompt a second time', async () => {
    const run = await scenario({ agent: [s.userText('go'), s.text('a')], prompts: ['go'] });
    assert.deepEqual(outline(run), ['user:go', 'assistant:a']);
  });

  it('item 35 puts a text together to the byte from ten thousand pieces, cut inside characters and fences', async () => {
    const run = await scenario({
      agent: [
        ...Array.from('```ts\nx👩‍💻é\n```\n', (part) => s.text(part)),
        s.flood(10_000, 7, 'plain'),
        s.text('\nend'),
      ],
      prompts: ['go'],
    });
    const sentText = run
      .events('messageChunk')
      .map((line) => line['text'])
      .join('');
    assert.equal(assistantText(run), sentText);
    assert.match(sentText, /^```ts\nx👩‍💻é\n```\n/);
    assert.equal(sentText.length, '```ts\nx👩‍💻é\n```\n'.length + 70_000 + '\nend'.length);
  });

  it('item 36 shows or labels images, audio, resources and links', async () => {
    const run = await scenario({
      agent: [
        chunkOf({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }),
        chunkOf({ type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' }),
        chunkOf({ type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' }),
        chunkOf({ type: 'resource', resource: { uri: 'file:///b.txt', text: 'body' } }),
        s.text('end'),
      ],
      prompts: ['go'],
    });
    const entry = run.entries.find(({ kind }) => kind === 'assistant');
    assert.equal((entry?.['extras'] as unknown[]).length, 4);
    assert.equal(entry?.text, 'end');
    assert.equal(run.events('messageChunk').length, 5);
  });

  it('item 64 applies what comes after a cancel and ends as cancelled, without a notice', async () => {
    const run = await scenario({
      agent: [s.text('a'), s.waitFor('session/cancel'), s.text('b'), s.text('c'), s.text('d')],
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'messageChunk' }, { do: 'cancel' }],
    });
    assert.equal(assistantText(run), 'abcd');
    assert.deepEqual(
      run.entries.filter(({ kind }) => kind === 'notice'),
      [],
    );
    assert.equal(run.events('turnEnded')[0]?.['stopReason'], 'cancelled');
  });

  it('item 65 takes an error after a cancel for the cancel', async () => {
    const run = await scenario({
      agent: [s.text('a'), s.waitFor('session/cancel'), s.fail({ code: -32603, message: 'aborted' })],
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'messageChunk' }, { do: 'cancel' }],
    });
    assert.deepEqual([run.status, run.events('turnFailed').length], [0, 0]);
    assert.equal(run.events('turnEnded')[0]?.['stopReason'], 'cancelled');
  });

  it('B58 shows the reason that stands in the data of an error, whatever its form, bounded', async () => {
    const error = (data: JsonObject | string): ReturnType<typeof s.fail> =>
      s.fail({ code: -32603, message: 'Internal error', data });
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [error({ details: 'Quota used up until 14:00' })] },
          { steps: [error('Quota as text')] },
          { steps: [error({ message: 'Quota as message' })] },
          { steps: [error('x'.repeat(200_000))] },
          { steps: [s.fail({ code: -32603, message: 'y'.repeat(200_000) })] },
        ],
      },
      prompts: ['1', '2', '3', '4', '5'],
    });
    const messages = run.events('turnFailed').map((line) => String(line['message']));
    assert.match(messages[0] ?? '', /Quota used up until 14:00/);
    assert.match(messages[1] ?? '', /Quota as text/);
    assert.match(messages[2] ?? '', /Quota as message/);
    assert.ok(run.events('turnFailed').every((line) => JSON.stringify(line).length < 10_000));
    assert.equal(run.sentOf('session/prompt').length, 5, 'nothing is sent again by itself');
    assert.equal(run.status, 1);
  });
});
