import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun, root } from './run.js';

/** Where `npm run package` puts the packed extension. */
export async function vsixPath(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return join(root, `dist/acp-host-${version}.vsix`);
}

/** Packs what stands in dist/ into a .vsix at `out`. No network, no build. */
export async function packVsix(out: string): Promise<void> {
  // There is no public repository yet, and the bundles already hold every dependency.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  await mustRun('Packing', join(root, 'node_modules/.bin/vsce'), ['package', ...flags, '--out', out]);
}
