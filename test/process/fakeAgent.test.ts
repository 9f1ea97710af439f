import assert from 'node:assert/strict';
import { fakeAgent, isAlive, waitUntilGone } from '../support/fakeAgent.js';
import type { FakeAgent } from '../support/fakeAgent.js';
import type { FakeAgentScript, Frame, JsonObject, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { rpcProcess } from '../support/rpcProcess.js';
import type { RpcProcess, Serve } from '../support/rpcProcess.js';

const prompt = (text: string, sessionId = 'S1'): JsonObject => ({ sessionId, prompt: [{ type: 'text', text }] });

const chunkTexts = (frames: readonly Frame[]): readonly string[] =>
  frames.flatMap((frame) => {
    const params = frame.params as { update?: { content?: { text?: string } } } | undefined;
    return params?.update?.content?.text ?? [];
  });

describe('fake agent', () => {
  let agent: FakeAgent;
  let rpc: RpcProcess;

  /** Starts it and opens session S1. */
  const start = async (script: FakeAgentScript | readonly Step[], serve: Readonly<Record<string, Serve>> = {}) => {
    agent = fakeAgent(script, { drivenBy: 'test' });
    rpc = rpcProcess(agent.command, agent.args, { serve });
    await rpc.request('initialize', { protocolVersion: 1 });
    await rpc.request('session/new', { cwd: '/ws', mcpServers: [] });
  };

  afterEach(async () => {
    await rpc.dispose();
    await agent.dispose();
  });

  it('is a polite agent without a script', async () => {
    await start({});
    assert.deepEqual(rpc.frames[0]?.result, {
      protocolVersion: 1,
      agentCapabilities: {},
      authMethods: [],
      agentInfo: { name: 'fake-agent', version: '1.0.0' },
    });
    assert.deepEqual((await rpc.request('session/new', { cwd: '/ws' })).result, { sessionId: 'S2' });
    assert.deepEqual((await rpc.request('session/prompt', prompt('hi'))).result, { stopReason: 'end_turn' });
    assert.deepEqual(chunkTexts(rpc.frames), ['ok']);
    assert.equal((await rpc.request('no/such', {})).error?.code, -32601);
    rpc.child.stdin.end();
    assert.deepEqual(await rpc.exited, { code: 0, signal: null });
  });

  it('remembers a cancel that came before the hang', async () => {
    await start([s.waitFor('session/cancel'), s.text('late'), s.hang()]);
    const answer = rpc.request('session/prompt', prompt('go'));
    rpc.notify('session/cancel', { sessionId: 'S1' });
    assert.deepEqual((await answer).result, { stopReason: 'cancelled' });
    assert.deepEqual(chunkTexts(rpc.frames), ['late']);
  });

  it('keeps the cancel of one session from another, and of one turn from the next', async () => {
    await start({ prompts: [{ repeat: true, steps: [s.text('on'), s.hang()] }] });
    await rpc.request('session/new', { cwd: '/ws2' });
    rpc.notify('session/cancel', { sessionId: 'S1' });
    const first = rpc.request('session/prompt', prompt('one', 'S1'));
    const second = rpc.request('session/prompt', prompt('two', 'S2'));
    await rpc.waitFor((frame) => (frame.params as { sessionId?: string } | undefined)?.sessionId === 'S2');
    rpc.notify('session/cancel', { sessionId: 'S2' });
    assert.deepEqual((await second).result, { stopReason: 'cancelled' });
    assert.equal(rpc.frames.filter((frame) => frame.result !== undefined).length, 4, 'the first turn still runs');
    rpc.notify('session/cancel', { sessionId: 'S1' });
    assert.deepEqual((await first).result, { stopReason: 'cancelled' });
  });

  it('refuses a second prompt while one runs', async () => {
    await start([s.hang()]);
    const first = rpc.request('session/prompt', prompt('one'));
    assert.equal((await rpc.request('session/prompt', prompt('two'))).error?.code, -32600);
    rpc.notify('session/cancel', { sessionId: 'S1' });
    await first;
    assert.deepEqual((await rpc.request('session/prompt', prompt('three'))).result, { stopReason: 'end_turn' });
  });

  it('cuts a frame at every byte and inside characters without changing it', async () => {
    const words = 'naïve 中文 🙂 é';
    const body: JsonObject = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } };
    await start([
      s.update(body, { cuts: 'bytes', delayMs: 1 }),
      s.update(body, { cuts: 'insideCharacters', delayMs: 5 }),
    ]);
    const before = rpc.pieces.length;
    await rpc.request('session/prompt', prompt('go'));
    assert.deepEqual(chunkTexts(rpc.frames), [words, words]);
    assert.ok(rpc.pieces.length - before > 20, 'it came in pieces');
    assert.ok(
      rpc.pieces.some((piece) => piece.toString('utf8').includes('\uFFFD')),
      'a piece ends inside a character',
    );
  });

  it('fills templates, keeps types, and shows what the host answered', async () => {
    const read: Serve = (params) => ({ result: { content: `text of ${params['path'] as string}` } });
    await start(
      [
        s.readFile('{{cwd}}/a.txt', { line: 2 }, { id: '{{requestId}}', as: 'file' }),
        s.text('{{file.result.content}} in {{sessionId}} for {{text}}'),
        s.echo('file'),
      ],
      { 'fs/read_text_file': read },
    );
    await rpc.request('session/prompt', prompt('me'));
    const request = rpc.frames.find((frame) => frame.method === 'fs/read_text_file');
    assert.deepEqual(request?.params, { sessionId: 'S1', path: '/ws/a.txt', line: 2 });
    assert.strictEqual(request.id, 2, 'the id of the prompt, still a number');
    assert.equal(chunkTexts(rpc.frames)[0], 'text of /ws/a.txt in S1 for me');
    assert.match(chunkTexts(rpc.frames)[1] ?? '', /^\{"jsonrpc":"2.0","id":2,"result"/);
  });

  it('sends several messages in one write', async () => {
    await start([
      s.oneWrite(
        s.text('a'),
        s.toolCall('x'),
        s.permission('x', s.usualOptions, { id: 11, wait: false }),
        s.permission('x', s.usualOptions, { id: 'b', wait: false }),
        s.respond({ stopReason: 'end_turn' }),
      ),
      s.waitResponse('b', 'second'),
      s.waitResponse(11, 'first'),
      s.text('{{first.error.code}} {{second.error.code}}'),
    ]);
    await rpc.request('session/prompt', prompt('go'));
    const piece = rpc.pieces.at(-1)?.toString('utf8') ?? '';
    assert.equal(piece.trim().split('\n').length, 5);
    await rpc.waitFor((frame) => chunkTexts([frame])[0] === '-32601 -32601');
  });

  it('picks prompts by text, then in order, and methods by call', async () => {
    await start({
      on: { 'session/set_mode': { calls: [[s.fail({ code: -1, message: 'not yet' })], []] } },
      prompts: [
        { steps: [s.text('first')] },
        { steps: [s.text('second')], stopReason: 'max_tokens' },
        { match: '/x', steps: [s.text('matched')] },
      ],
    });
    await rpc.request('session/prompt', prompt('say /x'));
    await rpc.request('session/prompt', prompt('a'));
    assert.deepEqual((await rpc.request('session/prompt', prompt('b'))).result, { stopReason: 'max_tokens' });
    await rpc.request('session/prompt', prompt('c'));
    assert.deepEqual(chunkTexts(rpc.frames), ['matched', 'first', 'second', 'ok']);
    assert.equal((await rpc.request('session/set_mode', {})).error?.message, 'not yet');
    assert.deepEqual((await rpc.request('session/set_mode', {})).result, {});
    assert.deepEqual((await rpc.request('session/set_mode', {})).result, {});
  });

  it('records what came to the letter, before it acts', async () => {
    await start([{ do: 'expectNone', method: '_x/ping' }, s.exit('SIGKILL')]);
    rpc.send('{"jsonrpc":"2.0",  "method":"_x/pong"}\nnot json\n');
    const gone = rpc.request('session/prompt', prompt('die')).catch(() => undefined);
    assert.deepEqual(await rpc.exited, { code: null, signal: 'SIGKILL' });
    await gone;
    const lines = (await agent.events()).flatMap((line) => (line.event === 'received' ? [line.line] : []));
    assert.deepEqual(lines.slice(2, 4), ['{"jsonrpc":"2.0",  "method":"_x/pong"}', 'not json']);
    assert.equal(lines.length, 5);
    assert.deepEqual(
      (await agent.record()).map((frame) => frame.method),
      ['initialize', 'session/new', '_x/pong', 'session/prompt'],
    );
    assert.deepEqual(await agent.violations(), []);
  });

  it('reports what it was told not to expect', async () => {
    await start([{ do: 'expectNone', method: '_x/ping' }, s.text('armed')]);
    await rpc.request('session/prompt', prompt('go'));
    rpc.notify('_x/ping', {});
    await agent.waitForEvent((line) => line.event === 'violation');
    assert.deepEqual(await agent.violations(), ['_x/ping']);
    assert.equal(await agent.count('_x/ping'), 1);
  });

  it('writes noise and stderr before the first answer, and waits for the pipe', async () => {
    await start({ start: [s.stderr(300_000), s.noise('[boot] ready')] });
    assert.equal(rpc.lines[0], '[boot] ready');
    await rpc.request('session/prompt', prompt('go'));
    assert.equal(rpc.stderr().length, 300_000);
  });

  it('starts a stubborn child and ignores the end of stdin and SIGTERM', async () => {
    await start({
      start: [
        { do: 'ignore', what: ['eof', 'SIGTERM'] },
        { do: 'spawn', detached: true, ignoreEof: true, ignoreTerm: true },
      ],
    });
    const pids = [...(await agent.agentPids()), ...(await agent.helperPids())];
    assert.equal(pids.length, 2);
    rpc.child.stdin.end();
    rpc.child.kill('SIGTERM');
    await agent.waitForEvent((line) => line.event === 'signal');
    await agent.waitForEvent((line) => line.event === 'ended');
    process.kill(pids[1] ?? 0, 'SIGTERM');
    assert.deepEqual(pids.filter(isAlive), pids);
    await agent.dispose();
    await waitUntilGone(pids, 2000);
  });

  it('floods with pieces of the exact size and stops at a cancel', async () => {
    await start({ prompts: [{ steps: [s.flood(2000, 40)] }, { steps: [s.flood(1_000_000, 40)] }] });
    await rpc.request('session/prompt', prompt('go'));
    const texts = chunkTexts(rpc.frames);
    assert.equal(texts.length, 2000);
    assert.ok(texts.every((text) => text.length === 40));
    const second = rpc.request('session/prompt', prompt('again'));
    await rpc.waitFor((frame) => frame === rpc.frames[2100]);
    rpc.notify('session/cancel', { sessionId: 'S1' });
    assert.deepEqual((await second).result, { stopReason: 'cancelled' });
  });

  it('ends with 70 when the script is wrong', async () => {
    await start([{ do: 'dance' } as unknown as Step]);
    await rpc.request('session/prompt', prompt('go')).catch(() => undefined);
    assert.equal((await rpc.exited).code, 70);
    assert.match(rpc.stderr(), /unknown step/);
  });
});
