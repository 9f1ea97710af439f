import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/run.js';
import { fakeAgent, type FakeAgent } from '../support/fakeAgent.js';
import { text } from '../support/fakeAgentSteps.js';
import { ChatPanel } from './support/chatPanel.js';
import { agentSettings, quickDemo } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

describe('the window around the chat', function () {
  this.timeout(180_000);
  let plain: FakeAgent;
  const workbench = useWorkbench(() => {
    plain = fakeAgent({ prompts: [{ repeat: true, steps: [text('Answered.')] }] });
    return {
      settings: agentSettings({ Quick: quickDemo, Plain: plain }, { 'acp.fs.write': 'neighbour' }),
      extensions: [join(root, 'test/e2e/support/neighbour')],
    };
  });
  let panel: ChatPanel;

  before(async () => {
    panel = await ChatPanel.show(workbench());
  });
  after(async () => plain.dispose());

  it('works beside an extension that owns acp.* commands, settings and views', async () => {
    const { page } = workbench();
    await page.locator('.activitybar .action-label[aria-label^="Neighbour"]').click();
    await page.getByText('The neighbour is up').waitFor();
    await workbench().run('ACP: New Session of the Neighbour');
    await page.getByText('The neighbour ran acp.newSession.').waitFor();
    panel = await ChatPanel.show(workbench());
    await panel.frame.getByText('Edits: ask each time').waitFor();
    await panel.ask('/help');
    await workbench().run('ACP: New Session');
    await panel.entries().first().waitFor({ state: 'detached' });
    await panel.ask('/help');
    await panel.entries('assistant').getByText('I am the demo agent.').waitFor();
  });

  it('takes a changed setting over without a reload', async () => {
    await panel.chooseAgent('Plain');
    await panel.ask('first');
    await workbench().settings.change({ 'acpHost.fs.write': 'off' });
    await panel.frame.getByText('Edits: Plain itself').waitFor();
    await panel.frame.getByText(/^Plain edits by itself from here on\./).waitFor();
    await panel.ask('second');
    const initialized = (await plain.record()).filter(({ method }) => method === 'initialize');
    const offered = initialized.map(
      ({ params }) => params as { clientCapabilities?: { fs?: { writeTextFile?: boolean } } },
    );
    assert.deepEqual(
      offered.map(({ clientCapabilities }) => clientCapabilities?.fs?.writeTextFile === true),
      [true, false],
    );
    await workbench().settings.change({ 'acpHost.fs.write': 'ask' });
    await panel.frame.getByText('Edits: ask each time').waitFor();
  });

  it('shows the probe of the chat’s agent as a report in the preview', async () => {
    await panel.chooseAgent('Quick');
    await workbench().run('ACP: Probe Agent');
    const report = await workbench().frame('.markdown-body h1, .markdown-body h2');
    await report.getByText('Phases').first().waitFor();
    const words = await report.locator('.markdown-body').innerText();
    for (const expected of [/initialize/, /session\/new/, /loadSession|Load/i]) {
      assert.match(words, expected);
    }
    await workbench().page.locator('.tab.active', { hasText: 'Probe: Quick' }).waitFor();
    assert.doesNotMatch(words, /undefined|\[object/);
  });

  it('probes with a test turn from the report, after saying what it costs and what is allowed', async () => {
    const { page } = workbench();
    const button = page.locator('.editor-actions .action-label[aria-label^="Probe with a Test Turn"]');
    await button.click();
    const words = await workbench().dialogText();
    assert.match(words, /^Probe Quick with a test prompt\?$/m);
    assert.match(words, /^It costs what a short prompt costs with this agent\.$/m);
    await workbench().answerDialog('Cancel');
    await workbench().dialog.waitFor({ state: 'detached' });
    await button.click();
    await workbench().answerDialog('Send Test Prompt');
    const report = await workbench().frame('.markdown-body td:text-is("Run a command")');
    const rows = await report.locator('.markdown-body tr', { hasText: 'through VS Code' }).allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split('\t').map((cell) => cell.trim())),
      [
        ['Read a file', 'through VS Code', 'not asked'],
        ['Change a file', 'through VS Code', 'asked by VS Code'],
        ['Run a command', 'through VS Code', 'asked by VS Code'],
      ],
    );
    await report.getByText('The probe sent one prompt, in a folder of its own.').waitFor();
  });

  it('lists known agents and says what would be downloaded before it does anything', async () => {
    const { page } = workbench();
    const rows = await workbench().runToList('ACP: Add Agent…');
    for (const name of ['Claude', 'Codex', 'Gemini', 'OpenCode', 'Kimi', 'Qwen', 'Copilot']) {
      await rows.filter({ hasText: name }).first().waitFor();
    }
    await rows
      .filter({ hasText: /downloads \d+ MB/ })
      .first()
      .click();
    const words = await workbench().dialogText();
    assert.match(words, /^Add .+\?$/m);
    assert.match(words, /^VS Code would run: .*npx/m);
    assert.match(words, /^The first start downloads \S+@\d\S* from the npm registry, about \d+ MB\.$/m);
    assert.match(words, /^Signing in: /m);
    await workbench().answerDialog('Cancel');
    await workbench().dialog.waitFor({ state: 'detached' });
    panel = await ChatPanel.show(workbench());
    await panel.byId('agent-picker').click();
    await workbench().quickPickRow('Quick').waitFor();
    assert.equal(await page.locator('.quick-input-list .monaco-list-row', { hasText: 'npx' }).count(), 0);
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  });

  it('shows the same chat in an editor tab', async () => {
    const { page } = workbench();
    await panel.ask('/help');
    await workbench().run('ACP: Open Chat in Editor');
    const other = await ChatPanel.find(workbench(), panel.frame);
    await other.entries('assistant').getByText('I am the demo agent.').waitFor();
    await other.ask('/plan');
    await panel.entries('user').getByText('/plan').waitFor();
    await panel.turn('idle');
    assert.equal(await other.entries('user').count(), await panel.entries('user').count());
    await workbench().run('View: Close Editor');
    await page.locator('.tab', { hasText: 'ACP Chat' }).waitFor({ state: 'detached' });
  });

  it('is as it was after it was hidden, and starts anew on demand', async () => {
    const { page } = workbench();
    await panel.composer.fill('a draft');
    const users = await panel.entries('user').count();
    await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
    await page.locator('.explorer-folders-view').waitFor();
    panel = await ChatPanel.show(workbench());
    await panel
      .entries('user')
      .nth(users - 1)
      .waitFor();
    assert.equal(await panel.composer.inputValue(), 'a draft');
    await panel.composer.fill('');
    await panel.startOver();
    await panel.frame.getByText('Choose an agent for csv-kit').waitFor();
    await panel.ask('/help');
    assert.equal(await panel.entries('user').count(), 1);
  });
});
