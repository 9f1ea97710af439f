import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatPanel } from './support/chatPanel.js';
import { countDialogs } from './support/countDialogs.js';
import { quickDemo } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

const NOTE = 'Notes from the demo agent';

describe('the main job, with the demo agent', function () {
  this.timeout(180_000);
  // Saving by itself, as the browser edition does, would hide who saved.
  const workbench = useWorkbench({ settings: { 'files.autoSave': 'off' } });
  let panel: ChatPanel;
  let original: string;

  const readme = (): Promise<string> => readFile(join(workbench().folder, 'README.md'), 'utf8');
  const useCards = (cards: boolean): Promise<void> =>
    workbench().settings.change({ 'acpHost.approvals.dialog': !cards });
  const planRows = () => workbench().plan.locator('.monaco-list-row');

  before(async () => {
    original = await readme();
    panel = await ChatPanel.show(workbench());
  });

  it('asks how edits may happen before anything starts, and keeps a prompt that came too early', async () => {
    await panel.byId('consent').waitFor();
    await panel.frame.getByText('Edits: not chosen yet').waitFor();
    await panel.send('Hello there');
    await panel.frame.getByText('Choose this first. Your prompt is kept.').waitFor();
    assert.equal(await panel.composer.inputValue(), 'Hello there');
    assert.equal(await panel.entries('user').count(), 0);
    await panel.byId('consent-ask').click();
    await panel.byId('consent').waitFor({ state: 'detached' });
    await panel.frame.getByText('Edits: ask each time').waitFor();
  });

  it('streams the answer, fills the plan, and asks in a modal dialog before it writes', async () => {
    await workbench().openFile('README.md');
    await panel.composer.press('Enter');
    await panel.frame.locator('[data-testid=turn-state][data-state=running]').waitFor();
    // In sight while the turn still runs: the answer before the edit, which waits for us.
    await panel.entries('assistant').getByText('This is how I work').waitFor();
    assert.equal(
      await workbench().dialogText(),
      [
        'Demo Agent: edit README.md?',
        'csv-kit/README.md, line 12',
        '+ ',
        `+ ## ${NOTE}`,
        '+ ',
        '+ - First visit: 11 lines.',
        '',
        'VS Code writes this after you allow it. Undo works.',
      ].join('\n'),
    );
    const buttons = await workbench().dialog.locator('.dialog-buttons .monaco-button').allInnerTexts();
    assert.deepEqual([...buttons].sort(), ['Allow Once', 'Deny', 'Not Now', 'Review…']);
    assert.equal(await workbench().dialog.locator('.monaco-button:focus').innerText(), 'Review…');
    await planRows().filter({ hasText: 'Suggest one small edit' }).waitFor();
    assert.equal(await planRows().filter({ hasText: 'Look at the project' }).count(), 1);
    assert.equal(await readme(), original);
  });

  it('writes what was allowed into the open editor and to disk', async () => {
    await workbench().answerDialog('Allow Once');
    await workbench().page.locator('.editor-instance .view-lines').getByText(NOTE).waitFor();
    await panel.turn('idle');
    assert.match(await readme(), new RegExp(`^## ${NOTE}$`, 'm'));
    await panel.frame.getByText('You allowed this edit').waitFor();
    await panel.frame.getByText('That was the whole tour.').waitFor();
    await workbench().plan.getByText('4 of 4').waitFor();
  });

  it('takes the edit back with one Undo', async () => {
    const { page } = workbench();
    const text = page.locator('.editor-instance .view-lines');
    await text.click();
    await page.keyboard.press('Control+Z');
    await text.getByText(NOTE).waitFor({ state: 'detached' });
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('Control+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    assert.equal(await readme(), original);
  });

  it('asks in the panel where dialogs are off, and takes no answer before its buttons stood still', async () => {
    await useCards(true);
    await workbench().settings.change({ 'acpHost.agents': { Quick: quickDemo } });
    await panel.startOver();
    await panel.chooseAgent('Quick');
    const armed = panel.whenArmed();
    await panel.send('/edit');
    await panel.approval.getByText('Edit README.md?').waitFor();
    await panel.approval.getByText('VS Code writes this after you allow it.').waitFor();
    const { clickedWhileArming, armedAfterMs } = await armed;
    assert.equal(clickedWhileArming, true);
    assert.ok(armedAfterMs >= 450, `armed after ${armedAfterMs} ms`);
    assert.equal(await panel.approval.count(), 1, 'the early click decided nothing');
    assert.equal(await readme(), original);
    assert.equal(await workbench().dialog.count(), 0);
    await panel.option('allow_once').click();
    await panel.turn('idle');
    assert.match(await readme(), new RegExp(NOTE));
    await panel.frame.getByText('You allowed this edit').waitFor();
  });

  it('leaves the file alone when denied, and the turn goes on', async () => {
    const before = await readme();
    await panel.send('/edit');
    await panel.option('reject_once').click();
    await panel.entries('assistant').getByText('That edit was not made').waitFor();
    await panel.turn('idle');
    assert.equal(await readme(), before);
    await panel.frame.getByText('You denied this').first().waitFor();
  });

  it('asks once for an edit that is asked for and then written exactly so', async () => {
    await useCards(false);
    const dialogs = await countDialogs(workbench().page);
    await panel.send('/ask');
    await workbench().dialogText();
    await workbench().answerDialog('Allow Once');
    await panel.turn('idle');
    await panel.entries('assistant').getByText('Done:').last().waitFor();
    assert.match(await readme(), /^- Visit 2: .*\.$/m);
    assert.equal(await dialogs(), 1);
  });

  it('asks again where one byte more is written than was shown', async () => {
    const dialogs = await countDialogs(workbench().page);
    await panel.send('/differ');
    await workbench().dialogText();
    await workbench().answerDialog('Allow Once');
    await workbench().dialog.getByText('This differs from what you allowed above.').waitFor();
    assert.doesNotMatch(await readme(), /Visit 3/);
    await workbench().answerDialog('Allow Once');
    await panel.turn('idle');
    assert.match(await readme(), /^- Visit 3: .*\.!$/m);
    assert.equal(await dialogs(), 2);
  });
});
