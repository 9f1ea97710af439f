import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.js';

/** Copies the sample workspace to a fresh temporary folder, so that agents may change it, and returns its real path. */
export async function copySample(): Promise<string> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'acp-host-sample-')));
  const folder = join(parent, 'csv-kit');
  await cp(join(root, 'samples/csv-kit'), folder, { recursive: true });
  return folder;
}
