import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import * as s from '../support/fakeAgentSteps.js';
import { assistantText, cleanAfterEach, scenario, temporaryFolder } from './scenario.js';

type Initialize = {
  protocolVersion: number;
  clientInfo: { name: string; title: string; version: string };
  clientCapabilities: { fs: { readTextFile: boolean; writeTextFile: boolean }; terminal: boolean };
};

describe('start of an agent', () => {
  cleanAfterEach();

  it('item 1 sends initialize first and alone, and item 25 session/new with what is needed and no more', async () => {
    const run = await scenario({
      agent: { on: { initialize: [s.wait(200), { do: 'count', method: 'session/new' }] } },
      prompts: ['go'],
    });
    assert.deepEqual(
      run.sent.map(({ method }) => method),
      ['initialize', 'session/new', 'session/prompt'],
    );
    const counted = (await run.fake.events()).find((line) => line.event === 'count');
    assert.equal(counted?.event === 'count' ? counted.count : -1, 0);
    const params = run.sent[0]?.params as Initialize;
    assert.equal(params.protocolVersion, 1);
    assert.ok(params.clientInfo.name.length > 0 && params.clientInfo.version.length > 0);
    assert.deepEqual(params.clientCapabilities, {
      fs: { readTextFile: true, writeTextFile: false },
      terminal: false,
      _meta: { terminal_output: true },
    });
    const created = run.sent[1]?.params as { cwd: string; mcpServers: unknown[] };
    assert.deepEqual(Object.keys(created).sort(), ['cwd', 'mcpServers']);
    assert.ok(isAbsolute(created.cwd));
    assert.deepEqual(created.mcpServers, []);
    assert.equal(created.cwd, run.cwd);
  });

  it('advertises exactly what is served', async () => {
    for (const [options, caps] of [
      [
        ['--read', 'off'],
        [false, false, false],
      ],
      [
        ['--write', 'ask'],
        [true, true, false],
      ],
      [['--write=allow'], [true, true, false]],
      [
        ['--terminal', 'ask'],
        [true, false, true],
      ],
      [
        ['--terminal', 'allow', '--write', 'off', '--read', 'on'],
        [true, false, true],
      ],
    ] as const) {
      const { sent } = await scenario({ options });
      const { clientCapabilities } = sent[0]?.params as Initialize;
      const { fs, terminal } = clientCapabilities;
      assert.deepEqual([fs.readTextFile, fs.writeTextFile, terminal], caps, options.join(' '));
    }
  });

  it('item 72 answers -32601 to what is not served, and nothing happens on disk', async () => {
    const run = await scenario({
      agent: [
        s.readFile('{{cwd}}/a.txt', {}, { id: 'r' }),
        s.writeFile('{{cwd}}/a.txt', 'new', { id: 'w' }),
        s.createTerminal('touch', { args: ['{{cwd}}/b.txt'] }, { id: 't' }),
        s.request('terminal/output', { sessionId: '{{sessionId}}', terminalId: 't1' }, { id: 'o' }),
      ],
      files: { 'a.txt': 'old' },
      options: ['--read', 'off', '--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const id of ['r', 'w', 't', 'o']) {
      assert.equal(run.answerTo(id).error?.code, -32601);
    }
    assert.deepEqual([run.file('a.txt'), run.exists('b.txt'), run.events('approval').length], ['old', false, 0]);
  });

  it('item 2 works with an agent that says nothing of itself', async () => {
    const run = await scenario({
      agent: { on: { initialize: [s.respond({ protocolVersion: 1 })] } },
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    const [initialized] = run.events('initialized');
    assert.deepEqual(
      [initialized?.['agentInfo'], initialized?.['capabilities'], initialized?.['authMethods']],
      [null, {}, []],
    );
    assert.equal(assistantText(run), 'ok');
  });

  it('item 2 takes nonsense in optional fields for nothing', async () => {
    const run = await scenario({
      agent: {
        on: {
          initialize: [
            s.respond({ protocolVersion: 1, agentCapabilities: 'all', agentInfo: [1], authMethods: { a: 1 } }),
          ],
          'session/new': [s.respond({ sessionId: '{{sessionId}}', modes: 3, configOptions: { x: 1 } })],
        },
      },
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.equal(run.events('sessionStarted')[0]?.['modes'], null);
    assert.deepEqual(run.events('sessionStarted')[0]?.['configOptions'], []);
  });

  it('item 24 calls no optional method that was not offered', async () => {
    const run = await scenario({ script: [{ do: 'prompt', text: 'go' }, { do: 'newSession' }, { do: 'close' }] });
    const methods = new Set(run.sent.map(({ method }) => method));
    assert.deepEqual([...methods].sort(), ['initialize', 'session/new', 'session/prompt']);
  });

  it('passes further folders on where the agent takes them, and serves files in them either way', async () => {
    for (const offered of [true, false]) {
      const other = temporaryFolder();
      mkdirSync(join(other, 'sub'));
      const run = await scenario({
        agent: {
          capabilities: offered ? { sessionCapabilities: { additionalDirectories: {} } } : {},
          prompts: [{ steps: [s.writeFile(`${other}/sub/new.txt`, 'x'), s.readFile(`${other}/sub/new.txt`)] }],
        },
        options: ['--root', other, '--write', 'allow', '--acknowledge-unrestricted'],
        prompts: ['go'],
      });
      const params = run.sentOf('session/new')[0]?.params as { additionalDirectories?: unknown };
      assert.deepEqual(params.additionalDirectories, offered ? [other] : undefined);
      assert.equal(run.events('fileWritten')[0]?.['outcome'], 'done');
      assert.equal(run.events('fileRead')[0]?.['outcome'], 'done');
    }
  });

  it('--load continues an earlier session: the replay stands in the transcript, then the prompt', async () => {
    const run = await scenario({
      agent: {
        capabilities: { loadSession: true },
        on: {
          'session/load': [
            s.userText('earlier'),
            s.text('answer'),
            s.plan({ content: 'replayed' }),
            s.toolCall('t1', { status: 'completed' }),
            s.respond({ modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } }),
          ],
        },
      },
      options: ['--load', 'OLD'],
      prompts: ['go'],
    });
    assert.deepEqual(run.sentOf('session/load')[0]?.params, { cwd: run.cwd, mcpServers: [], sessionId: 'OLD' });
    assert.equal(run.sentOf('session/new').length, 0);
    assert.deepEqual(
      run.entries.slice(0, 2).map(({ kind, text }) => [kind, text]),
      [
        ['user', 'earlier'],
        ['assistant', 'answer'],
      ],
    );
    assert.equal(run.entries.findIndex(({ text }) => text === 'go') > 2, true);
    assert.equal(run.lines.at(-1)?.sessionId, 'OLD');
    assert.equal((run.transcript['modes'] as { currentModeId: string }).currentModeId, 'a');
  });

  it('an agent that ends again and again is started later each time, and the third time is told as what it is', async () => {
    const died = { do: 'waitFor', event: 'agentExited' };
    const run = await scenario({
      agent: [s.text('hello'), s.exit(3)],
      script: [...[1, 2, 3].flatMap((count) => [{ do: 'prompt', text: `go ${String(count)}` }, died])],
    });
    assert.equal(run.events('agentExited').length, 3);
    assert.equal(run.sentOf('session/prompt').length, 3);
    const said = run.entries.filter(({ kind }) => kind === 'notice').map(({ text }) => text?.split('. ')[0] ?? '');
    const [first, second, ...loops] = said;
    assert.ok([first, second].every((text) => text?.endsWith('stopped unexpectedly')));
    assert.ok(loops.length === 1 && loops[0]?.endsWith('stopped 3 times in 2 min'));
    const starts = run.events('initialized').map(({ at }) => at);
    // The waits before the second and the third start: 1 s and 2 s.
    assert.ok((starts[1] ?? 0) - (starts[0] ?? 0) >= 1_000 && (starts[2] ?? 0) - (starts[1] ?? 0) >= 2_000);
  });
});
