/** A conversation goes on after its process: resumed, loaded, or begun anew and told so. */
import assert from 'node:assert/strict';
import type { FakeAgentScript, JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, outline, scenario, type Result } from './scenario.js';
import { methods, notices } from './transcripts.js';

const resume = { sessionCapabilities: { resume: {} } };
const load = { loadSession: true };
const answers: NonNullable<FakeAgentScript['prompts']> = [
  { match: 'first', steps: [s.text('one')] },
  { match: 'second', steps: [s.text('two')] },
];
const ended = { do: 'waitFor', event: 'turnEnded' };
const killed = [ended, { do: 'killAgent' }, { do: 'waitFor', event: 'agentExited' }];
const restarted = [ended, { do: 'restart' }];

function after(how: readonly object[], agent: FakeAgentScript): Promise<Result> {
  return scenario({
    agent: { prompts: answers, ...agent },
    script: [{ do: 'prompt', text: 'first' }, ...how, { do: 'prompt', text: 'second' }] as never,
  });
}

const opening = (run: Result): unknown[] =>
  methods(run).filter((method) => /^session\/(new|load|resume)$/.test(String(method)));

describe('a conversation after its process', () => {
  cleanAfterEach();

  it('item 89 is resumed where the agent offers that, without a replay', async () => {
    const run = await after(killed, {
      capabilities: { ...resume, ...load },
      on: { 'session/load': [s.text('replayed')] },
    });
    assert.deepEqual(opening(run), ['session/new', 'session/resume']);
    assert.deepEqual(run.sentOf('session/resume')[0]?.params, { cwd: run.cwd, mcpServers: [], sessionId: 'S1' });
    assert.deepEqual(
      run.sentOf('session/prompt').map(({ params }) => (params as JsonObject)['sessionId']),
      ['S1', 'S1'],
    );
    const [exit = '', ...rest] = notices(run);
    assert.match(exit, /stopped unexpectedly.*The conversation is reloaded after a restart\./);
    assert.deepEqual(rest, ['node reloaded what was said before.']);
    assert.equal(run.status, 0);
  });

  it('item 89 B35 is loaded where that is all there is, and what was said stands there once', async () => {
    const run = await after(killed, {
      capabilities: load,
      session: { modes: { currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({ id, name: id })) } },
      on: {
        'session/load': [
          s.userText('first', 'm1'),
          s.thought('replayed'),
          s.text('one', 'm2'),
          s.toolCall('t', { status: 'completed' }),
          s.plan({ content: 'old' }),
          s.update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'x', description: '' }] }),
          s.update({ sessionUpdate: 'usage_update', used: 7, size: 10 }),
          s.update({ sessionUpdate: 'session_info_update', title: 'Named' }),
          s.respond({ modes: { currentModeId: 'b', availableModes: ['a', 'b'].map((id) => ({ id, name: id })) } }),
        ],
      },
    });
    assert.deepEqual(opening(run), ['session/new', 'session/load']);
    const outlined = outline(run).filter((line) => !line.includes('stopped unexpectedly'));
    assert.deepEqual(outlined, [
      'user:first',
      'assistant:one',
      'user:second',
      'notice:node reloaded what was said before.',
      'assistant:two',
    ]);
    assert.deepEqual(run.transcript['plan'], []);
    assert.equal((run.transcript['modes'] as JsonObject)['currentModeId'], 'b');
    assert.equal(run.events('usageChanged').length, 1);
    assert.deepEqual(run.events('commandsChanged').at(-1)?.['commands'], [{ name: 'x', description: '' }]);
  });

  it('B38 begins anew where the agent offers neither, and says so once', async () => {
    for (const how of [killed, restarted]) {
      const run = await after(how, {});
      assert.deepEqual(opening(run), ['session/new', 'session/new']);
      assert.equal(notices(run).filter((text) => /without memory/.test(text)).length, 1);
      assert.equal(notices(run).length, 1);
    }
  });

  it('B38 falls back from resume to load to a new session, and says so once', async () => {
    const run = await after(restarted, {
      capabilities: { ...resume, ...load },
      on: {
        'session/resume': [s.fail({ code: -32002, message: 'gone' })],
        'session/load': [s.text('half of it'), s.fail({ code: -32603, message: 'gone' })],
      },
    });
    assert.deepEqual(opening(run), ['session/new', 'session/resume', 'session/load', 'session/new']);
    assert.deepEqual(outline(run), [
      'user:first',
      'assistant:one',
      'notice:node restarted.',
      'user:second',
      'notice:node cannot reload what was said before, and starts without memory of it.',
      'assistant:two',
    ]);
  });

  it('keeps the prompt where the reload is refused because nobody is signed in, and asks again next time', async () => {
    const refused = [s.fail({ code: -32000, message: 'Authentication required' })];
    const run = await scenario({
      agent: {
        capabilities: resume,
        prompts: answers,
        on: { 'session/resume': { calls: [refused, [s.respond({})]] } },
      },
      script: [
        { do: 'prompt', text: 'first' },
        ...restarted,
        { do: 'prompt', text: 'second' },
        { do: 'waitFor', event: 'turnFailed' },
        { do: 'prompt', text: 'second' },
      ] as never,
    });
    assert.deepEqual(opening(run), ['session/new', 'session/resume', 'session/resume']);
    assert.equal(run.events('turnFailed')[0]?.['reason'], 'unauthenticated');
    assert.equal(run.entries.at(-1)?.text, 'two');
  });

  it('a cancel during the reload ends it: nothing of a late replay is shown, and the next prompt reloads again', async () => {
    const run = await scenario({
      agent: {
        capabilities: load,
        prompts: answers,
        on: {
          'session/load': {
            calls: [
              [
                s.update({ sessionUpdate: 'usage_update', used: 1 }),
                { do: 'waitFor', method: '$/cancel_request' },
                s.text('late'),
              ],
              [s.respond({})],
            ],
          },
        },
      },
      script: [
        { do: 'prompt', text: 'first' },
        ...restarted,
        { do: 'prompt', text: 'second' },
        { do: 'waitFor', event: 'usageChanged' },
        { do: 'cancel' },
        ended,
        { do: 'prompt', text: 'second' },
      ] as never,
    });
    assert.deepEqual(opening(run), ['session/new', 'session/load', 'session/load']);
    assert.deepEqual(
      outline(run).filter((line) => line.startsWith('assistant')),
      ['assistant:one', 'assistant:two'],
    );
  });

  it('sets what the person had set, in order and before the prompt, where the agent says something else', async () => {
    const options = (model: string, effort: string): JsonObject => ({
      configOptions: [
        { id: 'model', name: 'Model', type: 'select', currentValue: model, options: ['x', 'y'].map(choice) },
        { id: 'effort', name: 'Effort', type: 'select', currentValue: effort, options: ['low', 'high'].map(choice) },
        { id: 'same', name: 'Same', type: 'boolean', currentValue: true },
      ],
    });
    const choice = (value: string): JsonObject => ({ value, name: value });
    const run = await scenario({
      agent: {
        capabilities: resume,
        prompts: answers,
        session: options('x', 'low'),
        on: {
          'session/set_config_option': {
            calls: [
              [s.respond(options('y', 'low'))],
              [s.respond(options('y', 'high'))],
              [s.respond(options('y', 'high'))],
              [s.respond(options('y', 'low'))],
              [s.fail({ code: -32602, message: 'no such effort' })],
            ],
          },
        },
      },
      script: [
        { do: 'prompt', text: 'first' },
        ended,
        { do: 'setConfigOption', configId: 'model', value: 'y' },
        { do: 'setConfigOption', configId: 'effort', value: 'high' },
        { do: 'setConfigOption', configId: 'same', value: true },
        { do: 'restart' },
        { do: 'prompt', text: 'second' },
      ] as never,
    });
    const calls = methods(run).slice(methods(run).indexOf('session/resume'));
    assert.deepEqual(calls, [
      'session/resume',
      'session/set_config_option',
      'session/set_config_option',
      'session/prompt',
    ]);
    assert.deepEqual(
      run
        .sentOf('session/set_config_option')
        .slice(3)
        .map(({ params }) => (params as JsonObject)['value']),
      ['y', 'high'],
    );
    assert.equal(run.status, 0);
  });
});
