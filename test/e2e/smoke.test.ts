import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { useWorkbench } from './support/workbench.js';

describe('workbench', () => {
  const workbench = useWorkbench();

  it('opens the sample folder with the extension under development', async () => {
    const { page, folder } = workbench();
    await page.locator('.explorer-folders-view').getByText('README.md').waitFor();
    assert.match(await readFile(join(folder, 'src/parse.ts'), 'utf8'), /export function parse/);
  });

  it('runs a command of the palette by its exact title', async () => {
    const { page } = workbench();
    await workbench().run('View: Show Search');
    await page.locator('.search-view').waitFor();
  });

  it('takes a changed setting over in the open window', async () => {
    const { page, settings } = workbench();
    await workbench().openFile('src/parse.ts');
    await page.locator('.editor-instance .line-numbers').first().waitFor();
    await settings.change({ 'editor.lineNumbers': 'off' });
    await page.locator('.editor-instance .line-numbers').first().waitFor({ state: 'detached' });
  });
});
