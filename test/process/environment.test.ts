import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProbe } from '../../src/agent/probe.js';
import { resolveShellEnvironment } from '../../src/agent/process/shellEnvironment.js';
import { fakeAgent, waitUntilGone } from '../support/fakeAgent.js';
import { inlineAgent, lines, noneMarked, started } from '../support/processTrees.js';

const printsNames = inlineAgent('console.log(JSON.stringify(Object.keys(process.env)))');

async function namesOf(start: Partial<Parameters<typeof started>[0]>): Promise<readonly string[]> {
  const agent = await started({ ...printsNames, ...start });
  const [line = ''] = await lines(agent);
  await agent.exited;
  return JSON.parse(line) as string[];
}

describe('environment of a started agent', () => {
  it('is the one that was built: allowed names, the settings, the marker', async () => {
    const base = {
      HOME: '/home/a',
      PATH: process.env['PATH'],
      AWS_SECRET_ACCESS_KEY: 'x',
      NODE_OPTIONS: '--require /nowhere/bootloader.js',
      ELECTRON_RUN_AS_NODE: '1',
      MY_NAME: 'v',
    };
    const names = await namesOf({ base, pass: ['MY_*', 'ELECTRON_*'], agentEnv: { EXTRA: '1' } });
    assert.deepEqual([...names].sort(), ['ACP_HOST_ID', 'EXTRA', 'HOME', 'MY_NAME', 'PATH']);
  });

  it('starts an agent although a debugger left a preload behind', async () => {
    const base = { ...process.env, NODE_OPTIONS: '--require /nowhere/bootloader.js' };
    assert.ok((await namesOf({ base })).includes('HOME'));
  });

  it('B17 a value that a person set for the agent wins over what is never inherited', async () => {
    const leaked = {
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--require /nope.js',
      VSCODE_PID: '1',
      VSCODE_IPC_HOOK: '/x',
    };
    const agent = await started({
      ...inlineAgent('console.log(JSON.stringify(process.env))'),
      base: { PATH: process.env['PATH'], ...leaked },
      agentEnv: { NODE_OPTIONS: '--no-warnings', VSCODE_PID: '7' },
    });
    const env = JSON.parse((await lines(agent))[0] ?? '') as Record<string, string>;
    await agent.exited;
    assert.deepEqual(
      Object.keys(leaked).map((name) => env[name]),
      [undefined, '--no-warnings', '7', undefined],
    );
  });

  it('hands arguments over as they are', async () => {
    const args = ['a b', '$(touch x)', '; exit 1', '"', "'", '*', '%PATH%', 'ü'];
    const agent = await started({
      command: process.execPath,
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...args],
    });
    assert.deepEqual(JSON.parse((await lines(agent))[0] ?? ''), args);
    await agent.exited;
    await noneMarked(agent.marker);
  });
});

describe('environment of the login shell', () => {
  let folder: string;
  /** A stand-in for a shell; `$command` is what it is asked to run, and `run` runs it. */
  const shell = (text: string): string => {
    const file = join(folder, 'shell');
    const start = 'for command; do :; done; run() { /bin/sh -c "$command"; }';
    writeFileSync(file, `#!/bin/sh\n${start}\n${text}\n`, { mode: 0o755 });
    return file;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'shell-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is read from between marks, whatever the profile prints', async () => {
    const noisy = shell('echo "welcome {"; export FROM_PROFILE="a b"; run; echo bye');
    const result = await resolveShellEnvironment({ shell: noisy, base: { PATH: '/usr/bin:/bin' } });
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.env['FROM_PROFILE'], 'a b');
    assert.ok(!('ELECTRON_RUN_AS_NODE' in result.env));
  });

  it('is read although the shell repeats each command before it runs it', async () => {
    // As `set -x` with stderr on stdout, and as hooks that print what was typed.
    const echoing = shell('echo "+ $command"; export FROM_PROFILE=yes; run');
    const result = await resolveShellEnvironment({ shell: echoing, base: { PATH: '/usr/bin:/bin' } });
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.env['FROM_PROFILE'], 'yes');
  });

  it('is read from the login shell alone where the interactive one hangs', async () => {
    const hanging = shell('[ "$1" = -i ] && exec sleep 60; export FROM_PROFILE=thin; run');
    const base = { PATH: '/usr/bin:/bin' };
    const result = await resolveShellEnvironment({ shell: hanging, timeoutMs: 5_000, base });
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.env['FROM_PROFILE'], 'thin');
  });

  it('is read although a debugger left a preload behind for Node', async () => {
    const base = { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--require /nowhere/bootloader.js' };
    const result = await resolveShellEnvironment({ shell: shell('run'), base });
    assert.ok(result.ok, JSON.stringify(result));
    assert.ok(!('NODE_OPTIONS' in result.env));
  });

  it('gives up on a shell whose own output stands in the middle of the answer', async () => {
    const torn = shell(`run | sed 's/{/}/'`);
    const result = await resolveShellEnvironment({ shell: torn, base: { PATH: '/usr/bin:/bin' } });
    assert.deepEqual(result, { ok: false, why: 'What the shell printed cannot be read.' });
  });

  it('gives up on a shell that hangs, and on one that is none', async () => {
    const begun = Date.now();
    const hanging = await resolveShellEnvironment({ shell: shell('sleep 60'), timeoutMs: 200, base: {} });
    assert.deepEqual(hanging, { ok: false, why: 'The shell took too long.' });
    assert.ok(Date.now() - begun < 5_000);
    assert.equal((await resolveShellEnvironment({ shell: '/no/such/shell', base: {} })).ok, false);
    assert.equal((await resolveShellEnvironment({ shell: shell('exit 3'), base: {} })).ok, false);
    assert.equal((await resolveShellEnvironment({ base: {} })).ok, false);
  });
});

describe('environment of a probed agent', () => {
  it('B15 is what the login shell gave, also for its test turn', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probed-'));
    const fake = fakeAgent();
    try {
      writeFileSync(join(folder, 'probed-agent'), `#!/bin/sh\nexec '${fake.command}' "$@"\n`, { mode: 0o755 });
      const { report } = await runProbe({
        ...{ agentName: 'Fake', command: 'probed-agent', args: fake.args, agentEnv: {}, pass: [] },
        ...{ cwd: folder, timeoutMs: 10_000, clientVersion: '0', testTurn: true },
        base: { PATH: `${folder}:/usr/bin:/bin` },
      });
      assert.deepEqual([report.reason, report.testTurn?.outcome], ['ok', 'end_turn'], report.message);
      await waitUntilGone(await fake.agentPids(), 2_000);
    } finally {
      await fake.dispose();
      rmSync(folder, { recursive: true });
    }
  });
});
