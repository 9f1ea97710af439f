import assert from 'node:assert/strict';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cancelled, cleanAfterEach, indexOf, scenario, type Result } from './scenario.js';

const prompt = (text: string): Record<string, unknown> => ({ do: 'prompt', text });
const waitFor = (event: string, match: Record<string, unknown> = {}): Record<string, unknown> => ({
  do: 'waitFor',
  event,
  match,
});
const stopReasons = (run: Result): unknown[] => run.events('turnEnded').map((line) => line['stopReason']);
const prompted = (run: Result): unknown[] =>
  run
    .sentOf('session/prompt')
    .map(({ params }) => (params as { prompt: readonly { text: string }[] }).prompt.map(({ text }) => text).join());

describe('headless host: script', () => {
  cleanAfterEach();

  it('sends two --prompt texts one after the other, and the actions of the script after them', async () => {
    const run = await scenario({ prompts: ['one', 'two'], script: [prompt('three'), prompt('four')] });
    assert.deepEqual(prompted(run), ['one', 'two', 'three', 'four']);
    assert.deepEqual(stopReasons(run), ['end_turn', 'end_turn', 'end_turn', 'end_turn']);
    assert.equal(run.events('promptQueued').length, 1, 'four had to wait for three');
    assert.equal(run.status, 0);
  });

  it('B53 item 67 never has two prompts in flight in a session', async () => {
    // The agent refuses a second prompt while one runs, which would be a failed turn.
    const run = await scenario({
      agent: { prompts: [{ steps: [s.text('a'), s.wait(150)] }, { steps: [s.text('b')] }, { steps: [s.text('c')] }] },
      script: [prompt('one'), prompt('two'), prompt('three')],
    });
    assert.deepEqual(prompted(run), ['one', 'two', 'three']);
    assert.equal(run.events('turnFailed').length, 0);
    for (const index of [1, 2]) {
      const sent = run.lines.indexOf(run.events('promptSent')[index] ?? run.lines[0]!);
      assert.ok(sent > run.lines.indexOf(run.events('turnEnded')[index - 1] ?? run.lines[0]!));
    }
    assert.equal(run.status, 0);
  });

  it('B53 does not send what was queued before a cancel, and shows that it is kept', async () => {
    const run = await scenario({
      agent: [s.text('a'), s.hang()],
      script: [prompt('one'), waitFor('messageChunk'), prompt('two'), { do: 'cancel' }],
    });
    assert.deepEqual(prompted(run), ['one']);
    assert.deepEqual(
      (run.transcript['queue'] as readonly { text: string }[]).map(({ text }) => text),
      ['two'],
    );
    assert.equal(run.status, 0);
  });

  it('cancels with and without a delay, and sends a prompt after it as soon as the cancelled turn has ended', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { match: 'hang', steps: [s.text('a'), s.hang()] },
          { match: 'go', steps: [s.text('b')] },
        ],
      },
      script: [
        prompt('hang 1'),
        waitFor('messageChunk'),
        { do: 'cancel' },
        prompt('go 1'),
        waitFor('turnEnded', { stopReason: 'end_turn' }),
        prompt('hang 2'),
        waitFor('messageChunk'),
        { do: 'cancel', afterMs: 120 },
        prompt('go 2'),
      ],
    });
    assert.deepEqual(prompted(run), ['hang 1', 'go 1', 'hang 2', 'go 2']);
    assert.deepEqual(stopReasons(run), ['cancelled', 'end_turn', 'cancelled', 'end_turn']);
    assert.equal(run.sentOf('session/cancel').length, 2);
    const [, second] = run.events('cancelRequested');
    const chunk = run.events('messageChunk')[2];
    assert.ok(second !== undefined && chunk !== undefined && second.at - chunk.at >= 115);
    assert.equal(run.status, 0);
  });

  it('sends the cancel after the prompt, also where both are asked for at once', async () => {
    const run = await scenario({ agent: [s.text('a'), s.hang()], script: [prompt('one'), { do: 'cancel' }] });
    const methods = run.sent.map(({ method }) => method);
    assert.deepEqual(methods.slice(-2), ['session/prompt', 'session/cancel']);
    assert.deepEqual(stopReasons(run), ['cancelled']);
    assert.equal(run.status, 0);
  });

  it('B49 item 65 a second cancel ends the turn here; the next prompt waits until the agent is free', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [s.text('a'), s.waitFor('session/cancel'), { do: 'wait', ms: 300, uninterrupted: true }] },
          { steps: [s.text('b')] },
        ],
      },
      script: [
        prompt('one'),
        waitFor('messageChunk'),
        { do: 'cancel' },
        { do: 'cancel' },
        waitFor('turnEnded'),
        prompt('two'),
        waitFor('promptQueued'),
      ],
    });
    assert.deepEqual(prompted(run), ['one', 'two']);
    assert.deepEqual(stopReasons(run), ['cancelled', 'end_turn']);
    assert.ok(indexOf(run, 'promptQueued') < indexOf(run, 'promptSent', (line) => line['text'] === 'two'));
    assert.equal(run.sentOf('session/cancel').length, 1);
    assert.equal(run.status, 0);
  });

  it('B49 ends also where the agent never answers and ignores the cancel', async () => {
    const run = await scenario({
      agent: [s.text('a'), s.hang('never')],
      script: [prompt('one'), waitFor('messageChunk'), { do: 'cancel' }, { do: 'cancel' }],
    });
    assert.deepEqual(stopReasons(run), ['cancelled']);
    assert.equal((run.transcript['turn'] as { state: string }).state, 'idle');
    assert.equal(run.status, 0);
  });

  it('a cancel without a turn does nothing', async () => {
    const run = await scenario({ script: [{ do: 'cancel' }, prompt('one')] });
    assert.equal(run.sentOf('session/cancel').length, 0);
    assert.deepEqual(stopReasons(run), ['end_turn']);
  });

  it('waits for a line that came before, and takes each line for one wait only', async () => {
    const run = await scenario({
      agent: { prompts: [{ repeat: true, steps: [s.oneWrite(s.text('x'), s.text('y'), s.text('z'))] }] },
      script: [
        prompt('one'),
        waitFor('turnEnded'),
        prompt('two'),
        waitFor('messageChunk', { role: 'assistant', text: 'y' }),
        waitFor('turnEnded'),
      ],
    });
    assert.equal(run.status, 0);
    assert.deepEqual(stopReasons(run), ['end_turn', 'end_turn']);
  });

  it('kills the agent, and a prompt after it starts another one', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { match: 'hang', steps: [s.text('a'), s.hang()] },
          { match: 'go', steps: [s.text('b')] },
        ],
      },
      script: [
        prompt('hang'),
        waitFor('messageChunk'),
        { do: 'killAgent', signal: 'SIGTERM' },
        waitFor('agentExited', { signal: 'SIGTERM' }),
        prompt('go'),
      ],
    });
    assert.equal(run.events('initialized').length, 2);
    assert.equal((await run.fake.agentPids()).length, 2);
    assert.deepEqual(stopReasons(run), ['end_turn']);
    assert.match(assistantText(run), /ab$/);
    assert.equal(run.status, 1, 'the first turn did not end');
  });

  it('an agent that is killed between two turns fails none', async () => {
    const run = await scenario({
      script: [prompt('one'), waitFor('turnEnded'), { do: 'killAgent' }, waitFor('agentExited', { signal: 'SIGKILL' })],
    });
    assert.equal(run.status, 0);
  });

  it('opens a new session, which is the one of the last line', async () => {
    const run = await scenario({
      script: [prompt('one'), waitFor('turnEnded'), { do: 'newSession' }, prompt('two')],
    });
    assert.deepEqual(
      run.sentOf('session/prompt').map(({ params }) => (params as { sessionId: string }).sessionId),
      ['S1', 'S2'],
    );
    assert.equal(run.lines.at(-1)?.sessionId, 'S2');
    assert.deepEqual(
      run.entries.map(({ text }) => text),
      ['two', 'ok'],
    );
    assert.equal((await run.fake.agentPids()).length, 1, 'one process serves both');
  });

  it('closes a session: the agent is told where it offers that, and a running turn is cancelled before', async () => {
    for (const offered of [true, false]) {
      const run = await scenario({
        agent: {
          capabilities: offered ? { sessionCapabilities: { close: {} } } : {},
          prompts: [{ steps: [s.text('a'), s.permission('t1', s.usualOptions, { id: 'p', wait: false }), s.hang()] }],
        },
        script: [prompt('one'), waitFor('approval'), { do: 'close' }],
      });
      const methods = run.sent.flatMap(({ method }) => method ?? []).slice(3);
      assert.deepEqual(methods, offered ? ['session/cancel', 'session/close'] : ['session/cancel']);
      assert.deepEqual(run.answerTo('p').result, cancelled);
      assert.deepEqual(stopReasons(run), ['cancelled']);
      assert.equal(run.status, 0);
    }
  });

  it('item 51 sets a mode of the list and follows what the agent says of it', async () => {
    const modes = { currentModeId: 'ask', availableModes: ['ask', 'code', 'plan'].map((id) => ({ id, name: id })) };
    const run = await scenario({
      agent: {
        session: { modes },
        prompts: [
          { steps: [s.update({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })] },
          { steps: [s.update({ sessionUpdate: 'current_mode_update', modeId: 'ask' })] },
        ],
      },
      script: [{ do: 'setMode', modeId: 'code' }, prompt('one'), waitFor('turnEnded'), prompt('two')],
    });
    assert.deepEqual(run.sentOf('session/set_mode')[0]?.params, { sessionId: 'S1', modeId: 'code' });
    assert.deepEqual(
      run.events('modeChanged').map((line) => line['modeId']),
      ['code', 'plan', 'ask'],
    );
    assert.equal((run.transcript['modes'] as { currentModeId: string }).currentModeId, 'ask');
  });

  it('sets options, and the list of the answer replaces the one before', async () => {
    const option = (value: string): Record<string, string | object> => ({
      id: 'model',
      name: 'Model',
      type: 'select',
      currentValue: value,
      options: [
        { value: 'a', name: 'A' },
        { value: 'b', name: 'B' },
      ],
    });
    const run = await scenario({
      agent: {
        session: { configOptions: [option('a') as never] },
        on: { 'session/set_config_option': { calls: [[s.respond({ configOptions: [option('b') as never] })], []] } },
      },
      script: [
        { do: 'setConfigOption', configId: 'model', value: 'b' },
        { do: 'setConfigOption', configId: 'fast', value: true },
      ],
    });
    assert.deepEqual(
      run.sentOf('session/set_config_option').map(({ params }) => params),
      [
        { sessionId: 'S1', configId: 'model', value: 'b' },
        { sessionId: 'S1', configId: 'fast', type: 'boolean', value: true },
      ],
    );
    const [changed] = run.events('optionsChanged');
    assert.equal((changed?.['options'] as readonly { value: string }[])[0]?.value, 'b');
    assert.equal(run.status, 0);
  });

  it('an action that the agent refuses makes the status 1, and the run goes on', async () => {
    const run = await scenario({
      agent: { on: { 'session/set_mode': [s.fail({ code: -32602, message: 'no such mode' })] } },
      script: [{ do: 'setMode', modeId: 'x' }, prompt('one')],
    });
    assert.deepEqual(stopReasons(run), ['end_turn']);
    assert.equal(run.status, 1);
  });
});
