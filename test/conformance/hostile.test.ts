import assert from 'node:assert/strict';
import type { Json, JsonObject, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cleanAfterEach, indexOf, scenario } from './scenario.js';

const alive = s.text('still here');
const repeat = (times: number, ...steps: readonly Step[]): Step => ({ do: 'repeat', times, steps });

describe('an agent that means no good', () => {
  cleanAfterEach();

  it('floods with invalid requests, batches and answers to nothing: few answers, and the turn goes on', async () => {
    const run = await scenario({
      agent: [
        repeat(
          500,
          s.raw('{"method":"fs/read_text_file","id":1,"params":{}}\n'),
          s.raw('{"jsonrpc":"2.0","id":{"a":1},"method":"fs/read_text_file"}\n'),
          s.raw('[{"jsonrpc":"2.0","id":1,"method":"x"}]\n'),
          s.raw('{"jsonrpc":"2.0","id":777,"result":{}}\n'),
          s.raw('{"jsonrpc":"2.0","method":7}\n'),
        ),
        alive,
      ],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'still here');
    const answers = run.sent.filter(({ method }) => method === undefined);
    assert.ok(answers.length > 0 && answers.length <= 100, String(answers.length));
    assert.ok(answers.every(({ id, error }) => id === null && error?.code === -32600));
    assert.equal(run.status, 0);
  });

  it('asks with an id that cannot be answered: no question is put that has no answer', async () => {
    const params: JsonObject = {
      sessionId: '{{sessionId}}',
      toolCall: { toolCallId: 't' },
      options: s.usualOptions,
    };
    const ask = (id: Json): Step => s.frame({ jsonrpc: '2.0', id, method: 'session/request_permission', params });
    const run = await scenario({
      agent: [
        ask({ a: 1 }),
        ask([1]),
        ask(true),
        ask('x'.repeat(1_000_000)),
        s.frame({ id: 5, method: 'session/request_permission', params }),
        s.frame({ jsonrpc: '1.0', id: 6, method: 'session/request_permission', params }),
        alive,
      ],
      options: ['--answers', 'allow_once'],
      prompts: ['go'],
    });
    assert.equal(run.events('approval').length, 0);
    assert.equal(assistantText(run), 'still here');
    assert.ok(JSON.stringify(run.sent).length < 10_000);
  });

  it('sends ids, methods and names of a megabyte: nothing of them comes back', async () => {
    const huge = 'm'.repeat(1_000_000);
    const run = await scenario({
      agent: [
        s.frame({ jsonrpc: '2.0', id: 'a', method: huge }),
        s.frame({ jsonrpc: '2.0', id: 'b', method: huge.slice(0, 4_000) }),
        s.frame({ jsonrpc: '2.0', id: huge, result: {} }),
        s.toolCall(huge, { title: 'x' }),
        s.toolCall('t', { title: huge }),
        s.permission({ toolCallId: huge }, s.usualOptions, { id: 'p' }),
        s.permission('t', [{ optionId: huge, name: huge, kind: 'allow_once' }], { id: 'q' }),
        s.readFile(`{{cwd}}/${huge}`, {}, { id: 'r' }),
        { do: 'notify', method: '$/cancel_request', params: { requestId: huge } },
        alive,
      ],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'still here');
    assert.ok(JSON.stringify(run.sent).length < 30_000);
    assert.ok(JSON.stringify(run.transcript).length < 100_000);
    assert.ok(run.stderr.length < 100_000);
  });

  it('sends a frame of 40 MB, and one that is no message: the session goes on', async () => {
    const run = await scenario({
      agent: [
        { do: 'raw', text: '{"level":30,"msg":"' },
        repeat(40, s.raw('x'.repeat(1_000_000))),
        s.raw('"}\n'),
        { do: 'raw', text: '{"jsonrpc":"2.0","id":{},"method":"x","params":"' },
        repeat(40, s.raw('y'.repeat(1_000_000))),
        s.raw('"}\n'),
        alive,
      ],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'still here');
    assert.ok(JSON.stringify(run.sent).length < 10_000);
    assert.equal(run.status, 0);
  });

  it('4.5.7 asks for everything before it has answered initialize, and for sessions that it does not have', async () => {
    const early: readonly Step[] = [
      s.request('fs/read_text_file', { sessionId: 'S1', path: '/etc/passwd' }, { id: 'r', wait: false }),
      s.request('fs/write_text_file', { sessionId: 'S1', path: '/tmp/x', content: '' }, { id: 'w', wait: false }),
      s.request('terminal/create', { sessionId: 'S1', command: 'id' }, { id: 't', wait: false }),
      s.request(
        'session/request_permission',
        { sessionId: 'S1', toolCall: { toolCallId: 'x' }, options: s.usualOptions as never },
        { id: 'p', wait: false },
      ),
      { ...s.text('early'), sessionId: 'S1' } as Step,
    ];
    const run = await scenario({
      agent: { start: early, on: { initialize: early.slice(4) }, prompts: [{ steps: [alive] }] },
      options: ['--write', 'allow', '--terminal', 'allow', '--acknowledge-unrestricted', '--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const id of ['r', 'w', 't', 'p']) {
      assert.equal(run.answerTo(id).error?.code, -32602, id);
    }
    assert.equal(assistantText(run), 'still here');
    assert.equal(run.events('messageChunk').length, 1);
  });

  it('gives two sessions one id: the second is refused, and the first stays its own', async () => {
    const run = await scenario({
      agent: { on: { 'session/new': [s.respond({ sessionId: 'S1' })] }, prompts: [{ repeat: true, steps: [alive] }] },
      script: [{ do: 'prompt', text: 'one' }, { do: 'waitFor', event: 'turnEnded' }, { do: 'newSession' }],
    });
    assert.equal(run.events('messageChunk').length, 1);
    assert.match(String(run.events('turnFailed')[0]?.['message']), /another open session/);
    assert.equal(run.status, 1);
  });

  it('4.5.11 asks a hundred questions at once: as many as a person could see wait, each is answered once', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `p${String(index)}`);
    const run = await scenario({
      agent: [
        s.oneWrite(...ids.map((id) => s.permission(id, s.usualOptions, { id, wait: false }))),
        ...ids.map((id) => s.waitResponse(id)),
        alive,
      ],
      options: ['--answers', 'reject_once'],
      prompts: ['go'],
    });
    for (const id of ids) {
      assert.ok(run.answerTo(id).result);
    }
    assert.ok(run.events('approval').length <= 64);
    assert.equal(run.events('approvalSettled').length, run.events('approval').length);
  });

  it('sends updates for sessions by the thousand: they are neither kept nor shown', async () => {
    const stray = { ...s.text('x'.repeat(1_000)), sessionId: 'foreign-{{i}}' } as Step;
    const run = await scenario({ agent: [repeat(5_000, stray), alive], prompts: ['go'] });
    assert.equal(assistantText(run), 'still here');
    assert.equal(run.events('messageChunk').length, 1);
  });

  it('floods with requests that it does not read the answers of: the connection ends with a reason', async () => {
    const flood = s.raw('{"jsonrpc":"2.0","id":1,"method":"x/y"}\n'.repeat(1_000));
    const run = await scenario({
      agent: [{ do: 'stopReading' }, repeat(60, flood), s.hang('never')],
      prompts: ['go'],
    });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /requests without waiting/);
  });

  it('asks for file after file and reads none: no more are read than have room, and all come once it reads', async () => {
    const files = 80;
    const reads = Array.from({ length: files }, (_, at) =>
      s.request(
        'fs/read_text_file',
        { sessionId: '{{sessionId}}', path: '{{cwd}}/big' },
        { id: `r${String(at)}`, wait: false },
      ),
    );
    const run = await scenario({
      files: { big: 'x'.repeat(1_000_000) },
      agent: [
        { do: 'stopReading' },
        ...reads,
        { do: 'wait', ms: 1_500, uninterrupted: true },
        s.text('reads again'),
        { do: 'readOn' },
        ...reads.map((_, at): Step => ({ do: 'waitResponse', id: `r${String(at)}` })),
        s.text('.'),
      ],
      prompts: ['go'],
    });
    const before = run.lines.slice(0, indexOf(run, 'messageChunk')).filter(({ event }) => event === 'fileRead').length;
    assert.ok(before < files / 2, `${String(before)} files were read`);
    assert.equal(run.events('fileRead').length, files);
    assert.equal(assistantText(run), 'reads again.');
  });

  it('closes its output and stays: it is ended and told as an exit', async () => {
    const run = await scenario({ agent: [s.text('a'), { do: 'closeStdout' }, s.hang('never')], prompts: ['go'] });
    assert.equal(run.events('agentExited').length, 1);
    assert.equal(run.status, 1);
  });

  it('nests values beyond any sense: they are left out', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const run = await scenario({
      agent: [
        s.raw(
          `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S1","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"T","rawInput":${deep}}}}\n`,
        ),
        s.raw(`{"jsonrpc":"2.0","id":"d","method":"fs/read_text_file","params":{"sessionId":"S1","path":${deep}}}\n`),
        s.waitResponse('d'),
        alive,
      ],
      prompts: ['go'],
    });
    assert.equal(assistantText(run), 'still here');
    assert.equal(run.answerTo('d').error?.code, -32602);
  });
});
