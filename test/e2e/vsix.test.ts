import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packVsix } from '../../scripts/vsix.js';
import { badInputs } from '../support/badInputs.js';
import { readEmptyPanel } from './support/badInput.js';
import { ChatPanel } from './support/chatPanel.js';
import { processesWith } from './support/processes.js';
import { useWorkbench } from './support/workbench.js';

describe('the packed extension, installed', function () {
  this.timeout(180_000);
  let packed: string;
  before(async () => {
    packed = await mkdtemp(join(tmpdir(), 'acp-host-vsix-'));
    await packVsix(join(packed, 'packed.vsix'));
  });
  const workbench = useWorkbench(() => ({
    vsix: join(packed, 'packed.vsix'),
    trust: false,
    userSettings: { 'security.workspace.trust.startupPrompt': 'never' },
  }));
  let panel: ChatPanel;
  const agents = (): readonly number[] => processesWith(join(workbench().dataDir, 'extensions'));

  after(() => rm(packed, { recursive: true, force: true }));

  it('starts nothing in a folder that is not trusted, and says so', async () => {
    panel = await ChatPanel.show(workbench());
    const row = badInputs.find(({ window }) => window === 'untrusted')!;
    const said = await readEmptyPanel(panel);
    assert.match(said.what, row.what);
    assert.deepEqual(said.buttons, row.buttons);
    await workbench().plan.getByText('This folder is not trusted, so no agent starts.').waitFor();
    await panel.send('Start something');
    // Sent, refused and put back, with the keyboard.
    await panel.frame.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('[data-testid=composer-input]')?.value === 'Start something',
    );
    await workbench().run('ACP: Probe Agent');
    await workbench().page.locator('.notification-toast', { hasText: 'is not trusted' }).waitFor();
    assert.equal(await panel.entries('user').count(), 0);
    assert.equal(await panel.composer.inputValue(), 'Start something');
    assert.deepEqual(agents(), []);
  });

  it('works once the folder is trusted, and runs the demo turn', async () => {
    const { page, folder } = workbench();
    await panel.frame.getByRole('button', { name: 'Manage Trust' }).click();
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await page.locator('.workspace-trust-trusted').waitFor();
    await page.locator('.monaco-modal-editor-block .codicon-close').click();
    await page.locator('.workspace-trust-editor').waitFor({ state: 'detached' });
    panel = await ChatPanel.show(workbench());
    await panel.byId('consent-ask').click();
    await panel.byId('consent').waitFor({ state: 'detached' });
    await panel.send('Hello');
    assert.match(await workbench().dialogText(), /^Demo Agent: edit README\.md\?$/m);
    await workbench().answerDialog('Allow Once');
    await panel.frame.getByText('That was the whole tour.').waitFor();
    await panel.turn('idle');
    assert.match(await readFile(join(folder, 'README.md'), 'utf8'), /Notes from the demo agent/);
    assert.equal(agents().length > 0, true);
    assert.doesNotMatch(await page.title(), /Extension Development Host/);
  });
});
