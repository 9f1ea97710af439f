import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeAgentScript, Json } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { runHeadless, type HeadlessRun } from '../support/headless.js';
import { cleanAfterEach, scenario, temporaryFolder } from './scenario.js';

const prompts = ['go'];
const run = (command: string, args: readonly string[], options: readonly string[] = []): Promise<HeadlessRun> =>
  runHeadless({ agent: { command, args }, cwd: temporaryFolder(), prompts, options });

function checkProbe(done: HeadlessRun, reason: string, status: number): void {
  const [event] = done.events('probe');
  assert.equal(event?.['reason'], reason);
  assert.equal(done.status, status);
  for (const field of ['message', 'nextStep']) {
    const words = event[field];
    assert.ok(typeof words === 'string' && words.length > 10, `${field} is empty`);
    assert.doesNotMatch(words, /\n\s+at /, 'a stack');
  }
  assert.equal(done.events('promptSent').length, 0);
  assert.equal(done.lines.at(-1)?.event, 'transcript');
}

describe('headless host: exit status', () => {
  cleanAfterEach();

  it('0 where every prompt ended, 1 where a turn failed', async () => {
    assert.equal((await scenario({ prompts })).status, 0);
    const failed = await scenario({ agent: [s.fail({ code: -32603, message: 'no' })], prompts });
    assert.equal(failed.status, 1);
    assert.equal((failed.transcript['turn'] as { state: string }).state, 'failed');
  });

  it('item 66 0 for each stop reason, also one that is not known', async () => {
    const reasons = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'paused_for_tea'];
    const done = await scenario({
      agent: { prompts: reasons.map((stopReason) => ({ steps: [s.text('x')], stopReason })) },
      prompts: reasons,
    });
    assert.equal(done.status, 0);
    assert.deepEqual(
      done.events('turnEnded').map((line) => line['stopReason']),
      reasons,
    );
    const notices = done.entries.filter(({ kind }) => kind === 'notice').map(({ text }) => text);
    assert.equal(new Set(notices).size, 4, 'each reason that needs words has its own');
    assert.match(notices.join('\n'), /paused_for_tea/);
  });

  it('2 for wrong usage, with a sentence on stderr and nothing on stdout', async () => {
    const cwd = temporaryFolder();
    const agent = { command: process.execPath, args: ['-e', 'process.exit(9)'] };
    const file = join(cwd, 'file');
    writeFileSync(file, 'not json\n');
    const usages: Partial<Parameters<typeof runHeadless>[0]>[] = [
      { options: ['--no-such-option'] },
      { options: ['--write', 'maybe'] },
      { options: ['--read', 'ask'] },
      { options: ['--timeout', 'soon'] },
      { options: ['--timeout', '0'] },
      { options: ['--handshake-timeout', '0'] },
      { options: ['--answers', join(cwd, 'missing')] },
      { options: ['--script', file] },
      { options: ['--root', join(cwd, 'missing')] },
      { options: ['stray'] },
      { options: ['--prompt'] },
      { cwd: join(cwd, 'missing') },
      { cwd: file },
      { script: [{ do: 'dance' }] },
      { script: [{ do: 'prompt' }] },
      { script: [{ do: 'answer', toolCallId: 't' }] },
      { script: [{ do: 'killAgent', signal: 'SIGNOTHING' }] },
      { script: [{ do: 'setConfigOption', configId: 'x', value: 1 }] },
      { answers: [{ match: {}, decision: 'yes' }] },
      { answers: [{ match: { tool: 't1' }, decision: 'allow_once' }] },
      { agent: { command: '', args: [] } },
    ];
    await Promise.all(
      usages.map(async (usage) => {
        const done = await runHeadless({ agent, cwd, ...usage });
        assert.equal(done.status, 2, JSON.stringify(usage));
        assert.deepEqual(done.lines, []);
        assert.match(done.stderr, /Usage:/);
      }),
    );
  });

  it('B20 127 where the command is not found', async () => {
    for (const command of ['/no/such/agent', 'no-such-agent-anywhere']) {
      checkProbe(await run(command, []), 'missing_binary', 127);
    }
    checkProbe(await run(process.execPath, ['-e', 'process.exit(127)']), 'missing_binary', 127);
  });

  it('B20 126 where it may not be run, and the next start with a repaired file works', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'agent');
    writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o644 });
    checkProbe(await run(file, []), 'spawn_error', 126);
    checkProbe(await run(folder, []), 'spawn_error', 126);
    const polite = join(process.cwd(), 'test/support/fakeAgent/fakeAgent.mjs');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${polite}' --script '{}'\n`);
    chmodSync(file, 0o755);
    assert.equal((await run(file, [])).status, 0);
  });

  it('B21 item 6 126 where it ends before the handshake, with its exit and its last words', async () => {
    const dies = `process.stderr.write('npm error 403 blocked by policy\\n',()=>process.exit(1))`;
    const done = await run(process.execPath, ['-e', dies]);
    checkProbe(done, 'spawn_error', 126);
    const message = String(done.events('probe')[0]?.['message']);
    assert.match(message, /code 1\b/);
    assert.match(message, /npm error 403 blocked by policy/);
    checkProbe(await run(process.execPath, ['-e', `process.kill(process.pid,'SIGKILL')`]), 'spawn_error', 126);
  });

  it('item 5 124 where it does not answer initialize, or session/new, within the time', async () => {
    const check = async (method: string): Promise<void> => {
      const done = await scenario({
        agent: { on: { [method]: [s.noResponse()] } },
        options: ['--timeout', '6'],
        prompts,
      });
      checkProbe(done, 'handshake_timeout', 124);
      assert.match(String(done.events('probe')[0]?.['message']), new RegExp(method));
    };
    await Promise.all(['initialize', 'session/new'].map(check));
  });

  it('B01 124 quotes the first noise line of a command that does not speak ACP', async () => {
    const chatty = `setInterval(()=>console.log('ready on port 80'),50)`;
    const done = await run(process.execPath, ['-e', chatty], ['--timeout', '5']);
    checkProbe(done, 'handshake_timeout', 124);
    assert.match(String(done.events('probe')[0]?.['message']), /ready on port 80/);
  });

  it('B24 item 3 65 for another protocol version: both are named and no session is asked for', async () => {
    const check = async (protocolVersion: number | string | null): Promise<void> => {
      const script: FakeAgentScript =
        protocolVersion === null ? { on: { initialize: [s.respond(null)] } } : { protocolVersion };
      const done = await scenario({ agent: script, prompts });
      checkProbe(done, 'incompatible_protocol', 65);
      assert.equal(done.sentOf('session/new').length, 0);
      assert.equal(done.events('initialized').length, 0);
      const message = String(done.events('probe')[0]?.['message']);
      assert.match(message, /\b1\b/);
      if (typeof protocolVersion === 'number') {
        assert.match(message, new RegExp(`version ${String(protocolVersion)}`));
      }
    };
    await Promise.all([2, 7, 0, '1', null].map(check));
  });

  it('item 4 76 where initialize is answered with an error', async () => {
    const done = await scenario({
      agent: { on: { initialize: [s.fail({ code: -32603, message: 'licence expired' })] } },
      prompts,
    });
    checkProbe(done, 'handshake_error', 76);
    assert.match(String(done.events('probe')[0]?.['message']), /licence expired/);
    assert.equal(done.sentOf('session/new').length, 0);
  });

  it('item 17 77 where a session is refused because nobody is signed in', async () => {
    const done = await scenario({
      agent: {
        authMethods: [{ id: 'x', name: 'X', type: 'quantum' }],
        on: { 'session/new': [s.fail({ code: -32000, message: 'Authentication required', data: { hint: 1 } })] },
      },
      prompts,
    });
    checkProbe(done, 'unauthenticated', 77);
    assert.equal(done.sentOf('authenticate').length, 0);
  });

  it('item 16 1 where session/new or a prompt is answered with nothing', async () => {
    const check = async (result: Json): Promise<void> => {
      const done = await scenario({ agent: { on: { 'session/new': [s.respond(result)] } }, prompts });
      assert.deepEqual([done.status, done.events('turnFailed')[0]?.['reason']], [1, 'protocol']);
      assert.equal(done.events('probe').length, 0);
    };
    await Promise.all([{}, null, { sessionId: 7 }, { sessionId: '' }, 'S1', []].map(check));
    const done = await scenario({
      agent: {
        prompts: [{ steps: [s.respond(null)] }, { steps: [s.respond({})] }, { steps: [s.respond('end_turn')] }],
      },
      prompts: ['a', 'b', 'c'],
    });
    assert.deepEqual([done.status, done.events('turnFailed').length], [1, 3]);
    assert.ok(done.events('turnFailed').every((line) => line['reason'] === 'protocol'));
  });

  it('1 where the run takes longer than --timeout, and says so for the turn', async () => {
    const done = await scenario({ agent: [s.text('a'), s.hang('never')], options: ['--timeout', '6'], prompts });
    assert.equal(done.status, 1);
    assert.equal(done.events('turnFailed')[0]?.['reason'], 'timeout');
    assert.equal((done.transcript['turn'] as { state: string }).state, 'failed');
    assert.ok((done.lines.at(-1)?.at ?? 0) < 20_000);
  });

  it('1 where session/load is asked for and not offered, and it is not called', async () => {
    const done = await scenario({ options: ['--load', 'OLD'], prompts });
    assert.equal(done.status, 1);
    assert.deepEqual([done.sentOf('session/load').length, done.sentOf('session/new').length], [0, 0]);
  });
});
