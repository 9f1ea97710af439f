import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentSetting, agentTable, detectAgents, knownAgent } from '../../../src/agent/agentTable.js';
import {
  pathFolders,
  resolveCommand,
  spawnArguments,
  type FileLook,
  type ResolvedCommand,
} from '../../../src/agent/process/launch.js';
import { isBatch, parseNpmShim, windowsCandidates } from '../../../src/agent/process/windows.js';

describe('finding a program', () => {
  let folder: string;
  const program = (name: string, mode = 0o755): string => {
    const file = join(folder, name);
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, mode);
    return file;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'launch-'));
    mkdirSync(join(folder, 'sub'));
    program('good');
    program('plain', 0o644);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('walks PATH and says how many folders it looked at', async () => {
    const env = { PATH: `/nowhere:${folder}::relative:${folder}` };
    assert.deepEqual(await resolveCommand('good', env), { file: join(folder, 'good'), prefix: [] });
    assert.deepEqual(await resolveCommand('absent', env), {
      reason: 'missing_binary',
      detail: 'notFound',
      command: 'absent',
      folders: 2,
    });
    assert.deepEqual(pathFolders(env), ['/nowhere', folder]);
  });

  it('takes a command with a slash as a path, absolute or under the home folder', async () => {
    const env = { PATH: folder, HOME: folder };
    const detail = async (command: string): Promise<unknown> => {
      const result = await resolveCommand(command, env);
      return 'reason' in result ? ('detail' in result ? result.detail : result.reason) : result.file;
    };
    assert.equal(await detail(join(folder, 'good')), join(folder, 'good'));
    assert.equal(await detail('~/good'), join(folder, 'good'));
    assert.equal(await detail('./good'), 'relative');
    assert.equal(await detail('sub/../good'), 'relative');
    assert.equal(await detail(join(folder, 'plain')), 'notExecutable');
    assert.equal(await detail('plain'), 'notExecutable');
    assert.equal(await detail(join(folder, 'sub')), 'directory');
    assert.equal(await detail('sub'), 'notFound');
    assert.equal(await detail(join(folder, 'absent')), 'notFound');
    assert.equal(await detail('good; true'), 'notFound');
    assert.equal(await detail(''), 'notFound');
    assert.equal(await detail('a\0b'), 'notFound');
  });

  it('tries the extensions of Windows in their order', () => {
    assert.deepEqual(windowsCandidates('npx', '.COM;.EXE;.CMD'), ['npx.com', 'npx.exe', 'npx.cmd']);
    assert.deepEqual(windowsCandidates('node.EXE', '.COM;.EXE'), ['node.EXE']);
    assert.deepEqual(windowsCandidates('a.js', undefined), ['a.js.com', 'a.js.exe', 'a.js.bat', 'a.js.cmd']);
    assert.ok(isBatch('C:\\x\\npx.CMD') && !isBatch('x.exe'));
  });

  it('reads the script out of the shims of npm', () => {
    const shim = [
      '@ECHO off',
      'SETLOCAL',
      'CALL :find_dp0',
      'IF EXIST "%dp0%\\node.exe" (SET "_prog=%dp0%\\node.exe") ELSE (SET "_prog=node")',
      'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\an agent\\dist\\index.js" %*',
    ].join('\r\n');
    assert.equal(parseNpmShim('C:\\npm\\agent.cmd', shim), 'C:\\npm\\node_modules\\an agent\\dist\\index.js');
    const pnpm = '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\agent\\cli.mjs" %*\r\n)';
    assert.equal(parseNpmShim('C:\\bin\\agent.cmd', pnpm), 'C:\\agent\\cli.mjs');
    const npx = 'SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r\n"%NODE_EXE%" "%NPX_CLI_JS%" %*';
    assert.equal(parseNpmShim('C:\\node\\npx.cmd', npx), 'C:\\node\\node_modules\\npm\\bin\\npx-cli.js');
    assert.equal(parseNpmShim('C:\\x\\y.bat', '@echo hello %*'), undefined);
  });

  describe('B13 on Windows, where only batch files are in PATH', () => {
    const npx = 'C:\\Program Files\\nodejs\\npx.cmd';
    const agent = 'C:\\Program Files\\x\\agent.cmd';
    const plain = 'C:\\tools\\other.bat';
    const texts = new Map([
      ['C:\\Program Files\\nodejs\\node.exe', ''],
      [npx, 'SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r\n"%NODE_EXE%" "%NPX_CLI_JS%" %*'],
      [agent, '@"%~dp0\\node.exe"  "%~dp0\\lib\\cli.js" %*'],
      [plain, '@echo off\r\nreal.exe %*'],
    ]);
    const looked: string[] = [];
    const textOf = (file: string): string | undefined =>
      [...texts].find(([name]) => name.toLowerCase() === file.toLowerCase())?.[1];
    const files: FileLook = {
      state: (file) => {
        looked.push(file);
        return Promise.resolve(textOf(file) === undefined ? 'missing' : 'executable');
      },
      text: (file) => Promise.resolve(textOf(file) ?? ''),
    };
    const env = {
      Path: 'relative;C:\\Windows;C:\\Program Files\\nodejs',
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
      COMSPEC: 'C:\\Windows\\cmd.exe',
    };
    const found = async (command: string, more = {}): Promise<ResolvedCommand> => {
      const resolved = await resolveCommand(command, { ...env, ...more }, 'win32', files);
      assert.ok(!('reason' in resolved), JSON.stringify(resolved));
      return resolved;
    };

    it('a shim of npm becomes node and its script, by name and by path', async () => {
      const lower = (value: unknown): unknown => JSON.parse(JSON.stringify(value).toLowerCase());
      const behind = (script: string): unknown => ({
        file: 'c:\\program files\\nodejs\\node.exe',
        prefix: [`c:\\program files\\${script}`],
      });
      assert.deepEqual(lower(await found('npx')), behind('nodejs\\node_modules\\npm\\bin\\npx-cli.js'));
      assert.deepEqual(lower(await found(agent)), behind('x\\lib\\cli.js'));
      assert.ok(looked.every((file) => !file.startsWith('relative')));
    });

    it('any other batch file is run by the command interpreter, each argument in quotes', async () => {
      const resolved = await found(plain);
      assert.deepEqual(resolved, { file: 'C:\\Windows\\cmd.exe', prefix: [], batch: plain });
      const line = `""C:\\tools\\other.bat" "-y" "a b" "x & calc" "^|<>()!" "end\\\\" """`;
      assert.deepEqual(spawnArguments(resolved, ['-y', 'a b', 'x & calc', '^|<>()!', 'end\\', '']), {
        args: ['/d', '/s', '/c', line],
        verbatim: true,
      });
    });

    it('refuses an argument that quotes do not protect, and an interpreter without a full path', async () => {
      const resolved = await found(plain);
      for (const bad of ['%PATH%', 'a"b', 'a\nb', 'a\rb', 'a\0b']) {
        assert.equal(spawnArguments(resolved, [bad]), undefined, JSON.stringify(bad));
      }
      assert.deepEqual(await resolveCommand(plain, { ...env, COMSPEC: 'cmd.exe' }, 'win32', files), {
        ...{ reason: 'spawn_error', detail: 'batch', command: plain },
      });
    });
  });
});

describe('table of agents', () => {
  it('pins every package and says what a person needs to know', () => {
    assert.deepEqual(
      agentTable.map(({ title }) => title),
      ['Claude', 'Codex', 'Gemini', 'OpenCode', 'Kimi', 'Qwen', 'Copilot'],
    );
    for (const entry of agentTable) {
      assert.match(entry.npm, /^(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
      assert.match(entry.signIn, /^[A-Z].*\.$/);
      assert.ok(entry.programs.length > 0 && entry.megabytes > 0);
    }
  });

  it('prefers what is installed, else downloads the pinned package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agents-'));
    writeFileSync(join(folder, 'kimi'), '#!/bin/sh\n', { mode: 0o755 });
    const detected = await detectAgents({ PATH: folder });
    rmSync(folder, { recursive: true });
    const setting = (id: string): unknown => agentSetting(detected.find(({ entry }) => entry.id === id)!);
    assert.deepEqual(setting('kimi'), { command: 'kimi', args: ['acp'], env: {} });
    assert.deepEqual(setting('gemini'), {
      command: 'npx',
      args: ['-y', '@google/gemini-cli@0.61.0', '--acp'],
      env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    });
  });

  it('recognises a command line, so that it may inherit its own variables', () => {
    const id = (command: string, ...args: string[]): string | undefined => knownAgent(command, args)?.id;
    assert.equal(id('/usr/local/bin/kimi', 'acp'), 'kimi');
    assert.equal(id('npx', '-y', '@qwen-code/qwen-code@0.24.4', '--acp'), 'qwen');
    assert.equal(id('node', '/opt/x/node_modules/@moonshot-ai/kimi-code/dist/main.mjs', 'acp'), 'kimi');
    assert.equal(id('C:\\npm\\gemini.cmd', '--acp'), 'gemini');
    assert.equal(id('node', 'agent.mjs', 'kimi'), undefined);
  });
});
