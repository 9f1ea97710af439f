import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  buildEnvironment,
  withProxy,
  markerName,
  secretValues,
  variable,
} from '../../../src/agent/process/environment.js';
import { deniedNames, nameMatcher } from '../../../src/agent/process/environmentNames.js';

const plain = { platform: 'linux', pass: [], agentEnv: {}, marker: 'm' } as const;

/** Environments as editors find them. */
const fixtures = {
  macFromTheDock: {
    HOME: '/Users/a',
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    SHELL: '/bin/zsh',
    TMPDIR: '/var/folders/x/T/',
    __CF_USER_TEXT_ENCODING: '0x1F5:0x0:0x0',
    XPC_SERVICE_NAME: 'application.com.microsoft.VSCode',
    VSCODE_PID: '1',
    ELECTRON_RUN_AS_NODE: '1',
    GITHUB_TOKEN: 'x',
  },
  linuxSnap: {
    HOME: '/home/a',
    PATH: '/usr/bin',
    USER: 'a',
    LANG: 'C.UTF-8',
    LC_TIME: 'de_DE.UTF-8',
    LC_TOKEN: 'behind a prefix',
    MISE_GITHUB_TOKEN: 'behind a prefix',
    NIX_CONFIG: 'access-tokens = x',
    XDG_RUNTIME_DIR: '/run/user/1000',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    SNAP: '/snap/code/1',
    SNAP_NAME: 'code',
    GTK_PATH: '/snap/code/1/usr/lib/gtk-3.0',
    GDK_PIXBUF_MODULEDIR: '/snap/x',
    LD_LIBRARY_PATH: '/snap/x',
    SSH_AUTH_SOCK: '/tmp/ssh/agent.1',
  },
  underTheDebugger: {
    HOME: '/home/a',
    PATH: '/usr/bin',
    NODE_OPTIONS: '--require /x/js-debug/bootloader.js',
    VSCODE_INSPECTOR_OPTIONS: '{}',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    HTTPS_PROXY: 'http://proxy:3128',
    no_proxy: 'localhost',
  },
  insideAnotherAgent: {
    HOME: '/home/a',
    PATH: '/usr/bin',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CONFIG_DIR: '/home/a/.c',
    npm_config_cache: '/x',
  },
};

describe('environment', () => {
  it('passes on what programs need, by name, and nothing else', () => {
    const passed = Object.fromEntries(
      Object.entries(fixtures).map(([name, base]) => [name, buildEnvironment({ ...plain, base }).passed]),
    );
    assert.deepEqual(passed, {
      macFromTheDock: ['HOME', 'PATH', 'SHELL', 'TMPDIR', '__CF_USER_TEXT_ENCODING'],
      linuxSnap: ['DBUS_SESSION_BUS_ADDRESS', 'HOME', 'LANG', 'LC_TIME', 'PATH', 'USER', 'XDG_RUNTIME_DIR'],
      underTheDebugger: ['HOME', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'PATH', 'no_proxy'],
      insideAnotherAgent: ['HOME', 'PATH'],
    });
  });

  it('adds the names of the setting and of the agent, with a star for any rest', () => {
    const base = { HOME: '/h', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'u', CODEX_HOME: 'c', MY_VAR: 'v', OTHER: 'o' };
    const built = buildEnvironment({ ...plain, base, pass: ['MY_VAR', 'OPENAI_*'], agentNames: ['CODEX_*'] });
    assert.deepEqual(built.passed, ['CODEX_HOME', 'HOME', 'MY_VAR', 'OPENAI_API_KEY', 'OPENAI_BASE_URL']);
  });

  it('lets the settings of the agent win, and null take away', () => {
    const base = { HOME: '/h', PATH: '/usr/bin', LANG: 'C', TZ: 'UTC' };
    const { env } = buildEnvironment({
      ...plain,
      base,
      agentEnv: { LANG: 'de', TZ: null, PATH: '/opt/bin:${env:PATH}', NEW: 'x' },
    });
    assert.deepEqual(env, { HOME: '/h', PATH: '/opt/bin:/usr/bin', LANG: 'de', NEW: 'x', [markerName]: 'm' });
  });

  it('drops blank values silently and values of several lines with a note that holds no value', () => {
    const base = { HOME: ' ', LANG: '', TZ: 'a\nsecret', TERM: 'xterm' };
    const built = buildEnvironment({ ...plain, base, agentEnv: { 'A=B': 'x', OK: 'y\0' } });
    assert.deepEqual(built.passed, ['TERM']);
    assert.equal(built.notes.length, 3);
    assert.ok(!built.notes.join().includes('secret'));
  });

  it('compares names as Windows does, and keeps one spelling', () => {
    const base = { PATH: 'C:\\a', Path: 'C:\\b', systemroot: 'C:\\Windows', electron_run_as_node: '1', Home: 'x' };
    const { env } = buildEnvironment({ ...plain, platform: 'win32', base, pass: ['*'] });
    assert.deepEqual(env, { Path: 'C:\\a', SystemRoot: 'C:\\Windows', Home: 'x', [markerName]: 'm' });
    assert.equal(variable({ Path: 'C:\\a' }, 'PATH', 'win32'), 'C:\\a');
  });

  it('never inherits what is denied, whatever is asked for', () => {
    const names = fc.oneof(
      fc.constantFrom(...deniedNames).chain((name) => fc.string().map((rest) => name.replace('*', rest))),
      fc.string(),
      fc.constantFrom('HOME', 'PATH', 'npm_config_x', 'LC_ALL', 'DYLD_INSERT_LIBRARIES', 'BASH_FUNC_x%%'),
    );
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.string()),
        fc.array(fc.oneof(names, fc.constantFrom('*', 'VSCODE_*', 'N*'))),
        fc.constantFrom('linux', 'darwin', 'win32'),
        (base, pass, platform) => {
          const { env, passed } = buildEnvironment({ base, pass, platform, agentEnv: {}, marker: 'mark' });
          const denied = nameMatcher(deniedNames, platform === 'win32');
          assert.deepEqual(passed.filter(denied), []);
          assert.equal(env[markerName], 'mark');
          assert.ok(Object.values(env).every((value) => value.trim() !== '' && !/[\n\r\0]/.test(value)));
          assert.deepEqual(Object.keys(env).sort(), [...passed, markerName].sort());
        },
      ),
    );
  });

  it('knows which values are secret', () => {
    const env = { OPENAI_API_KEY: 'k'.repeat(9), MONKEY: 'nothing to hide', GH_TOKEN: 'short', HOME: '/home/anybody' };
    assert.deepEqual(secretValues(env), ['kkkkkkkkk', 'nothing to hide']);
  });

  it('takes for a secret what a person wrote down and could be one, and not what an error is read for', () => {
    const own = {
      ...{ FOO: 's3cr3t-1', DATABASE_URL: 'postgres://u:pw1@h/d', GEMINI_MODEL: 'gemini-2.5-pro' },
      ...{
        BASE_URL: 'http://127.0.0.1:8080/v1',
        CONFIG: '/home/a1/x',
        WORD: 'production',
        PORTS: '80808080',
        SHORT: 'a1',
      },
    };
    assert.deepEqual(secretValues({ ...own, INHERITED: 'abc-123-def' }, own), ['s3cr3t-1', 'postgres://u:pw1@h/d']);
  });

  it('takes the proxy of the editor where the environment names none', () => {
    const proxy = 'http://proxy.corp:3128';
    const given = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
    assert.deepEqual(withProxy({ A: '1' }, proxy, []), { A: '1', ...given });
    assert.deepEqual(withProxy({}, proxy, ['localhost', 7, '.corp']), { ...given, NO_PROXY: 'localhost,.corp' });
    assert.deepEqual(withProxy({ NO_PROXY: 'x' }, proxy, ['y']), { NO_PROXY: 'x', ...given });
    for (const own of ['http_proxy', 'HTTPS_PROXY', 'all_proxy']) {
      assert.deepEqual(withProxy({ [own]: 'http://mine' }, proxy, []), { [own]: 'http://mine' });
    }
    for (const none of [undefined, '', 'proxy.corp', 'file:///x', 'http://a b', 7]) {
      assert.deepEqual(withProxy({ A: '1' }, none, []), { A: '1' });
    }
  });
});
