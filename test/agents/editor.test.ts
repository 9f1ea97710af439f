/** One turn of real agents in a real VS Code, as a person sees it. `ACP_HOST_SCREENSHOTS=1` keeps the pictures. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { root } from '../../scripts/run.js';
import { copySample } from '../../scripts/sample.js';
import { Workbench } from '../e2e/support/workbench.js';
import { startMockModel, type MockModel } from '../support/mockModel/server.js';
import type { PlanItem, Step } from '../support/mockModel/types.js';
import type { AgentName } from '../support/realAgents/install.js';
import { launch } from '../support/realAgents/launch.js';
import { endAllWith, noneWith } from '../support/realAgents/realRun.js';
import { writeFiles } from '../support/writeFiles.js';

const OLD = "line.split(',')";
const NEW = 'line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)';
const PROMPT = 'Let quoted fields hold commas.';
const ANSWER = 'Quoted fields may hold commas now';
const STEP = 'Split at commas outside quotes';
const UNSAVED = 'words that nobody has saved ';

type Shown = {
  readonly agent: AgentName;
  readonly title: string;
  /** It publishes its plan. */
  readonly plan: boolean;
  /** Settings of the person in its home: path → text. */
  readonly home?: Readonly<Record<string, string>>;
  /** The mode that it starts in then, as the panel says it. */
  readonly mode?: string;
  /** It runs a command by itself, after a question of its own. */
  readonly command: boolean;
  /** It reads through the editor, so that it gets what is not saved yet. */
  readonly readsEditor: boolean;
};
const shown: readonly Shown[] = [
  { agent: 'kimi', title: 'Kimi', plan: true, command: false, readsEditor: true },
  { agent: 'gemini', title: 'Gemini', plan: false, command: false, readsEditor: false },
  {
    agent: 'claude',
    title: 'Claude',
    plan: true,
    // Its own choice would be a mode that asks nothing.
    home: { '.claude/settings.json': JSON.stringify({ permissions: { defaultMode: 'default' } }) },
    mode: 'Mode: Manual',
    command: true,
    readsEditor: false,
  },
];

const plan = (...states: readonly string[]): PlanItem[] =>
  ['Read the parser', STEP].map((text, index) => [text, states[index] ?? 'pending']);

/** What the model does with the prompt, which is one that a person would write. */
const turn = ({ plan: plans, command }: Shown, file: string): readonly Step[] => [
  {
    thought: 'The parser splits at every comma. Only those with an even number of quotes behind them may count.',
    text: 'I look at the parser first.',
    ...(plans ? { do: 'plan', items: plan('in_progress') } : {}),
    ...(plans ? {} : { do: 'read', path: file }),
  },
  ...(plans ? ([{ do: 'read', path: file }] as const) : []),
  { text: 'It splits at every comma, also inside quotes.', do: 'edit', path: file, old: OLD, new: NEW },
  ...(command ? ([{ do: 'shell', command: 'echo 12 passed; exit 3' }] as const) : []),
  ...(plans ? ([{ do: 'plan', items: plan('completed', 'completed') }] as const) : []),
  { text: `${ANSWER}:\n\n\`\`\`ts\nparse('name,"London, UK"'); // [['name', '"London, UK"']]\n\`\`\`\n` },
];

for (const one of shown) {
  describe(`${one.agent} in the editor`, () => {
    let model: MockModel;
    let workbench: Workbench;
    let folder: string;
    let home: string;

    before(async () => {
      folder = await copySample();
      home = mkdtempSync(join(tmpdir(), 'real-agent-home-'));
      model = await startMockModel(turn(one, join(folder, 'src/parse.ts')));
      const agent = await launch(one.agent, model.url);
      writeFiles(home, { ...agent.home, ...one.home });
      workbench = await Workbench.open({
        folder,
        settings: {
          'acpHost.agents': {
            [one.title]: { command: agent.command, args: agent.args, env: { ...agent.env, HOME: home } },
          },
          'acpHost.defaultAgent': one.title,
          'acpHost.fs.write': 'ask',
          'acpHost.terminal': 'ask',
          'acpHost.handshakeTimeout': 120,
          // In a browser VS Code saves by itself, after a second.
          'files.autoSave': 'off',
        },
      });
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed' && !workbench.page.isClosed()) {
        await workbench.keepEvidence(this.currentTest.fullTitle());
      }
    });

    after(async () => {
      // The last test has done it, if nothing failed before.
      await workbench?.close();
      await model?.close();
      endAllWith(`HOME=${home}`);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
    });

    /** Sends a text as a person does. */
    async function prompt(text: string): Promise<Frame> {
      const chat = await workbench.chat();
      await chat.locator('[data-testid=composer-input]').fill(text);
      await workbench.page.keyboard.press('Enter');
      return chat;
    }

    it('asks once, edits the file and answers', async () => {
      const { page } = workbench;
      const file = join(folder, 'src/parse.ts');
      // Tall enough for the whole turn.
      await page.setViewportSize({ width: 1280, height: 1000 });
      await workbench.openFile('src/parse.ts');
      await workbench.run('ACP: Focus Chat');
      const chat = await prompt(PROMPT);

      const question = await workbench.dialogText();
      assert.match(question, /parse\.ts/);
      assert.ok(question.includes(OLD) && question.includes(NEW), 'the whole change stands in the dialog');
      assert.ok(readFileSync(file, 'utf8').includes(OLD), 'nothing is written before the answer');
      await workbench.answerDialog('Allow Once');
      if (one.command) {
        assert.match(await workbench.dialogText(), /echo 12 passed/);
        await workbench.answerDialog('Allow Once');
      }

      const answer = chat.locator('[data-testid=entry][data-kind=assistant]', { hasText: ANSWER });
      await answer.waitFor();
      await chat.locator('[data-testid=turn-state][data-state=idle]').waitFor({ state: 'attached' });
      assert.ok(readFileSync(file, 'utf8').includes(NEW));
      assert.equal(await chat.locator('[data-testid=approval]').count(), 0, 'one edit, one question');
      if (one.mode !== undefined) {
        await chat.getByText(one.mode, { exact: true }).waitFor();
      }
      if (one.plan) {
        await page.getByText(STEP).first().waitFor();
      }
      if (one.command) {
        const card = chat.locator('[data-testid=entry][data-kind=tool]', { hasText: 'echo 12 passed' });
        await card.locator('footer', { hasText: 'Exit code 3' }).waitFor();
      }

      if (process.env['ACP_HOST_SCREENSHOTS'] === '1') {
        await page.locator('.monaco-editor .view-lines', { hasText: 'line.split(/,' }).first().waitFor();
        const picture = join(root, `docs/screenshots/${one.agent}.png`);
        mkdirSync(dirname(picture), { recursive: true });
        await page.screenshot({ path: picture });
      }
    });

    if (one.readsEditor) {
      it('reads what stands in the editor and is not saved', async () => {
        const { page } = workbench;
        await workbench.openFile('README.md');
        await page.keyboard.press('Control+Home');
        await page.keyboard.type(UNSAVED);
        await page.locator('.tab.active.dirty', { hasText: 'README.md' }).waitFor();
        const file = join(folder, 'README.md');
        const chat = await prompt(`[[mock:read path=${file}]]`);
        await chat.locator('[data-testid=entry][data-kind=assistant]', { hasText: 'I have read it.' }).waitFor();
        assert.ok(model.heard(UNSAVED), 'the model got the text of the editor');
        assert.ok(!readFileSync(file, 'utf8').includes(UNSAVED), 'and nothing is saved');
      });
    }

    it('leaves nothing when the window goes while its command runs', async () => {
      const begun = join(folder, 'begun');
      await prompt(`[[mock:shell command=${JSON.stringify('touch begun; sleep 600 & sleep 600; echo end')}]]`);
      // Its own question, the host's, or both.
      const allow = workbench.dialog.getByRole('button', { name: 'Allow Once', exact: true });
      while (!existsSync(begun)) {
        if (await allow.isVisible()) {
          await allow.click();
        }
        await delay(50);
      }
      // Without a word: what was started in it has to go by itself.
      await workbench.close();
      await noneWith(`HOME=${home}`, 5_000);
    });
  });
}
