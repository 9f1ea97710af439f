/** Groups 10, 18, 19 and 23 of the oddities of real agents: prompts, errors, ends of turns, stderr. */
import assert from 'node:assert/strict';
import type { Json, PromptScript, RpcErrorShape, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cleanAfterEach, indexOf, outline, scenario, type Result } from './scenario.js';
import { notices } from './transcripts.js';

const texts = (run: Result): readonly unknown[] =>
  run.sentOf('session/prompt').map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text);
const title: Step = s.update({ sessionUpdate: 'session_info_update', title: 'mock' });

/** A run whose only prompt says `steps` and is answered with this error. */
const failing = (error: RpcErrorShape, ...steps: readonly Step[]): Promise<Result> =>
  scenario({ agent: [...steps, s.fail(error)], prompts: ['go'] });
const gone = 'Nothing was changed since your prompt. The text is still here.';

describe('oddities of real agents: turns', () => {
  cleanAfterEach();

  it('oddity 10: a second prompt is not sent before the first was answered, whatever the agent would make of it', async () => {
    const run = await scenario({
      agent: {
        // Were both on the wire, this one would refuse the second, as some do; others cancel the first or lose one.
        prompts: [{ steps: [s.waitFor('session/prompt', 1), s.wait(150), s.text('one')] }, { steps: [s.text('two')] }],
      },
      script: [
        { do: 'prompt', text: 'first' },
        { do: 'prompt', text: 'second' },
        { do: 'prompt', text: 'third' },
      ],
    });
    assert.deepEqual(texts(run), ['first', 'second', 'third']);
    assert.equal(run.sentOf('session/cancel').length, 0);
    assert.deepEqual(
      outline(run).filter((line) => !line.startsWith('notice')),
      ['user:first', 'assistant:one', 'user:second', 'assistant:two', 'user:third', 'assistant:ok'],
    );
    const ends = run.lines.filter(({ event }) => event === 'turnEnded' || event === 'promptSent');
    assert.deepEqual(
      ends.map(({ event }) => event),
      ['promptSent', 'turnEnded', 'promptSent', 'turnEnded', 'promptSent', 'turnEnded'],
    );
  });

  it('oddity 10: an agent that says it is busy, or fails the cancelled prompt with an empty error, leaves a usable session', async () => {
    const busy = await scenario({
      agent: {
        prompts: [
          {
            steps: [
              s.fail({
                code: -32600,
                message: 'Invalid request: another turn is already in progress',
                data: { code: 'turn.agent_busy' },
              }),
            ],
          },
          { steps: [s.text('now')] },
        ],
      },
      script: [
        { do: 'prompt', text: 'a' },
        { do: 'waitFor', event: 'turnFailed' },
        { do: 'prompt', text: 'b' },
      ],
    });
    assert.deepEqual(notices(busy), [
      `The turn failed. node reported: “Invalid request: another turn is already in progress”. ${gone}`,
    ]);
    assert.deepEqual([texts(busy), assistantText(busy)], [['a', 'b'], 'now']);

    const cancelled = await scenario({
      agent: {
        prompts: [
          { steps: [s.text('x'), s.hang(), s.fail({ code: -32603, message: 'Internal error', data: {} })] },
          { steps: [s.text('y')] },
        ],
      },
      script: [
        { do: 'prompt', text: 'a' },
        { do: 'waitFor', event: 'messageChunk' },
        { do: 'cancel' },
        { do: 'prompt', text: 'b' },
      ],
    });
    assert.deepEqual([texts(cancelled), assistantText(cancelled)], [['a', 'b'], 'xy']);
    assert.deepEqual([cancelled.events('turnFailed'), cancelled.status], [[], 0]);
    assert.equal(cancelled.sentOf('session/cancel').length, 1);
  });

  const empty: readonly (readonly [string, readonly Step[]])[] = [
    ['nothing at all', []],
    ['a title', [title]],
    ['a line break', [s.text('\n')]],
    ['an empty text', [s.text('')]],
    ['a thought', [s.thought('Hm.')]],
    ['usage', [s.update({ sessionUpdate: 'usage_update', used: 1, size: 2 })]],
  ];
  for (const [what, steps] of empty) {
    it(`oddity 18: a turn that ends with ${what} is told to have no answer`, async () => {
      const run = await scenario({ agent: steps, prompts: ['go'] });
      assert.deepEqual(notices(run), ['node sent no answer. It ended the turn without a text or a tool call.']);
      assert.deepEqual([texts(run), run.status], [['go'], 0]);
    });
  }

  it('oddity 18: an error that comes as a text and the end of the turn is that text, and nothing more', async () => {
    const run = await scenario({
      agent: [
        s.text('exceeded retry limit, last status: 429 Too Many Requests\n\n'),
        s.respond({ stopReason: 'end_turn', usage: null }),
      ],
      prompts: ['go'],
    });
    assert.deepEqual([notices(run), run.status], [[], 0]);
    assert.match(assistantText(run), /429 Too Many Requests/);
  });

  const body = (code: number, message: string, status: string): string =>
    JSON.stringify({ error: { code, message, status, details: [{ reason: 'API_KEY_INVALID' }] } });
  const errors: readonly (readonly [string, RpcErrorShape, string])[] = [
    [
      'an HTTP status as code and JSON as message',
      { code: 401, message: body(401, 'invalid api key', 'UNAUTHENTICATED') },
      'invalid api key (HTTP 401)',
    ],
    ['the same for 429', { code: 429, message: body(429, 'slow down', 'RESOURCE_EXHAUSTED') }, 'slow down (HTTP 429)'],
    [
      'the cause in data.details',
      { code: -32603, message: 'Internal error', data: { details: '401 invalid api key' } },
      'Internal error: 401 invalid api key',
    ],
    [
      'JSON in data.message',
      {
        code: -32603,
        message: 'Internal error',
        data: {
          message: JSON.stringify({ error: { message: 'bad request', param: null } }),
          codex_error_info: 'other',
        },
      },
      'Internal error: bad request',
    ],
    [
      'a plain text as data',
      { code: -32602, message: 'Invalid params', data: 'Unknown model' },
      'Invalid params: Unknown model',
    ],
    [
      'an error in data',
      { code: -32603, message: 'Internal error', data: { error: { message: 'overloaded' } } },
      'Internal error: overloaded',
    ],
    ['empty data', { code: -32603, message: 'Internal error', data: {} }, 'Internal error'],
    ['broken JSON', { code: 400, message: '{"error": ' }, '{"error":  (HTTP 400)'],
  ];
  for (const [what, error, said] of errors) {
    it(`oddity 18: an error with ${what} is a sentence`, async () => {
      const run = await failing(error);
      assert.equal(run.events('turnFailed')[0]?.['message'], said);
      assert.deepEqual(notices(run), [`The turn failed. node reported: “${said}”. ${gone}`]);
      assert.deepEqual([texts(run), run.status], [['go'], 1]);
    });
  }

  it('oddity 18: an error that stands in the conversation already is not said a second time', async () => {
    const words = 'API Error: 400 bad request from mock';
    const twice = await failing(
      { code: -32603, message: `Internal error: ${words}`, data: { errorKind: 'unknown' } },
      s.text(words, 'm1'),
    );
    assert.equal(assistantText(twice), words);
    assert.deepEqual(notices(twice), [`The turn failed. node reported what stands above. ${gone}`]);
    assert.equal(twice.events('turnFailed')[0]?.['message'], `Internal error: ${words}`);

    const other = await failing({ code: -32603, message: `Internal error: ${words}` }, s.text('API'));
    assert.deepEqual(notices(other), [`The turn failed. node reported: “Internal error: ${words}”. ${gone}`]);

    const earlier = await scenario({
      agent: { prompts: [{ steps: [s.text(words)] }, { steps: [s.fail({ code: -32603, message: words })] }] },
      script: [
        { do: 'prompt', text: 'a' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'prompt', text: 'b' },
      ],
    });
    assert.match(notices(earlier)[0] ?? '', /reported: “API Error/);
  });

  it('oddity 18: "sign in" is what -32000 means where the words agree, and the host signs in nowhere by itself', async () => {
    const run = await failing({ code: -32000, message: 'Authentication required' }, s.text('Failed to authenticate.'));
    assert.equal(run.events('turnFailed')[0]?.['reason'], 'unauthenticated');
    assert.match(notices(run)[0] ?? '', /^Sign in to node\./);
    assert.equal(run.sentOf('authenticate').length, 0);
    const other = await failing({ code: -32000, message: 'Model not found' });
    assert.equal(other.events('turnFailed')[0]?.['reason'], 'agentError');
  });

  it('oddity 18: an error of a code of its own at initialize is a refusal to start, with its cause', async () => {
    const run = await scenario({
      agent: {
        on: {
          initialize: [
            s.fail({
              code: 1001,
              message: 'Codex exited',
              data: { restartable: true, details: 'config.toml: unknown variant `untrusted`' },
            }),
          ],
        },
      },
      prompts: ['go'],
    });
    const [probe] = run.events('probe');
    assert.equal(probe?.['reason'], 'handshake_error');
    assert.match(String(probe['message']), /\(1001\): “Codex exited: config\.toml: unknown variant `untrusted`”/);
    assert.deepEqual([run.status, run.sentOf('session/new').length, run.sentOf('initialize').length], [76, 0, 1]);
  });

  it('oddity 18: a prompt that is silent has no time limit and can be stopped', async () => {
    const run = await scenario({
      agent: [s.hang()],
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'promptSent' },
        { do: 'cancel', afterMs: 700 },
      ],
    });
    assert.deepEqual(run.events('turnEnded')[0]?.['stopReason'], 'cancelled');
    assert.equal(run.sentOf('session/cancel').length, 1);
    assert.deepEqual([run.events('turnFailed'), notices(run), run.status], [[], [], 0]);
  });

  const ends: readonly (readonly [string, readonly string[]])[] = [
    ['end_turn', []],
    ['cancelled', []],
    ['refusal', ['node refused to go on. Its last answer and your prompt are not part of its memory.']],
    ['max_tokens', ['The answer was cut. node reached its token limit.']],
    ['max_turn_requests', ['The answer was cut. node reached its limit of requests for a turn.']],
    ['paused', ['The turn ended. node gave a reason that this version does not know: “paused”.']],
  ];
  for (const [stopReason, said] of ends) {
    it(`oddity 19: a turn that ends with ${stopReason}`, async () => {
      const script: PromptScript = { stopReason, steps: [s.text('I ran out of tok'), s.toolCall('open')] };
      const run = await scenario({ agent: { prompts: [script, { steps: [s.text('on')] }] }, prompts: ['go', 'next'] });
      assert.equal(run.events('turnEnded')[0]?.['stopReason'], stopReason);
      assert.deepEqual([notices(run), run.status], [said, 0]);
      assert.equal(
        run.entries.find(({ kind }) => kind === 'tool')?.['status'],
        stopReason === 'cancelled' ? 'cancelled' : 'interrupted',
      );
      assert.deepEqual([texts(run), run.sentOf('session/cancel').length], [['go', 'next'], 0]);
    });
  }

  it('oddity 19: an answer that is tried again comes again, each time as a message of its own', async () => {
    const run = await scenario({
      agent: [
        ...['m1', 'm2', 'm3'].map((id) => s.text('I ran out of tok', id)),
        s.fail({
          code: -32603,
          message: 'Internal error: too many output tokens',
          data: { errorKind: 'max_output_tokens' },
        }),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(
      run.entries.filter(({ kind }) => kind === 'assistant').map(({ text }) => text),
      ['I ran out of tok', 'I ran out of tok', 'I ran out of tok'],
    );
    assert.match(notices(run)[0] ?? '', /too many output tokens/);
    assert.equal(texts(run).length, 1);
  });

  it('oddity 23: stderr is no part of the conversation, and its end is shown only where the agent dies', async () => {
    const noisy: readonly Step[] = [
      s.stderr('Ripgrep is not available. Falling back to GrepTool.\n'),
      s.stderr('Error handling request {\n  jsonrpc: "2.0",\n  method: "session/prompt"\n}\n'),
      s.stderr(100_000),
      s.text('fine'),
    ];
    const run = await scenario({ agent: noisy, prompts: ['go'] });
    assert.deepEqual([outline(run), run.status], [['user:go', 'assistant:fine'], 0]);
    assert.ok(run.sent.every(({ method, error }) => method !== undefined || error === undefined));

    const dead = await scenario({ agent: [...noisy, s.stderr('the last word\n'), s.exit(3)], prompts: ['go'] });
    const [exit] = dead.events('agentExited');
    assert.equal((exit?.['stderrTail'] as Json[]).at(-1), 'the last word');
    assert.ok(indexOf(dead, 'agentExited') > indexOf(dead, 'messageChunk'));
    assert.equal(dead.status, 1);
  });
});
