import assert from 'node:assert/strict';
import { copySample } from '../../scripts/sample.js';
import { badInputs, type BadInput } from '../support/badInputs.js';
import { BadInputAgents, ordinaryInputs, provoke, readEmptyPanel, type Said } from './support/badInput.js';
import { ChatPanel } from './support/chatPanel.js';
import { useWorkbench } from './support/workbench.js';

/** Its words are right, few and without a stack; its next step is there. */
function check(row: BadInput, { what, why, buttons }: Said): void {
  assert.match(what, row.what);
  assert.match(why, row.why);
  for (const button of row.buttons) {
    assert.ok(
      buttons.some((label) => label.includes(button)),
      `no button ${button} among ${buttons.join(', ')}`,
    );
  }
  if (row.where === 'conversation') {
    const sentences = why.split(/(?<=[.!?”])\s+(?=[A-Z“])/).length;
    assert.ok(sentences <= (row.sentences ?? 2), `${sentences} sentences: ${why}`);
  }
  assert.doesNotMatch(`${what}\n${why}`, /\bat \S+ \(|node:internal|undefined|\[object/);
}

describe('bad input gets a sentence', function () {
  this.timeout(180_000);
  const agents = new BadInputAgents();
  let folder: string;
  before(async () => {
    folder = await copySample();
  });
  const workbench = useWorkbench(() => ({ folder, settings: agents.settings(folder) }));
  let panel: ChatPanel;

  before(async () => {
    panel = await ChatPanel.show(workbench());
  });
  after(async () => agents.dispose());

  for (const row of ordinaryInputs) {
    it(row.title, async () => {
      const prompt = `Please do this (${row.slug})`;
      const said = await provoke(workbench(), panel, row, prompt);
      check(row, said);
      await panel.frame
        .locator('[data-testid=turn-state]:is([data-state=idle], [data-state=failed])')
        .waitFor({ state: 'attached' });
      await panel.entries('user').getByText(prompt).waitFor();
      await panel.composer.fill('still here');
      assert.equal(await panel.composer.inputValue(), 'still here');
      await panel.composer.fill('');
    });
  }

  it('No agent configured', async () => {
    await workbench().settings.change({ 'acpHost.agents': {} });
    panel = await ChatPanel.show(workbench());
    await panel.startOver();
    await panel.byId('agent-picker').getByText('Demo Agent').waitFor();
    check(
      badInputs.find(({ window }) => window === 'noAgents')!,
      await readEmptyPanel(panel),
    );
  });

  it('B18 No folder open', async () => {
    await workbench().openFolder(null);
    panel = await ChatPanel.show(workbench());
    check(
      badInputs.find(({ window }) => window === 'noFolder')!,
      await readEmptyPanel(panel),
    );
    await panel.composer.fill('still here');
    assert.equal(await panel.composer.inputValue(), 'still here');
  });
});
