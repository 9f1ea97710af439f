/** Groups 16 and 17 of the oddities of real agents: modes, and what they are set and told by. See docs/acp-contract.md. */
import assert from 'node:assert/strict';
import type { FakeAgentScript, Json, JsonObject, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { autoMode as auto, manualMode as manual, modeOption, type NamedMode } from '../support/modeOption.js';
import { assistantText, cleanAfterEach, indexOf, scenario, selected, type Result } from './scenario.js';
import { notices } from './transcripts.js';

const plan: NamedMode = { id: 'plan', name: 'Plan' };
const three = [manual, plan, auto];

const modesOf = (currentModeId: string, all: readonly NamedMode[] = three): JsonObject => ({
  currentModeId,
  availableModes: all,
});
const optionOf = (currentValue: string, all: readonly NamedMode[] = three, rest: JsonObject = {}): JsonObject =>
  modeOption(currentValue, all, rest);
const optionNews = (...configOptions: readonly JsonObject[]): Step =>
  s.update({ sessionUpdate: 'config_option_update', configOptions });
const modeNews = (currentModeId: string): Step => s.update({ sessionUpdate: 'current_mode_update', currentModeId });
const setMode = (modeId: string): Record<string, unknown> => ({ do: 'setMode', modeId });

const mode = (run: Result): { id?: string; name?: string; asksNothing?: string | null } => run.transcript['mode'] ?? {};
const current = (run: Result): Json | undefined =>
  (run.transcript['modes'] as JsonObject | undefined)?.['currentModeId'];
const optionValue = (run: Result, id = 'mode'): unknown =>
  (run.transcript['configOptions'] as readonly { id: string; value: unknown }[]).find((each) => each.id === id)?.value;
const settled = (run: Result): readonly unknown[] =>
  run.events('modeSettled').map(({ modeId, taken }) => [modeId, taken]);

/** A run that sets one mode and ends. */
async function change(session: JsonObject, on: FakeAgentScript['on'] = {}, modeId = 'plan'): Promise<Result> {
  return scenario({ agent: { session, on }, script: [setMode(modeId)] });
}

describe('oddities of real agents: modes', () => {
  cleanAfterEach();

  it('oddity 16: an agent that starts in a mode without questions is shown so, by its words', async () => {
    const run = await scenario({
      agent: {
        session: { modes: modesOf('auto'), configOptions: [optionOf('auto')] },
        prompts: [{ steps: [s.text('hi')] }],
      },
      prompts: ['go'],
    });
    assert.deepEqual(mode(run), { ...auto, asksNothing: 'said' });
    assert.deepEqual([run.sentOf('session/set_mode'), run.sentOf('session/set_config_option')], [[], []]);
  });

  it('oddity 16: a command that ran without a question marks the mode, until one is asked for', async () => {
    const agentMode: NamedMode = { id: 'agent', name: 'Agent' };
    const ran = (id: string): Step => s.toolCall(id, { title: 'ls', kind: 'execute', status: 'completed' });
    const agent = (...more: readonly Step[]): FakeAgentScript => ({
      session: { modes: modesOf('agent', [agentMode, plan]) },
      prompts: [{ steps: [ran('one'), ...more] }],
    });
    const seen = await scenario({ agent: agent(), prompts: ['go'] });
    assert.equal(mode(seen).asksNothing, 'seen');
    const asked = await scenario({
      agent: agent(s.permission({ toolCallId: 'two', title: 'rm', kind: 'execute' }, s.usualOptions, { id: 7 })),
      prompts: ['go'],
    });
    assert.equal(mode(asked).asksNothing, null);
    assert.deepEqual(asked.answerTo(7).result, selected('no'));
    const left = await scenario({
      agent: { ...agent(), on: { 'session/set_mode': [modeNews('plan')] } },
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'turnEnded' }, setMode('plan')],
    });
    assert.deepEqual([mode(left).id, mode(left).asksNothing], ['plan', null]);
  });

  it('oddity 16: a switch beside the modes that allows everything marks each of them', async () => {
    const agent: FakeAgentScript = {
      session: {
        modes: modesOf('default'),
        configOptions: [
          { id: 'allow_all', name: 'Allow all', category: 'permissions', type: 'boolean', currentValue: true },
        ],
      },
      on: { 'session/set_config_option': [s.respond({})] },
    };
    const before = await scenario({ agent, prompts: ['go'] });
    assert.deepEqual([mode(before).id, mode(before).asksNothing], ['default', 'said']);
    const run = await scenario({ agent, script: [{ do: 'setConfigOption', configId: 'allow_all', value: false }] });
    assert.deepEqual(run.sentOf('session/set_config_option')[0]?.params, {
      sessionId: run.lines.at(-1)?.sessionId,
      configId: 'allow_all',
      type: 'boolean',
      value: false,
    });
    assert.deepEqual([mode(run).asksNothing, optionValue(run, 'allow_all')], [null, false]);
  });

  it('oddity 17: modes and an option for the same thing are one control, set by the option and kept in step', async () => {
    const run = await change(
      { modes: modesOf('auto'), configOptions: [optionOf('auto')] },
      { 'session/set_config_option': [modeNews('plan'), s.respond({ configOptions: [optionOf('plan')] })] },
    );
    assert.equal(run.sentOf('session/set_mode').length, 0);
    const params = run.sentOf('session/set_config_option').map(({ params: sent }) => sent as JsonObject);
    assert.deepEqual(
      params.map(({ configId, value }) => [configId, value]),
      [['mode', 'plan']],
    );
    assert.deepEqual([current(run), optionValue(run), mode(run).name], ['plan', 'plan', 'Plan']);
    assert.deepEqual([settled(run), notices(run), run.status], [[['plan', true]], [], 0]);
  });

  const news: readonly (readonly [string, readonly Step[], string])[] = [
    ['as an option before the answer', [optionNews(optionOf('plan')), s.respond({})], 'plan'],
    ['as a mode before the answer', [modeNews('plan'), s.respond({})], 'plan'],
    ['as both', [modeNews('plan'), optionNews(optionOf('plan')), s.respond({})], 'plan'],
    ['after the answer', [s.respond({}), modeNews('plan')], 'plan'],
    ['by nothing but the answer', [s.respond({})], 'plan'],
    ['by null for an answer', [s.respond(null)], 'plan'],
    [
      'by a notification of its own',
      [{ do: 'notify', method: 'qwen/notify/session/mode-update', params: { currentModeId: 'plan' } }, s.respond({})],
      'plan',
    ],
    ['with another mode than was asked for', [modeNews('default'), s.respond({})], 'default'],
  ];
  for (const [how, steps, shown] of news) {
    it(`oddity 17: the mode shown is the one confirmed last, told ${how}`, async () => {
      const run = await change({ modes: modesOf('auto') }, { 'session/set_mode': steps });
      assert.deepEqual(
        run.sentOf('session/set_mode').map(({ params }) => params),
        [{ sessionId: run.lines.at(-1)?.sessionId, modeId: 'plan' }],
      );
      assert.deepEqual([current(run), mode(run).id], [shown, shown]);
      assert.deepEqual(settled(run), [['plan', shown === 'plan']]);
      assert.ok(indexOf(run, 'modeRequested') < indexOf(run, 'modeSettled'));
      assert.deepEqual(
        notices(run),
        shown === 'plan' ? [] : ['node did not set the mode to “Plan”. It stays “Manual”.'],
      );
    });
  }

  it('oddity 17: a mode that is told as a message text is no message, of the one agent that does so', async () => {
    const on = { 'session/set_mode': [s.text('[MODE_UPDATE] plan'), s.respond({})] };
    const session = { modes: modesOf('auto') };
    const agentInfo = { name: 'gemini-cli', version: '0.61.0' };
    const run = await scenario({ agent: { agentInfo, session, on }, script: [setMode('plan')] });
    assert.deepEqual([run.entries, mode(run).id, settled(run)], [[], 'plan', [['plan', true]]]);
    assert.equal(run.events('modeChanged').length, 1);
    const spoken = await scenario({
      agent: { agentInfo, session, prompts: [{ steps: [s.text('[MODE_UPDATE] plan')] }] },
      prompts: ['go'],
    });
    assert.deepEqual([assistantText(spoken), mode(spoken).id], ['[MODE_UPDATE] plan', 'auto']);
    const other = await scenario({ agent: { session, on }, script: [setMode('plan')] });
    assert.deepEqual([assistantText(other), mode(other).id], ['[MODE_UPDATE] plan', 'plan']);
  });

  it('oddity 17: what the agent says later of its mode wins, by either way', async () => {
    const run = await scenario({
      agent: {
        session: { modes: modesOf('auto'), configOptions: [optionOf('auto')] },
        prompts: [
          { steps: [modeNews('plan'), s.text('a')] },
          { steps: [optionNews(optionOf('default')), s.text('b')] },
        ],
      },
      prompts: ['one', 'two'],
    });
    assert.deepEqual([current(run), optionValue(run), assistantText(run)], ['default', 'default', 'ab']);
    assert.equal(run.events('modeChanged')[0]?.['modeId'], 'plan');
  });

  it('oddity 17: a refused mode stays what it was, and the refusal is said', async () => {
    const refusals: readonly (readonly [number, string, { readonly details: string } | undefined])[] = [
      [-32602, 'Invalid params: Invalid Mode: no-such-mode', undefined],
      [-32603, 'Internal error', { details: 'Invalid or unavailable mode: no-such-mode' }],
      [-32603, 'Internal error', { details: 'Already in plan mode' }],
    ];
    for (const [code, message, data] of refusals) {
      const run = await change(
        { modes: modesOf('auto') },
        { 'session/set_mode': [s.fail({ code, message, ...(data !== undefined && { data }) })] },
      );
      const said = data === undefined ? message : `${message}: ${data.details}`;
      assert.deepEqual(notices(run), [`node did not set the mode to “Plan”. It answered: “${said}”. It stays “Auto”.`]);
      assert.deepEqual([settled(run), mode(run).id, run.status], [[['plan', false]], 'auto', 1]);
    }
  });

  it('oddity 17: an unknown mode that is answered like a known one is not shown as the mode', async () => {
    for (const steps of [[s.respond({})], [modeNews('default'), s.respond({})]]) {
      const run = await change({ modes: modesOf('default') }, { 'session/set_mode': steps }, 'no-such-mode');
      assert.deepEqual([current(run), settled(run)], ['default', [['no-such-mode', false]]]);
      assert.deepEqual(notices(run), ['node did not set the mode to “no-such-mode”. It stays “Manual”.']);
    }
  });

  it('oddity 17: where the option cannot be set the older method is used', async () => {
    const run = await change(
      { modes: modesOf('auto'), configOptions: [optionOf('auto')] },
      {
        'session/set_config_option': [s.fail({ code: -32601, message: 'Method not found' })],
        'session/set_mode': [s.respond({})],
      },
    );
    assert.deepEqual([run.sentOf('session/set_config_option').length, run.sentOf('session/set_mode').length], [1, 1]);
    assert.deepEqual([current(run), optionValue(run), notices(run)], ['plan', 'plan', []]);
  });

  it('oddity 17: an agent with nothing but the option has the same control, by both script actions', async () => {
    const agent: FakeAgentScript = {
      session: { configOptions: [optionOf('default')] },
      on: {
        'session/set_config_option': {
          calls: ['plan', 'auto'].map((value) => [s.respond({ configOptions: [optionOf(value)] })]),
        },
      },
    };
    const run = await scenario({
      agent,
      script: [setMode('plan'), { do: 'setConfigOption', configId: 'mode', value: 'auto' }],
    });
    assert.equal(run.transcript['modes'], undefined);
    assert.deepEqual(
      [mode(run).id, settled(run), run.status],
      [
        'auto',
        [
          ['plan', true],
          ['auto', true],
        ],
        0,
      ],
    );
    assert.equal(run.sentOf('session/set_config_option').length, 2);
  });

  it('oddity 17: levels of thinking, addresses and values that are not listed are shown as they are', async () => {
    const levels: readonly NamedMode[] = [
      { id: 'off', name: 'Thinking: off' },
      { id: 'high', name: 'Thinking: high' },
    ];
    const thinking = await scenario({
      agent: {
        session: {
          modes: modesOf('off', levels),
          configOptions: [
            optionOf('off', levels, { id: 'thought_level', name: 'Thinking', category: 'thought_level' }),
          ],
        },
        on: { 'session/set_config_option': [s.respond({})] },
        prompts: [{ steps: [s.toolCall('t', { kind: 'execute', status: 'completed' })] }],
      },
      script: [setMode('high'), { do: 'prompt', text: 'go' }],
    });
    assert.deepEqual(mode(thinking), { id: 'high', name: 'Thinking: high', asksNothing: null });
    assert.deepEqual([current(thinking), optionValue(thinking, 'thought_level')], ['high', 'high']);

    const url = 'https://example.org/protocol/session-modes#';
    const addresses = [`${url}agent`, `${url}plan`].map((id): NamedMode => ({ id, name: id }));
    const addressed = await change({ modes: modesOf(`${url}agent`, addresses) }, {}, `${url}plan`);
    assert.deepEqual([mode(addressed).id, mode(addressed).name], [`${url}plan`, 'plan']);

    const absent = await scenario({ agent: { session: { configOptions: [optionOf('elsewhere')] } }, prompts: ['go'] });
    assert.deepEqual(mode(absent), { id: 'elsewhere', name: 'elsewhere', asksNothing: null });
  });

  it('oddity 17: options of any category, boolean ones too, keep their place and take the answer', async () => {
    const options = (fast: boolean): readonly JsonObject[] => [
      {
        id: 'collaboration_mode',
        name: 'Collaboration',
        category: 'collaboration_mode',
        type: 'select',
        currentValue: 'x',
        options: [],
      },
      { id: 'fast-mode', name: 'Fast', category: 'model_config', type: 'boolean', currentValue: fast },
      { id: 'later', name: 'Later', type: 'slider', currentValue: 3 },
    ];
    const run = await scenario({
      agent: {
        session: { configOptions: options(false) },
        on: {
          'session/set_config_option': {
            calls: [
              [s.respond({ configOptions: options(true) })],
              [s.fail({ code: -32602, message: 'Invalid params', data: 'Unknown config option: no-such' })],
            ],
          },
        },
      },
      script: [
        { do: 'setConfigOption', configId: 'fast-mode', value: true },
        { do: 'setConfigOption', configId: 'no-such', value: 'x' },
      ],
    });
    assert.deepEqual(
      (run.transcript['configOptions'] as readonly JsonObject[]).map(({ id, value }) => [id, value]),
      [
        ['collaboration_mode', 'x'],
        ['fast-mode', true],
      ],
    );
    assert.equal(run.transcript['mode'], undefined);
    assert.deepEqual(notices(run), [
      'node did not set no-such to “x”. It answered: “Invalid params: Unknown config option: no-such”.',
    ]);
  });

  it('oddity 17: a request to leave a mode names the modes that it leads to', async () => {
    const options = [
      { optionId: 'exit-plan-default', name: 'Yes, manually approve edits', kind: 'allow_once' },
      { optionId: 'exit-plan-auto', name: 'Yes, and use auto mode', kind: 'allow_always' },
      { optionId: 'reject', name: 'No, keep planning', kind: 'reject_once' },
    ];
    const call = {
      toolCallId: 'exit',
      title: 'Approve Plan',
      kind: 'switch_mode',
      status: 'pending',
      rawInput: {},
      content: [],
    };
    const run = await scenario({
      agent: {
        session: { modes: modesOf('plan'), configOptions: [optionOf('plan')] },
        prompts: [
          {
            steps: [
              s.toolCall('exit', call),
              s.permission(call, options, { id: 0 }),
              modeNews('default'),
              optionNews(optionOf('default')),
              s.toolUpdate('exit', { status: 'completed' }),
            ],
          },
        ],
      },
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'answer', toolCallId: 'exit', optionId: 'exit-plan-default' },
      ],
    });
    const [asked] = run.events('approval');
    assert.equal(asked?.['title'], 'Switch to mode Manual?');
    assert.deepEqual(asked['switchesTo'], ['Manual', 'Auto, asks nothing']);
    assert.deepEqual(run.answerTo(0).result, selected('exit-plan-default'));
    assert.equal(mode(run).name, 'Manual');
  });
});
