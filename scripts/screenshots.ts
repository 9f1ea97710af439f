// npm run screenshots [-- readme | gallery]: takes the pictures of the documents from the real product.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatPanel } from '../test/e2e/support/chatPanel.js';
import { Workbench } from '../test/e2e/support/workbench.js';
import { drawGallery } from './gallery.js';
import { buildProduct, root } from './run.js';
import { runScript, say } from './say.js';

const FOLDER = 'docs/screenshots';

/** Takes the pictures of the README with the demo agent. */
async function drawReadme(): Promise<void> {
  const bin = await demoCommand();
  const workbench = await Workbench.open();
  const { page } = workbench;
  const take = async (name: string): Promise<void> => {
    await page.mouse.move(900, 400);
    await page.locator('.monaco-sash.hover').waitFor({ state: 'detached' });
    // The palette fades away after it was used.
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.screenshot({ path: join(root, FOLDER, `${name}.png`) });
    say(`  ${name}.png`);
  };
  try {
    await page.setViewportSize({ width: 1200, height: 920 });
    const panel = await ChatPanel.show(workbench);
    await workbench.widenSideBar(440);
    await panel.byId('consent').waitFor();
    await take('empty');
    await page.setViewportSize({ width: 1200, height: 800 });
    await workbench.openFile('README.md');
    await panel.byId('consent-ask').click();
    await panel.byId('consent').waitFor({ state: 'detached' });
    await panel.send('Show me how you work');
    await workbench.dialogText();
    await workbench.plan.locator('.monaco-list-row', { hasText: 'Suggest one small edit' }).waitFor();
    await take('approval-dialog');
    await workbench.answerDialog('Allow Once');
    await panel.frame.getByText('That was the whole tour.').waitFor();
    await panel.turn('idle');
    await panel.frame.getByText('You allowed this edit').scrollIntoViewIfNeeded();
    await workbench.plan.locator('.pane-header').click();
    await page.setViewportSize({ width: 1200, height: 1000 });
    await panel.transcript.hover();
    await panel.frame.getByText('You allowed this edit').scrollIntoViewIfNeeded();
    await take('chat');
    await workbench.settings.change({ 'workbench.colorTheme': 'Default Dark Modern' });
    await panel.frame.locator('body.vscode-dark').waitFor();
    await take('chat-dark');
    await workbench.settings.change({
      'workbench.colorTheme': undefined,
      'acpHost.approvals.dialog': false,
    });
    await page.setViewportSize({ width: 1200, height: 800 });
    await workbench.plan.locator('.pane-header').click();
    await panel.frame.locator('body.vscode-light').waitFor();
    await panel.startOver();
    await panel.send('Show me how you work');
    await panel.frame.locator('[data-testid=approval-option][aria-disabled=false]').first().waitFor();
    await take('approval-card');
    await workbench.sideBar.screenshot({ path: join(root, FOLDER, 'plan.png') });
    await panel.option('reject_once').click();
    await panel.turn('idle');
    await workbench.settings.change({ 'acpHost.agents': { 'Demo Agent': { command: join(bin, 'demo-agent') } } });
    await workbench.run('ACP: Probe Agent');
    const report = await workbench.frame('.markdown-body h1, .markdown-body h2');
    await report.getByText('Phases').first().waitFor();
    await workbench.run('Notifications: Clear All Notifications');
    await take('probe');
  } catch (error) {
    await workbench.keepEvidence('screenshots');
    throw error;
  } finally {
    await workbench.close();
    await rm(bin, { recursive: true, force: true });
  }
}

/** A folder with a program `demo-agent`: a report then shows no path of this repository. */
async function demoCommand(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bin-'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/demo-agent.cjs')}' "$@"\n`;
  await writeFile(join(folder, 'demo-agent'), script, { mode: 0o755 });
  return folder;
}

await runScript(async () => {
  const wanted = process.argv.slice(2);
  const all = wanted.length === 0;
  await buildProduct();
  await mkdir(join(root, FOLDER), { recursive: true });
  if (all || wanted.includes('readme')) {
    await drawReadme();
  }
  if (all || wanted.includes('gallery')) {
    await drawGallery();
  }
  return 0;
});
