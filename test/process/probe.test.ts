import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { probe, runProbe, type ProbeOptions, type ProbeResult } from '../../src/agent/probe.js';
import { parseProbeArguments, probeText } from '../../src/agent/headless/probeMain.js';
import { processRegistry } from '../../src/agent/process/registry.js';
import { probeStatus } from '../../src/core/failures.js';
import { probeMarkdown } from '../../src/core/probeReport.js';
import { fakeAgent, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import type { FakeAgentScript } from '../support/fakeAgentScript.js';
import { inlineAgent } from '../support/processTrees.js';

const defaults = {
  agentName: 'Fake',
  agentEnv: {},
  pass: [],
  cwd: process.cwd(),
  timeoutMs: 10_000,
  clientVersion: '0.1.0',
};
const account = { id: 'account', name: 'Fake account' };

/** Prints a text and stays. A shell, because it is up long before the time limit also on a busy machine. */
const says = (text: string): Pick<ProbeOptions, 'command' | 'args'> => ({
  command: '/bin/sh',
  args: ['-c', 'printf "%s\\n" "$0"; exec sleep 60', text],
});

describe('probe', () => {
  const agents: FakeAgent[] = [];
  const fake = (script: FakeAgentScript): FakeAgent => {
    const agent = fakeAgent(script);
    agents.push(agent);
    return agent;
  };
  const probed = (
    start: Pick<ProbeOptions, 'command' | 'args'>,
    more: Partial<ProbeOptions> = {},
  ): Promise<ProbeResult> => runProbe({ ...defaults, command: start.command, args: start.args, ...more });

  afterEach(async () => {
    for (const agent of agents.splice(0)) {
      const left = await agent.agentPids();
      await waitUntilGone(left, 2_000);
      for (const method of ['authenticate', 'session/prompt']) {
        assert.equal(await agent.count(method), 0, `the probe sent ${method}`);
      }
      await agent.dispose();
    }
    assert.deepEqual(processRegistry().list(), []);
  });

  it('reports an agent that works, in every field of the contract', async () => {
    const agent = fake({ agentInfo: { name: 'fake', title: 'Fake', version: '1.2.3' } });
    const { report, facts } = await probed(agent);
    assert.deepEqual(Object.keys(report), [
      ...['reason', 'authRequired', 'exitCode', 'signal', 'protocolVersion', 'agentInfo', 'capabilities'],
      ...['authMethods', 'phases', 'noise', 'stderrTail', 'memory', 'exitsOnEnd', 'leftovers', 'testTurn'],
      ...['message', 'nextStep'],
    ]);
    assert.deepEqual([report.exitsOnEnd, report.leftovers, report.testTurn], [true, 0, null]);
    assert.ok((report.memory?.bytes ?? 0) > 10_000_000, JSON.stringify(report.memory));
    assert.equal(report.reason, 'ok');
    assert.equal(report.authRequired, false);
    assert.deepEqual([report.exitCode, report.signal, report.protocolVersion], [null, null, 1]);
    assert.deepEqual(report.agentInfo, { name: 'fake', title: 'Fake', version: '1.2.3' });
    assert.deepEqual(
      report.phases.map(({ name }) => name),
      ['start', 'initialize', 'session/new', 'stop'],
    );
    assert.ok(report.phases.every(({ ms }) => Number.isInteger(ms) && ms >= 0));
    assert.equal(facts.processLeft, false);
    assert.equal(facts.session, 'opened');
  });

  it('gives the session back where that is offered, and not otherwise', async () => {
    const offers = fake({ capabilities: { sessionCapabilities: { close: {}, delete: {} } } });
    await probed(offers);
    assert.deepEqual([await offers.count('session/close'), await offers.count('session/delete')], [1, 1]);
    const not = fake({ capabilities: {} });
    await probed(not);
    assert.deepEqual([await not.count('session/close'), await not.count('session/delete')], [0, 0]);
  });

  it('missing_binary: no such program, and an agent that ends with 127', async () => {
    const { report } = await probed({ command: '/no/such/agent', args: [] });
    assert.equal(report.reason, 'missing_binary');
    assert.deepEqual([report.exitCode, report.phases.length], [null, 1]);
    const exits = await probed(inlineAgent('process.exit(127)'));
    assert.deepEqual([exits.report.reason, exits.report.exitCode], ['missing_binary', 127]);
  });

  it('B21 spawn_error: the agent ends before it answers, with its exit code and last words', async () => {
    const { report } = await probed(inlineAgent(`console.error('npm error 403 blocked by policy');process.exit(1)`));
    assert.deepEqual([report.reason, report.exitCode, report.signal], ['spawn_error', 1, null]);
    assert.deepEqual(report.stderrTail, ['npm error 403 blocked by policy']);
    assert.match(report.message, /exit code 1/);
    const killed = await probed(inlineAgent(`process.kill(process.pid,'SIGSEGV')`));
    assert.deepEqual(
      [killed.report.reason, killed.report.exitCode, killed.report.signal],
      ['spawn_error', null, 'SIGSEGV'],
    );
    const atZero = await probed(inlineAgent('process.exit(0)'));
    assert.deepEqual([atZero.report.reason, atZero.report.exitCode], ['spawn_error', 0]);
  });

  it('spawn_error: a file that may not be run, a folder that is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probe-'));
    const file = join(folder, 'agent');
    writeFileSync(file, '');
    assert.equal((await probed({ command: file, args: [] })).report.reason, 'spawn_error');
    rmSync(folder, { recursive: true });
    assert.equal((await probed(inlineAgent(''), { cwd: folder })).report.reason, 'spawn_error');
  });

  it('B30 handshake_timeout: the agent never answers, and is gone afterwards although it ignores everything', async () => {
    const agent = fake({
      start: [{ do: 'ignore', what: ['eof', 'SIGTERM'] }],
      on: { initialize: [{ do: 'noResponse' }] },
    });
    const { report, facts } = await probed(agent, { timeoutMs: 2_000 });
    assert.equal(report.reason, 'handshake_timeout');
    assert.deepEqual([report.exitCode, report.signal, facts.processLeft], [null, null, false]);
    assert.match(report.message, /within 2 s/);
  });

  it('B01 B30 handshake_timeout: garbage on stdout is quoted', async () => {
    const agent = says('[boot] adapter ready\nmore');
    const { report, facts } = await probed(agent, { timeoutMs: 1_500 });
    assert.equal(report.reason, 'handshake_timeout');
    assert.match(report.message, /does not speak ACP; its first line was “\[boot\] adapter ready”/);
    assert.deepEqual(report.noise, ['[boot] adapter ready', 'more']);
    assert.equal(facts.noiseCount, 2);
  });

  it('names a message that was printed over several lines', async () => {
    const frame = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } }, null, 2);
    const { report } = await probed(says(frame), { timeoutMs: 1_500 });
    assert.equal(report.reason, 'handshake_timeout');
    assert.match(report.message, /over several lines/);
  });

  it('B01 goes on past noise, and reports it', async () => {
    const { report } = await probed(fake({ start: [{ do: 'noise', text: '[boot] adapter ready' }] }));
    assert.equal(report.reason, 'ok');
    assert.deepEqual(report.noise, ['[boot] adapter ready']);
  });

  it('B10 an agent that floods stderr before it answers is not blocked', async () => {
    const { report } = await probed(fake({ start: [{ do: 'stderr', bytes: 300_000 }] }));
    assert.equal(report.reason, 'ok');
    assert.ok(report.stderrTail.length > 0 && report.stderrTail.length <= 8);
  });

  it('B24 incompatible_protocol: both versions are told, and no session is asked for', async () => {
    const agent = fake({ protocolVersion: 2 });
    const { report } = await probed(agent);
    assert.equal(report.reason, 'incompatible_protocol');
    assert.match(report.message, /version 2; .* speaks 1/);
    assert.equal(report.protocolVersion, 2);
    assert.equal(await agent.count('session/new'), 0);
  });

  it('B30 unauthenticated: refused, and nothing that is offered can be done here', async () => {
    const refuse = [{ do: 'respond', error: { code: -32000, message: 'Authentication required' } }] as const;
    for (const authMethods of [[], [{ id: 'key', name: 'API key', type: 'env_var', vars: [] }]]) {
      const { report } = await probed(fake({ authMethods, on: { 'session/new': refuse } }));
      assert.equal(report.reason, 'unauthenticated');
      assert.equal(report.authRequired, true);
    }
    const atOnce = await probed(fake({ on: { initialize: refuse } }));
    assert.equal(atOnce.report.reason, 'unauthenticated');
  });

  it('B30 ok with authRequired: refused with a method that can be done, or methods without a refusal', async () => {
    const refuse = [{ do: 'respond', error: { code: -32000, message: 'Authentication required' } }] as const;
    const refused = await probed(fake({ authMethods: [account], on: { 'session/new': refuse } }));
    assert.deepEqual([refused.report.reason, refused.report.authRequired], ['ok', true]);
    assert.match(refused.report.message, /Nobody|nobody is signed in/);
    assert.match(refused.report.nextStep, /“Fake account”/);
    const offered = await probed(fake({ authMethods: [account] }));
    assert.deepEqual([offered.report.reason, offered.report.authRequired], ['ok', true]);
    assert.match(offered.report.nextStep, /“Fake account”/);
    assert.equal(offered.report.authMethods[0]?.id, 'account');
  });

  it('handshake_error: initialize is answered with another error', async () => {
    const error = { code: -32603, message: 'Broken config in sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345' };
    const { report } = await probed(fake({ on: { initialize: [{ do: 'respond', error }] } }));
    assert.equal(report.reason, 'handshake_error');
    assert.match(report.message, /\(-32603\): “Broken config/);
    assert.ok(!JSON.stringify(report).includes('abcdefghij'));
  });

  it('tells a session that was refused or is missing from one that was opened', async () => {
    const error = { code: -32603, message: 'No model' };
    const refused = await probed(fake({ on: { 'session/new': [{ do: 'respond', error }] } }));
    assert.equal(refused.report.reason, 'ok');
    assert.match(refused.report.message, /opened no session: “No model” \(-32603\)/);
    const silent = await probed(fake({ on: { 'session/new': [{ do: 'noResponse' }] } }), { sessionTimeoutMs: 300 });
    assert.equal(silent.report.reason, 'handshake_timeout');
    assert.match(silent.report.message, /`session\/new`/);
    const dying = await probed(fake({ on: { 'session/new': [{ do: 'exit', code: 9 }] } }));
    assert.deepEqual([dying.report.reason, dying.report.exitCode], ['spawn_error', 9]);
  });

  it('leaves nothing when it is cancelled, and rejects', async () => {
    const agent = fake({ on: { initialize: [{ do: 'noResponse' }] } });
    const abort = new AbortController();
    const running = probe({ ...defaults, command: agent.command, args: agent.args, signal: abort.signal });
    await agent.waitForFrame((frame) => frame.method === 'initialize');
    abort.abort();
    await assert.rejects(running, { reason: 'cancelled' });
  });

  it('makes a document in which the agent’s words do nothing', async () => {
    const agent = fake({
      agentInfo: { name: '[x](command:evil) <img src=x> `a`', version: '1|2' },
      authMethods: [{ id: 'a', name: '**bold** ![i](http://x)' }],
      start: [{ do: 'noise', text: '``` </code> [link](command:x)' }],
    });
    const { report, facts } = await probed(agent);
    const text = probeMarkdown(report, { ...facts, folder: '~/x', platform: 'VS Code 1.139.1 · linux x64' });
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(headings, ['Probe: Fake', 'Phases', 'What it offers', 'Files', 'Signing in', 'Noise']);
    const prose = text.replace(/````text\n[^]*?\n````/g, '');
    assert.doesNotMatch(prose, /(?<!\\)\]\(|(?<!\\)<img|(?<!\\)!\[|[^\\]\*\*bold/);
    assert.match(text, /````text\n``` <\/code>/);
    assert.match(text, /^\*\*Works, after signing in\.\*\*/m);
    assert.ok(probeText({ report, facts }).startsWith('Works, after signing in.'));
    // How strong the jail is here, and names without values of what the agent was given.
    assert.match(text, process.platform === 'linux' ? /File checks.*by the kernel/ : /File checks/);
    assert.match(text, /Variables.*`HOME`.*`PATH`/);
    assert.ok(!text.includes(process.env['PATH'] ?? 'no path'));
  });

  it('reads its command line', () => {
    const parse = (...argv: string[]): unknown => parseProbeArguments(argv, '/from');
    assert.deepEqual(parse('--json', '--timeout', '5', '--cwd=sub', '--', 'npx', '-y', '--json'), {
      json: true,
      testTurn: false,
      timeoutMs: 5_000,
      cwd: '/from/sub',
      pass: [],
      command: 'npx',
      args: ['-y', '--json'],
    });
    assert.deepEqual(parse('--', './agent'), {
      json: false,
      testTurn: false,
      timeoutMs: 30_000,
      cwd: '/from',
      pass: [],
      command: '/from/agent',
      args: [],
    });
    assert.equal((parse('--', 'npx', 'x') as { timeoutMs: number }).timeoutMs, 60_000);
    for (const wrong of [
      [],
      ['--'],
      ['--json'],
      ['--timeout', '0', '--', 'x'],
      ['--timeout', '--', 'x'],
      ['--bogus', '--', 'x'],
    ]) {
      assert.equal(typeof parse(...wrong), 'string', wrong.join(' '));
    }
  });

  describe('as a command', () => {
    let folder: string;
    let bundle: string;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'probe-bundle-'));
      bundle = join(folder, 'probe.cjs');
      await build({
        entryPoints: ['src/agent/headless/probeEntry.ts'],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        outfile: bundle,
        logLevel: 'error',
      });
    });
    after(() => rmSync(folder, { recursive: true }));

    const run = async (...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> => {
      const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { status, stdout, stderr };
    };

    it('prints one object and exits with the status of its reason', async () => {
      const agent = fake({});
      const good = await run('--json', '--', agent.command, ...agent.args);
      assert.equal(good.status, 0, good.stderr);
      assert.equal((JSON.parse(good.stdout) as { reason: string }).reason, 'ok');
      const gone = await run('--json', '--', '/no/such/agent');
      assert.equal(gone.status, probeStatus.missing_binary);
      assert.equal(gone.stderr, '');
    });

    it('prints a readable text without --json, and says how it is used', async () => {
      const agent = fake({ protocolVersion: 3 });
      const text = await run('--', agent.command, ...agent.args);
      assert.equal(text.status, probeStatus.incompatible_protocol);
      assert.match(text.stdout, /^Does not work\. .*\nNext step: /);
      const wrong = await run('--bogus');
      assert.equal(wrong.status, 2);
      assert.match(wrong.stderr, /^Unknown option --bogus\.\nUsage: probe/);
      assert.equal(wrong.stdout, '');
    });

    it('takes its agent along when it is interrupted', async () => {
      const agent = fake({
        start: [{ do: 'ignore', what: ['eof', 'SIGTERM', 'SIGINT'] }],
        on: { initialize: [{ do: 'noResponse' }] },
      });
      const child = spawn(process.execPath, [bundle, '--', agent.command, ...agent.args], { stdio: 'ignore' });
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      await agent.waitForFrame((frame) => frame.method === 'initialize');
      child.kill('SIGTERM');
      assert.equal(await closed, 143);
    });
  });
});
