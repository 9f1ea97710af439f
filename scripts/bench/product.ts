import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, root } from '../run.js';
import { Plain } from '../say.js';

/** What VS Code reads of the extension. */
const SHIPPED = ['package.json', 'package.nls.json', 'l10n', 'media', 'dist'] as const;
const BUNDLES = ['extension.cjs', 'demo-agent.cjs', 'watchdog.cjs', 'webview/main.js'] as const;

export type Product = { readonly folder: string; readonly remove: () => Promise<void> };

/** Builds the extension as it ships and copies it aside, so that no later build changes what is measured. */
export async function productionCopy(): Promise<Product> {
  await mustRun('The build', process.execPath, ['esbuild.mjs', '--production'], { show: true });
  const parent = await mkdtemp(join(tmpdir(), 'acp-host-bench-'));
  const folder = join(parent, 'extension');
  await mkdir(folder);
  for (const path of SHIPPED) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  for (const bundle of BUNDLES) {
    if ((await readFile(join(folder, 'dist', bundle), 'utf8')).includes('\n//# sourceMappingURL=')) {
      throw new Plain(`dist/${bundle} is no production build; was another build running?`);
    }
  }
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
