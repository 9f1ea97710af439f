import assert from 'node:assert/strict';
import type { Json, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cleanAfterEach, scenario } from './scenario.js';

const sentence = 'naïve 中文 🙂 é 👨‍👩‍👧 ﷽';
const chunk = (value: string): Json => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId: '{{sessionId}}',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: value } },
  },
});

describe('wire', () => {
  cleanAfterEach();

  it('B01 item 7 keeps log lines of any shape out of the chat and answers none of them', async () => {
    const logs = [
      '[boot] adapter ready',
      '[2026-01-01] [info] started',
      '{"level":30,"time":1,"msg":"listening"}',
      '{"level":"info","id":4,"method_name":"x"}',
      '{ not json',
      'WARN retrying in 2s',
      '42',
      'null',
      '"text"',
      '\u001b[32mgreen\u001b[0m',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","result":{}}',
    ];
    const run = await scenario({
      agent: {
        start: logs.map((line) => s.noise(line)),
        prompts: [{ steps: [s.text('a'), ...logs.map((line) => s.raw(`${line}\n`)), s.text('b')] }],
      },
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.equal(assistantText(run), 'ab');
    assert.deepEqual(
      run.events('noise').map((line) => line['line']),
      [...logs, ...logs],
    );
    assert.deepEqual(
      run.sent.map(({ method }) => method),
      ['initialize', 'session/new', 'session/prompt'],
    );
    assert.match(run.stderr, /adapter ready/);
  });

  it('item 7 takes thousands of log lines of an agent that does not read meanwhile', async () => {
    const run = await scenario({
      agent: {
        start: [
          { do: 'repeat', times: 2_500, steps: [s.noise('not a frame {{i}}'), s.noise('{"level":30,"line":{{i}}}')] },
        ],
      },
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.equal(run.events('noise').length, 5_000);
    assert.equal(run.sent.length, 3);
  });

  it('B04 item 8 keeps characters whole, cut at any byte', async () => {
    const run = await scenario({
      agent: [
        s.frame(chunk(sentence), { cuts: 'bytes', delayMs: 1 }),
        s.frame(chunk(sentence), { cuts: 'insideCharacters', delayMs: 2 }),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(
      run.events('messageChunk').map((line) => line['text']),
      [sentence, sentence],
    );
    assert.equal(assistantText(run), sentence + sentence);
  });

  it('item 8 reads past ANSI lines, a byte order mark, CRLF, blank lines and bytes that are no UTF-8', async () => {
    const plain = (text: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 'S1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
      });
    const broken = Buffer.concat([
      Buffer.from(plain('|').slice(0, -6)),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(plain('|').slice(-6)),
      Buffer.from('\n'),
    ]);
    const run = await scenario({
      agent: [
        s.raw(`\u001b[2J\n\n   \n\r\n\ufeff${plain('a')}\r\n`),
        { do: 'raw', base64: broken.toString('base64') },
        s.raw(`${plain('b')}\n`),
      ],
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.match(assistantText(run), /^a.*b$/);
  });

  it('item 9 item 11 goes on after pretty-printed and joined objects, and refuses a batch once', async () => {
    const request = { jsonrpc: '2.0', id: 'inside', method: 'fs/read_text_file', params: {} };
    const run = await scenario({
      agent: [
        s.raw(`${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: {} }, null, 2)}\n`),
        s.raw('{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}\n'),
        s.frame([request, request]),
        s.text('still here'),
      ],
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.equal(assistantText(run), 'still here');
    const answers = run.sent.filter(({ method }) => method === undefined);
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [[null, -32600]],
    );
  });

  it('B10 drains stderr before and during a turn and keeps its end', async () => {
    const run = await scenario({
      agent: {
        start: [s.stderr(300_000)],
        prompts: [{ steps: [s.stderr(5_000_000), s.text('done'), s.stderr('the last line\n'), s.exit(1)] }],
      },
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'done');
    const tail = run.events('agentExited')[0]?.['stderrTail'] as readonly string[];
    assert.equal(tail.at(-1), 'the last line');
    assert.ok(tail.join('\n').length < 64_000);
  });

  it('B11 item 14 answers ids of every shape with the same id, and its own requests stay apart', async () => {
    // The host's own prompt has id 2 and waits meanwhile.
    const ids: readonly Json[] = [2, '2', '7', 0, -3, 'a/b', '', null, 1.5, '__proto__', 2 ** 53];
    const run = await scenario({
      agent: [
        ...ids.flatMap((id) => [s.readFile('{{cwd}}/a.txt', {}, { id, wait: false }), s.waitResponse(id)]),
        s.text('end'),
      ],
      files: { 'a.txt': 'text' },
      prompts: ['go'],
    });
    for (const id of ids) {
      assert.deepEqual(run.answerTo(id).result, { content: 'text' });
    }
    assert.deepEqual(
      run.events('turnEnded').map((line) => line['stopReason']),
      ['end_turn'],
    );
  });

  it('B11 answers two requests with one id in flight both', async () => {
    const run = await scenario({
      agent: [
        s.oneWrite(
          s.readFile('{{cwd}}/a.txt', {}, { id: 5, wait: false }),
          s.readFile('{{cwd}}/a.txt', {}, { id: 5, wait: false }),
        ),
        s.waitResponse(5),
        s.wait(50),
      ],
      files: { 'a.txt': 'text' },
      prompts: ['go'],
    });
    assert.equal(run.sent.filter(({ method, id }) => method === undefined && id === 5).length, 2);
    assert.equal(run.status, 0);
  });

  it('B12 item 12 item 13 refuses unknown requests with -32601 and ignores unknown notifications', async () => {
    const methods = [
      ...['_vendor/ask', 'elicitation/create', 'mcp/message', 'foo/bar', 'session/update', 'session/prompt'],
      'constructor',
    ];
    const run = await scenario({
      agent: [
        { do: 'notify', method: '_vendor/ping', params: {} },
        { do: 'notify', method: 'foo', params: [1] },
        ...['elicitation/complete', 'auth/status_update', 'mcp/message'].map((method): Step => ({
          do: 'notify',
          method,
          params: {},
        })),
        ...methods.map((method) => s.request(method, { sessionId: '{{sessionId}}' }, { id: method })),
        s.text('on'),
      ],
      prompts: ['go'],
    });
    for (const method of methods) {
      assert.equal(run.answerTo(method).error?.code, -32601, method);
    }
    assert.equal(assistantText(run), 'on');
    assert.equal(run.status, 0);
  });

  it('item 15 ignores answers to nothing, a second answer, and an id of the wrong type', async () => {
    const answer = (id: Json, stopReason: string): Json => ({ jsonrpc: '2.0', id, result: { stopReason } });
    const run = await scenario({
      agent: {
        prompts: [
          {
            steps: [
              s.frame(answer(99, 'refusal')),
              s.frame(answer('2', 'refusal')),
              s.frame(answer(1, 'refusal')),
              s.frame({ jsonrpc: '2.0', id: 0, error: { code: 1, message: 'x' } }),
              s.text('a'),
              s.respond({ stopReason: 'max_tokens' }),
              s.frame(answer(2, 'refusal')),
            ],
          },
          { steps: [s.text('b')] },
        ],
      },
      prompts: ['one', 'two'],
    });
    assert.deepEqual(
      run.events('turnEnded').map((line) => line['stopReason']),
      ['max_tokens', 'end_turn'],
    );
    assert.equal(run.status, 0);
  });

  it('item 15 a malformed answer to a prompt fails the turn and leaves the connection', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [s.frame({ jsonrpc: '2.0', id: '{{requestId}}', error: 'no' }), s.hang()] },
          { steps: [s.text('b')] },
        ],
        parallelPrompts: true,
      },
      prompts: ['one', 'two'],
    });
    assert.equal(run.events('turnFailed').length, 1);
    assert.equal(assistantText(run), 'b');
  });
});
