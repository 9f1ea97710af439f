import { mustRun, run } from '../run.js';
import { Plain, say } from '../say.js';

/** Whether a command of this name is in PATH. */
export async function hasCommand(name: string): Promise<boolean> {
  return (await run('sh', ['-c', `command -v ${name}`])).status === 0;
}

/**
 * Installs Debian packages where we are root; elsewhere fails with one sentence that names the missing command.
 * `what` begins that sentence: "Chromium is missing".
 */
export async function aptInstall(what: string, packages: readonly string[]): Promise<void> {
  const args = ['install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0 || !(await hasCommand('apt-get'))) {
    throw new Plain(`${what}; install it with: sudo apt-get ${args.join(' ')}`);
  }
  say(`${what}: installing it (once).`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await mustRun('apt-get update', 'apt-get', ['update', '-qq'], { env });
  await mustRun(`apt-get ${args.join(' ')}`, 'apt-get', ['-qq', ...args], { env });
}
