import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packVsix } from '../../scripts/vsix.js';
import { zipNames } from '../support/zip.js';

/** Everything that ships. A new file in the package is a decision: it is made here. */
const SHIPPED = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/demo-agent.cjs',
  'extension/dist/extension.cjs',
  'extension/dist/watchdog.cjs',
  'extension/dist/webview/codicon.css',
  'extension/dist/webview/codicon.ttf',
  'extension/dist/webview/main.js',
  'extension/dist/webview/panel.css',
  'extension/l10n/bundle.l10n.json',
  'extension/media/acp.svg',
  'extension/media/icon.png',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
];

describe('the packed extension', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'acp-host-pack-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('ships exactly the files that are listed', async () => {
    const vsix = join(folder, 'packed.vsix');
    await packVsix(vsix);
    assert.deepEqual([...zipNames(await readFile(vsix))].sort(), SHIPPED);
  });
});
