import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fakeAgent, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import * as s from '../support/fakeAgentSteps.js';
import { runHeadless, type HeadlessRun } from '../support/headless.js';
import { writeFiles } from '../support/writeFiles.js';
import { assistantText, cleanAfterEach, temporaryFolder } from './scenario.js';

const agentName = 'agent-of-the-profile';
const toolName = 'tool-of-the-profile';

/** What an editor has that the desktop started. The shell is a stand-in that runs `profile` first. */
function desktop(home: string, fake: FakeAgent, profile: string): Readonly<Record<string, string>> {
  const programs = {
    [`programs/${agentName}`]: `#!/bin/sh\nexec '${fake.command}' "$@"\n`,
    [`programs/${toolName}`]: '#!/bin/sh\necho "run by $0"\n',
    shell: `#!/bin/sh\n${profile}\nfor command; do :; done\nexec /bin/sh -c "$command"\n`,
  };
  writeFiles(home, programs);
  for (const name of Object.keys(programs)) {
    chmodSync(join(home, name), 0o755);
  }
  return { PATH: '/usr/bin:/bin', HOME: home, SHELL: join(home, 'shell') };
}

describe('environment of the login shell', () => {
  cleanAfterEach();
  let home: string;
  let fake: FakeAgent;
  beforeEach(() => {
    home = temporaryFolder();
    fake = fakeAgent([
      s.createTerminal(toolName, {}, { as: 't', id: 'c' }),
      s.terminal('wait_for_exit', 't'),
      s.terminal('output', 't', { as: 'out' }),
      s.echo('out'),
    ]);
  });
  afterEach(() => fake.dispose());

  const run = async (profile: string, options: readonly string[]): Promise<HeadlessRun> => {
    const done = await runHeadless({
      agent: { command: agentName, args: fake.args },
      cwd: temporaryFolder(),
      env: desktop(home, fake, profile),
      options: ['--terminal', 'ask', '--answers', 'allow_once', ...options],
      prompts: ['go'],
    });
    await waitUntilGone(await fake.agentPids(), 2_000);
    return done;
  };
  const addsPrograms = (): string => `export PATH="${join(home, 'programs')}:$PATH"`;

  it('B15 finds an agent that only the profile has in PATH, and the commands that run for it', async () => {
    const done = await run(addsPrograms(), ['--login-shell']);
    assert.equal(done.status, 0, done.stderr);
    assert.match(assistantText(done), new RegExp(`run by ${join(home, 'programs', toolName)}`));
    assert.match(done.stderr, /^Read the environment of the login shell in \d+ ms\.$/m);
  });

  it('B15 without it names the command, where it was looked for, and the setting', async () => {
    const done = await run(addsPrograms(), []);
    const [failed] = done.events('probe');
    assert.deepEqual(
      [done.status, failed?.['reason'], failed?.['message'], failed?.['nextStep']],
      [
        127,
        'missing_binary',
        `“${agentName}” was not found in the 2 folders of PATH on this machine.`,
        'Install it, or write its full path into the agent’s “command” setting.',
      ],
    );
    assert.doesNotMatch(done.stderr, /login shell/);
  });

  it('B15 says in one line of the log that the shell failed, and goes on with what it has', async () => {
    const done = await run('exit 3', ['--login-shell']);
    assert.equal(done.status, 127);
    assert.deepEqual(
      done.stderr.split('\n').filter((line) => line.includes('shell')),
      ['No environment from the login shell, so agents get the one of this program: The shell ended with code 3.'],
    );
  });
});
