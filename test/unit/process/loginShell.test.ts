import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { Agent } from '../../../src/agent/agent.js';
import { Approvals } from '../../../src/agent/approvals.js';
import type { BaseEnvironment } from '../../../src/agent/process/environment.js';
import { completeAlready, LoginShell } from '../../../src/agent/process/loginShell.js';
import { processRegistry } from '../../../src/agent/process/registry.js';
import type { ShellEnvironment } from '../../../src/agent/process/shellEnvironment.js';

class Shell {
  readonly logged: string[] = [];
  asked = 0;
  answered = 0;
  needed = true;
  result: ShellEnvironment = { ok: true, env: { PATH: '/home/a/programs' } };
  readonly #log = (message: string): void => void this.logged.push(message);
  readonly login = new LoginShell({
    log: { info: this.#log, warn: this.#log },
    notNeeded: () => (this.needed ? undefined : 'VS Code was started from a terminal'),
    onAnswer: () => {
      this.answered++;
    },
    resolve: () => {
      this.asked++;
      return Promise.resolve(this.result);
    },
  });
}

describe('login shell of a window', () => {
  it('is asked at the first need, once, also by two agents that start together', async () => {
    const shell = new Shell();
    deepEqual([shell.asked, shell.login.known], [0, undefined]);
    const two = await Promise.all([shell.login.environment(), shell.login.environment()]);
    const third = await shell.login.environment();
    deepEqual(
      [...two, third].map((env) => env?.['PATH']),
      Array(3).fill('/home/a/programs'),
    );
    deepEqual([shell.asked, shell.answered, shell.login.known], [1, 1, { PATH: '/home/a/programs' }]);
  });

  it('is asked again after it was forgotten, and the person hears what that means', async () => {
    const shell = new Shell();
    await shell.login.environment();
    shell.result = { ok: true, env: { PATH: '/new' } };
    match(shell.login.forget(), /^The next agent that starts gets the environment of your login shell, read anew\./);
    deepEqual(shell.login.known, { PATH: '/home/a/programs' });
    deepEqual(await shell.login.environment(), { PATH: '/new' });
    equal(shell.asked, 2);
  });

  it('that fails is said in one line and not asked again', async () => {
    const shell = new Shell();
    shell.result = { ok: false, why: 'The shell\nended with code 3.' };
    deepEqual([await shell.login.environment(), await shell.login.environment()], [undefined, undefined]);
    deepEqual([shell.asked, shell.answered], [1, 0]);
    deepEqual(shell.logged, [
      'No environment from the login shell, so agents get the one of this program: The shell ended with code 3.',
    ]);
  });

  it('is left alone where the own environment is complete', async () => {
    const shell = new Shell();
    shell.needed = false;
    equal(await shell.login.environment(), undefined);
    deepEqual([shell.asked, shell.logged], [0, []]);
    equal(
      shell.login.forget(),
      'The next agent that starts gets the environment of VS Code itself: VS Code was started from a terminal.',
    );
  });

  it('is needed in a local window that the desktop started, and in no other', () => {
    const words = (...[remote, env, platform]: Parameters<typeof completeAlready>): string | undefined =>
      completeAlready(remote, env, platform)?.replace(/^.*(Windows|remote|terminal).*$/, '$1');
    deepEqual(
      [
        words(undefined, {}, 'linux'),
        words(undefined, { VSCODE_CLI: '0' }, 'darwin'),
        words(undefined, { VSCODE_CLI: '1' }, 'linux'),
        words('ssh-remote', {}, 'linux'),
        words(undefined, {}, 'win32'),
      ],
      [undefined, undefined, 'terminal', 'remote', 'Windows'],
    );
  });
});

describe('an agent that waits for the login shell', () => {
  /** Its environment is answered by the test, one start after the other. */
  function waiting(command: string): {
    agent: Agent;
    answers: ((env: BaseEnvironment) => void)[];
    asked: () => Promise<void>;
  } {
    const log = { info: () => undefined, warn: () => undefined };
    const answers: ((env: BaseEnvironment) => void)[] = [];
    let wake = (): void => undefined;
    const agent = new Agent(
      { name: 'A', command, args: [], env: {} },
      { name: 'x', path: process.cwd(), more: [] },
      {
        ...{ log, approvals: new Approvals(), clientVersion: '0' },
        editor: { openText: () => undefined, write: () => Promise.resolve({ outcome: 'notOpen' }) },
        policy: () => ({ read: true, write: 'ask', terminal: 'off', acknowledged: false }),
        passEnvironment: () => [],
        handshakeTimeoutMs: () => 1000,
        isTrusted: () => true,
        baseEnvironment: () =>
          new Promise((resolve) => {
            answers.push(resolve);
            wake();
          }),
      },
    );
    const asked = (): Promise<void> => new Promise((resolve) => (wake = resolve));
    return { agent, answers, asked };
  }

  it('starts nothing when it was stopped meanwhile, and a later start is one start', async () => {
    // A program that the first answer finds and the second one does not.
    const { agent, answers, asked } = waiting('env');
    let started = 0;
    const stopObserving = processRegistry().observe({ added: () => ++started, removed: () => undefined });
    let next = asked();
    const first = agent.start();
    await next;
    await agent.stop();
    next = asked();
    const second = agent.start();
    await next;
    answers[0]?.({ PATH: '/usr/bin:/bin' });
    await rejects(first, /The agent was stopped/);
    const third = agent.start();
    answers[1]?.({ PATH: '/one:/two:/three' });
    await rejects(second, /was not found in the 3 folders of PATH/);
    await rejects(third, /was not found in the 3 folders of PATH/);
    deepEqual([answers.length, started], [2, 0]);
    stopObserving();
    agent.dispose();
  });

  it('asks it again at each start, so that a refreshed environment counts', async () => {
    const { agent, answers, asked } = waiting('no-such-agent');
    for (const [PATH, folders] of [
      ['/one', 'one folder'],
      ['/one:/two', '2 folders'],
    ] as const) {
      const next = asked();
      const started = agent.start();
      await next;
      answers.at(-1)?.({ PATH });
      await rejects(started, new RegExp(`was not found in the ${folders} of PATH`));
    }
    agent.dispose();
  });
});
