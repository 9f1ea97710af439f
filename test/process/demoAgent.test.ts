import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Frame, Json, JsonObject } from '../support/fakeAgentScript.js';
import { rpcProcess } from '../support/rpcProcess.js';
import type { RpcProcess, Serve } from '../support/rpcProcess.js';

type Update = JsonObject & { readonly sessionUpdate: string; readonly entries?: readonly JsonObject[] };

const readAndWrite = { readTextFile: true, writeTextFile: true };
const README = '# Sample\n\nA sample.\n';

/** All updates so far, in order. */
const updates = (rpc: RpcProcess): readonly Update[] =>
  rpc.frames.flatMap((frame) =>
    frame.method === 'session/update' ? [(frame.params as { update: Update }).update] : [],
  );

const isUpdate =
  (kind: string) =>
  (frame: Frame): boolean =>
    (frame.params as { update?: Update } | undefined)?.update?.sessionUpdate === kind;

const streamed = (rpc: RpcProcess, kind = 'agent_message_chunk'): string =>
  updates(rpc)
    .filter((update) => update.sessionUpdate === kind)
    .map((update) => (update['content'] as { text: string }).text)
    .join('');

/** The last status of each tool call, by its kind. */
function tools(rpc: RpcProcess): Readonly<Record<string, Json | undefined>> {
  const byId = new Map<Json | undefined, { kind: string; status: Json | undefined }>();
  for (const update of updates(rpc)) {
    if (update.sessionUpdate === 'tool_call') {
      byId.set(update['toolCallId'], { kind: update['kind'] as string, status: update['status'] });
    } else if (update.sessionUpdate === 'tool_call_update') {
      const call = byId.get(update['toolCallId']);
      assert.ok(call, 'a tool call is announced before it changes');
      call.status = update['status'] ?? call.status;
    }
  }
  return Object.fromEntries([...byId.values()].map(({ kind, status }) => [kind, status]));
}

describe('demo agent', () => {
  let dir: string;
  let bundle: string;
  let folder: string;
  let rpc: RpcProcess;
  let sessionId: string;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'demo-agent-'));
    bundle = join(dir, 'demo-agent.cjs');
    await build({
      entryPoints: ['src/demo/main.ts'],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'silent',
    });
  });

  beforeEach(() => {
    folder = mkdtempSync(join(dir, 'folder-'));
    writeFileSync(join(folder, 'README.md'), README);
  });

  afterEach(() => rpc.dispose());
  after(() => rmSync(dir, { recursive: true, force: true }));

  /** Files as a host serves them, without asking. */
  const files: Readonly<Record<string, Serve>> = {
    'fs/read_text_file': ({ path }) => {
      try {
        return { result: { content: readFileSync(path as string, 'utf8') } };
      } catch {
        return { error: { code: -32002, message: 'not found' } };
      }
    },
    'fs/write_text_file': ({ path, content }) => {
      writeFileSync(path as string, content as string);
      return { result: {} };
    },
  };

  const start = async (
    clientCapabilities: JsonObject,
    serve: Readonly<Record<string, Serve>> = files,
    pace = '0',
  ): Promise<void> => {
    rpc = rpcProcess(process.execPath, [bundle, '--pace', pace], { serve });
    await rpc.request('initialize', { protocolVersion: 1, clientCapabilities });
    const opened = await rpc.request('session/new', { cwd: folder, mcpServers: [] });
    sessionId = (opened.result as { sessionId: string }).sessionId;
  };

  const prompt = (text: string): Promise<Frame> =>
    rpc.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  it('streams a thought and Markdown, works through its plan, reads and edits through the host', async () => {
    await start({ fs: readAndWrite });
    assert.deepEqual((await prompt('hello there')).result, { stopReason: 'end_turn' });
    assert.match(streamed(rpc, 'agent_thought_chunk'), /“hello there”/);
    const answer = streamed(rpc);
    assert.match(answer, /I read `README\.md` \(3 lines\)/);
    assert.match(answer, /^- I \*\*show\*\*/m);
    assert.match(answer, /^```ts\n[\s\S]+\n```$/m);
    assert.doesNotMatch(answer, /^#/m);
    const chunks = updates(rpc).filter((update) => update.sessionUpdate === 'agent_message_chunk');
    assert.ok(chunks.every((update) => (update['content'] as { text: string }).text.length <= 40));
    assert.deepEqual(tools(rpc), { read: 'completed', edit: 'completed' });
    assert.equal(readFileSync(join(folder, 'README.md'), 'utf8').startsWith(README), true);
    assert.match(readFileSync(join(folder, 'README.md'), 'utf8'), /First visit: 3 lines/);

    const plans = updates(rpc).flatMap((update) => (update.entries ? [update.entries] : []));
    assert.deepEqual(
      plans.map((entries) => entries.filter((entry) => entry['status'] === 'completed').length),
      [0, 0, 1, 2, 3, 4],
    );
    assert.ok(plans.every((entries) => entries.filter((entry) => entry['status'] === 'in_progress').length <= 1));
    assert.deepEqual(new Set(plans[0]?.map((entry) => entry['priority'])), new Set(['high', 'medium', 'low']));
  });

  it('writes what its tool card shows, and /ask and /differ ask first', async () => {
    const asked: JsonObject[] = [];
    const written: JsonObject[] = [];
    await start(
      { fs: readAndWrite },
      {
        ...files,
        'session/request_permission': (params) => {
          asked.push(params);
          return { result: { outcome: { outcome: 'selected', optionId: 'allow' } } };
        },
        'fs/write_text_file': (params) => {
          written.push(params);
          return { result: {} };
        },
      },
    );
    const shown = (): string | undefined => {
      const calls = updates(rpc).filter((update) => update['kind'] === 'edit');
      return (calls.at(-1)?.['content'] as { newText: string }[] | undefined)?.[0]?.newText;
    };
    await prompt('/edit');
    assert.equal(asked.length, 0);
    assert.equal(written[0]?.['content'], shown());
    await prompt('/ask');
    assert.equal(asked.length, 1);
    assert.equal(written[1]?.['content'], shown());
    await prompt('/differ');
    assert.equal(asked.length, 2);
    assert.equal(Buffer.byteLength(written[2]?.['content'] as string), Buffer.byteLength(shown() ?? '') + 1);
  });

  it('goes on after a refused write, read or command, and after a no', async () => {
    const no = { error: { code: -32603, message: 'refused' } };
    await start(
      { fs: readAndWrite, terminal: true },
      {
        ...files,
        'fs/write_text_file': () => no,
        'terminal/create': () => no,
        'session/request_permission': () => ({ result: { outcome: { outcome: 'selected', optionId: 'reject' } } }),
      },
    );
    assert.deepEqual((await prompt('hello')).result, { stopReason: 'end_turn' });
    assert.deepEqual(tools(rpc), { read: 'completed', edit: 'failed', execute: 'failed' });
    assert.match(streamed(rpc), /That edit was not made/);
    assert.match(streamed(rpc), /The command was not run/);
    await prompt('/ask');
    assert.match(streamed(rpc), /All right, I leave `README\.md` as it is/);
    assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), README);
  });

  it('never writes over a file that it could not read', async () => {
    await start(
      { fs: readAndWrite },
      { ...files, 'fs/read_text_file': () => ({ error: { code: -32603, message: 'no' } }) },
    );
    await prompt('/edit');
    assert.match(streamed(rpc), /I could not read/);
    assert.equal(
      rpc.frames.some((frame) => frame.method === 'fs/write_text_file'),
      false,
    );
  });

  it('says plainly what the editor does not serve, and shows the change instead', async () => {
    await start({});
    await prompt('hello');
    assert.match(streamed(rpc), /does not let me write files[\s\S]+```diff\n\+/);
    await prompt('/run');
    assert.match(streamed(rpc), /does not let me run commands/);
    assert.equal(
      rpc.frames.some((frame) => frame.method?.startsWith('fs/') === true),
      false,
    );
  });

  it('changes nothing in plan mode', async () => {
    await start({ fs: readAndWrite });
    assert.deepEqual((await rpc.request('session/set_mode', { sessionId, modeId: 'plan' })).result, {});
    assert.ok(updates(rpc).some((update) => update['currentModeId'] === 'plan'));
    await prompt('/edit');
    assert.match(streamed(rpc), /Plan only/);
    assert.equal((await rpc.request('session/set_mode', { sessionId, modeId: 'x' })).error?.code, -32602);
  });

  it('shows a command in a terminal of the host', async () => {
    await start(
      { terminal: true },
      {
        'terminal/create': () => ({ result: { terminalId: 'T1' } }),
        'terminal/wait_for_exit': () => ({ result: { exitCode: 0 } }),
        'terminal/output': () => ({ result: { output: 'tests pass\n', truncated: false } }),
        'terminal/release': () => ({ result: {} }),
      },
    );
    await prompt('/run');
    await rpc.waitFor((frame) => frame.method === 'terminal/release');
    assert.deepEqual(tools(rpc), { execute: 'completed' });
    assert.match(streamed(rpc), /printed `tests pass`/);
    assert.ok(updates(rpc).some((update) => JSON.stringify(update['content'])?.includes('"terminalId":"T1"')));
  });

  it('lists in /help every command that it offers', async () => {
    await start({});
    await rpc.waitFor(isUpdate('available_commands_update'));
    const offered = updates(rpc).find((update) => update.sessionUpdate === 'available_commands_update');
    const names = (offered?.['availableCommands'] as { name: string }[]).map(({ name }) => name);
    for (const name of ['help', 'plan', 'edit', 'ask', 'differ', 'run', 'long', 'fail', 'crash', 'options', 'hang']) {
      assert.ok(names.includes(name), name);
    }
    await prompt('/help');
    for (const name of names) {
      assert.ok(streamed(rpc).includes(`\`/${name}\``), name);
    }
    await prompt('/nosuch');
    assert.match(streamed(rpc), /I do not know `\/nosuch`/);
  });

  const phases: readonly (readonly [string, string, (frame: Frame) => boolean])[] = [
    ['while it thinks', '/think', isUpdate('agent_thought_chunk')],
    ['while it streams', '/long', isUpdate('agent_message_chunk')],
    ['while a write waits', '/edit', (frame) => frame.method === 'fs/write_text_file'],
    ['while a question waits', '/options', (frame) => frame.method === 'session/request_permission'],
    ['while a command is to be created', '/run', (frame) => frame.method === 'terminal/create'],
  ];
  for (const [when, text, reached] of phases) {
    it(`ends at once when it is cancelled ${when}`, async () => {
      const open = (): undefined => undefined;
      // A slow pace: only a cancel that cuts through a pause can end these turns before the limit of this test.
      await start(
        { fs: readAndWrite, terminal: true },
        { ...files, 'fs/write_text_file': open, 'session/request_permission': open, 'terminal/create': open },
        text === '/think' || text === '/long' ? '1000' : '0',
      );
      const answer = prompt(text);
      await rpc.waitFor(reached);
      rpc.notify('session/cancel', { sessionId });
      assert.deepEqual((await answer).result, { stopReason: 'cancelled' });
      const count = updates(rpc).length;
      const next = prompt('/help');
      await rpc.waitFor((frame) => isUpdate('agent_message_chunk')(frame) && updates(rpc).length > count);
      rpc.notify('session/cancel', { sessionId });
      assert.deepEqual((await next).result, { stopReason: 'cancelled' });
    });
  }

  it('releases a terminal that was created after the cancel', async () => {
    let created: (value: Json) => void = () => undefined;
    await start(
      { terminal: true },
      {
        'terminal/create': () => new Promise((resolve) => (created = resolve)),
        'terminal/release': () => ({ result: {} }),
      },
    );
    const answer = prompt('/run');
    await rpc.waitFor((frame) => frame.method === 'terminal/create');
    rpc.notify('session/cancel', { sessionId });
    await answer;
    created({ result: { terminalId: 'T9' } });
    const release = await rpc.waitFor((frame) => frame.method === 'terminal/release');
    assert.equal((release.params as JsonObject)['terminalId'], 'T9');
  });

  it('fails and crashes when it is told to', async () => {
    await start({});
    const failed = await prompt('/fail');
    assert.equal(failed.error?.code, -32603);
    assert.match((failed.error.data as { details: string }).details, /Quota/);
    await prompt('/crash').catch(() => undefined);
    assert.deepEqual(await rpc.exited, { code: 134, signal: null });
    assert.match(rpc.stderr(), /on purpose/);
  });

  it('ends with its stdin, also in the middle of a turn that hangs', async () => {
    await start({});
    void prompt('/hang').catch(() => undefined);
    await rpc.waitFor(isUpdate('agent_message_chunk'));
    rpc.child.stdin.end();
    assert.deepEqual(await rpc.exited, { code: 0, signal: null });
  });
});
