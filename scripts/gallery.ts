// Brings every bad input about in a real window, takes its picture and writes docs/error-gallery.md.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badInputs, type BadInput } from '../test/support/badInputs.js';
import { BadInputAgents, provoke, readEmptyPanel, type Said } from '../test/e2e/support/badInput.js';
import { ChatPanel } from '../test/e2e/support/chatPanel.js';
import { Workbench } from '../test/e2e/support/workbench.js';
import { root } from './run.js';
import { copySample } from './sample.js';
import { say } from './say.js';
import { packVsix } from './vsix.js';

const PICTURES = 'docs/screenshots/errors';
const PROMPT = 'Please add a test for empty input';
const VIEWPORT = { width: 900, height: 620 };

type Shown = { readonly row: BadInput; readonly said: Said };

/** Draws the whole gallery; takes one to three minutes. */
export async function drawGallery(): Promise<void> {
  await mkdir(join(root, PICTURES), { recursive: true });
  const shown = [...(await trustedRows()), ...(await untrustedRow())];
  await writeFile(join(root, 'docs/error-gallery.md'), page(shown));
}

async function trustedRows(): Promise<readonly Shown[]> {
  const agents = new BadInputAgents();
  const folder = await copySample();
  const workbench = await Workbench.open({ folder, settings: agents.settings(folder) });
  const shown: Shown[] = [];
  try {
    let panel = await prepare(workbench);
    for (const row of badInputs.filter(({ window }) => window === undefined)) {
      const said = await provoke(workbench, panel, row, PROMPT);
      await panel.frame.locator('[data-testid=turn-state]:is([data-state=idle], [data-state=failed])').waitFor();
      shown.push(await take(workbench, row, said));
    }
    await workbench.settings.change({ 'acpHost.agents': {} });
    await panel.startOver();
    await panel.byId('agent-picker').getByText('Demo Agent').waitFor();
    shown.push(await take(workbench, rowOf('noAgents'), await readEmptyPanel(panel)));
    await workbench.openFolder(null);
    panel = await prepare(workbench);
    shown.push(await take(workbench, rowOf('noFolder'), await readEmptyPanel(panel)));
  } finally {
    await workbench.close();
    await agents.dispose();
    await rm(join(folder, '..'), { recursive: true, force: true });
  }
  return shown;
}

/** Restricted Mode needs an installed extension: the one under development is trusted with its window. */
async function untrustedRow(): Promise<readonly Shown[]> {
  const packed = await mkdtemp(join(tmpdir(), 'acp-host-gallery-'));
  const vsix = join(packed, 'packed.vsix');
  await packVsix(vsix);
  const userSettings = { 'security.workspace.trust.startupPrompt': 'never' };
  const workbench = await Workbench.open({ vsix, trust: false, userSettings });
  try {
    return [await take(workbench, rowOf('untrusted'), await readEmptyPanel(await prepare(workbench)))];
  } finally {
    await workbench.close();
    await rm(packed, { recursive: true, force: true });
  }
}

/** Shows the chat alone, in a side bar of a common width. */
async function prepare(workbench: Workbench): Promise<ChatPanel> {
  await workbench.page.setViewportSize(VIEWPORT);
  const panel = await ChatPanel.show(workbench);
  await workbench.widenSideBar(440);
  const plan = workbench.plan.locator('.pane-header[aria-expanded=true]');
  if ((await plan.count()) > 0) {
    await plan.click();
  }
  return panel;
}

function rowOf(window: BadInput['window']): BadInput {
  const row = badInputs.find((each) => each.window === window);
  if (row === undefined) {
    throw new Error(`The table has no row for ${window}.`);
  }
  return row;
}

async function take(workbench: Workbench, row: BadInput, said: Said): Promise<Shown> {
  await said.box.scrollIntoViewIfNeeded();
  await workbench.page.mouse.move(VIEWPORT.width - 20, VIEWPORT.height / 2);
  await workbench.sideBar.screenshot({ path: join(root, PICTURES, `${row.slug}.png`) });
  say(`  ${row.title}: ${said.what}`);
  return { row, said };
}

/** In the order of the table. */
function page(shown: readonly Shown[]): string {
  const parts = badInputs.flatMap((row) => {
    const found = shown.find((each) => each.row === row);
    return found === undefined ? [] : [section(found)];
  });
  return `# What you see when something is wrong

Each of these was brought about in a real VS Code by \`npm run screenshots\`, and each is a test: the table is
[test/support/badInputs.ts](../test/support/badInputs.ts), the tests are in test/e2e. Your prompt is kept in all of them.

${parts.join('\n')}`;
}

function section({ row, said }: Shown): string {
  // Where the sample stood for this run is nothing for a document.
  const plain = (text: string): string => text.replace(/[^\s“]*\/(?=csv-kit)/g, '…/');
  const words = row.where === 'emptyPanel' ? said.what : `**${plain(said.what)}.** ${plain(said.why)}`;
  return `## ${row.title}\n\n${words}\n\n![The chat panel: ${row.title}](screenshots/errors/${row.slug}.png)\n`;
}
