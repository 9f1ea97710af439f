import { existsSync } from 'node:fs';
import { run } from '../run.js';
import { Plain } from '../say.js';
import { aptInstall } from './apt.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;
const PACKAGES = ['chromium', 'fonts-dejavu-core'] as const;

/** Flags for a browser that may run as root and talks to nobody but us. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

/** The path of an installed Chromium (`CHROMIUM` in the environment wins), or undefined. */
export async function findChromium(): Promise<string | undefined> {
  const chosen = process.env['CHROMIUM'];
  if (chosen !== undefined && existsSync(chosen)) {
    return chosen;
  }
  for (const name of NAMES) {
    const { status, output } = await run('sh', ['-c', `command -v ${name}`]);
    if (status === 0) {
      return output.trim();
    }
  }
  return undefined;
}

/** A Chromium to drive; as root on a Debian it is installed, elsewhere its absence is one sentence with the command. */
export async function ensureChromium(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) {
    return found;
  }
  await aptInstall('Chromium is missing', PACKAGES);
  const installed = await findChromium();
  if (installed === undefined) {
    throw new Plain('Chromium was installed but is not in PATH; set CHROMIUM to its path.');
  }
  return installed;
}
