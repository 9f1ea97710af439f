// Things that are fetched once for a machine and kept outside the repository, keyed by what was asked for.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { say } from './say.js';
import { withLock } from './vscode/lock.js';

/**
 * Returns the folder `<cache>/acp-host/<name>-<hash of key>`, filling it first where it is not there. It is filled under
 * another name, under a lock, and renamed: a folder with the right name is always whole.
 */
export async function ensureCached(
  name: string,
  key: unknown,
  fill: (temporary: string, folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 12);
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'acp-host');
  const folder = join(cache, `${name}-${hash}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    await withLock(`${folder}.lock`, async () => {
      if (!existsSync(folder)) {
        await fillAndRename(folder, fill);
      }
    });
  }
  return folder;
}

async function fillAndRename(
  folder: string,
  fill: (temporary: string, folder: string) => Promise<void>,
): Promise<void> {
  const started = Date.now();
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    await fill(temporary, folder);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  say(`  ready after ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Options of an npm install that runs no package's scripts and prints errors only. */
export const quietInstall = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'] as const;

/**
 * The environment for an npm of its own. npm hands its settings on to every script; the ones of this repository must
 * not reach another install. With `nodeFolder`, native parts are built for the Node in it.
 */
export function npmEnvironment(nodeFolder?: string): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_(lifecycle|package)_|npm_config_(ignore_scripts|local_prefix|prefix|call|omit|save)|npm_command$|INIT_CWD$)/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  if (nodeFolder === undefined) {
    return kept;
  }
  return { ...kept, PATH: join(nodeFolder, 'bin') + delimiter + (kept['PATH'] ?? ''), npm_config_nodedir: nodeFolder };
}
