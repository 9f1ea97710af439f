import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'playwright-core';
import { fakeAgent, type FakeAgent } from '../support/fakeAgent.js';
import { diff, permission, plan, text, thought, toolCall, toolUpdate, writeFile } from '../support/fakeAgentSteps.js';
import { seriousFindings } from './support/axe.js';
import { ChatPanel } from './support/chatPanel.js';
import { agentSettings, quickDemo } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

/** Markup and links of every kind that has ever run something in a chat. The address is never answered by anyone. */
const HOSTILE = [
  '<img src="http://127.0.0.1:9/pixel.png" onerror="document.body.dataset.pwned = 1">',
  '<script>document.body.dataset.pwned = 1</script>',
  '<style>* { display: none }</style>',
  '<iframe src="http://127.0.0.1:9/frame"></iframe>',
  '<svg onload="document.body.dataset.pwned = 1"></svg>',
  '![a picture](http://127.0.0.1:9/markdown.png)',
  '[runs a script](javascript:document.body.dataset.pwned=1)',
  '[runs a command](command:workbench.action.terminal.new)',
  '[data](data:text/html,<script>1</script>)',
  '```js\n</code><img src=x onerror="document.body.dataset.pwned=1">\n```',
].join('\n\n');

const THEMES = [
  ['Default Light Modern', 'vscode-light'],
  ['Default Dark Modern', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
] as const;

describe('the panel in a real window', function () {
  this.timeout(180_000);
  let agent: FakeAgent;
  let folder: string;
  const requests: Request[] = [];
  const refused: string[] = [];
  const workbench = useWorkbench(() => {
    agent = fakeAgent({
      session: { modes: { currentModeId: 'm', availableModes: [{ id: 'm', name: '<b onclick=x>Mode</b>' }] } },
      prompts: [
        {
          match: 'hostile',
          steps: [
            thought(HOSTILE),
            text(HOSTILE),
            toolCall('<img src=x onerror=1>', {
              title: HOSTILE,
              kind: 'read',
              status: 'in_progress',
              locations: [{ path: '/<script>1</script>' }],
              rawInput: { html: HOSTILE },
            }),
            toolUpdate('<img src=x onerror=1>', {
              status: 'failed',
              content: [{ type: 'content', content: { type: 'text', text: HOSTILE } }],
            }),
            plan({ content: HOSTILE, status: 'in_progress' }),
            text('\n\nThe end of the hostile answer.'),
          ],
        },
        { match: '日本', steps: [text('Understood.')] },
        {
          match: 'write',
          steps: [writeFile('{{cwd}}/new.txt', 'written\n', { as: 'w' }), text('Answer to the write: {{json w}}')],
        },
        {
          match: 'choose',
          steps: [
            thought('Let me look.'),
            text(
              'I would change **one** line, see `parse.ts`:\n\n```ts\nexport const n = 1;\n```\n\n- a point\n- [a link](https://example.com)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
            ),
            plan({ content: 'Look', status: 'completed' }, { content: 'Change', status: 'in_progress' }),
            toolCall('t', {
              title: 'Edit parse.ts',
              kind: 'edit',
              content: [diff('{{cwd}}/src/parse.ts', null, 'a\nb\n')],
            }),
            permission('t'),
            text('Thank you.'),
          ],
        },
      ],
    });
    return { settings: agentSettings({ Fake: agent, Quick: quickDemo }, { 'acpHost.approvals.dialog': false }) };
  });
  let panel: ChatPanel;

  before(async () => {
    const { page } = workbench();
    folder = workbench().folder;
    page.on('request', (request) => requests.push(request));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted ?Types?/i.test(message.text())) {
        refused.push(`${message.location().url} ${message.text()}`);
      }
    });
    panel = await ChatPanel.show(workbench());
  });
  after(async () => agent.dispose());

  it('B117 markup and links of an agent are inert, and nothing is fetched for them', async () => {
    const { page } = workbench();
    await panel.chooseAgent('Fake');
    requests.length = 0;
    await panel.ask('hostile');
    await panel.frame.getByText('The end of the hostile answer.').waitFor();
    // Open whatever opens, so that every text is drawn.
    const closed = panel.transcript.locator('[aria-expanded=false]');
    for (let left = await closed.count(); left > 0; left -= 1) {
      await closed.first().click();
    }
    assert.equal(await panel.frame.evaluate(() => document.body.dataset['pwned']), undefined);
    assert.equal(
      await panel.transcript.locator('img, script, iframe, style, object, embed, [onerror], [onload]').count(),
      0,
    );
    const links = await panel.transcript
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    assert.deepEqual(
      links.filter((href) => !/^https?:/.test(href) && href !== '#' && href !== ''),
      [],
    );
    assert.match(await panel.transcript.innerText(), /<img src="http:\/\/127\.0\.0\.1:9\/pixel\.png"/);
    await panel.frame.getByText('runs a command').first().click();
    await panel.frame.getByText('runs a script').first().click();
    assert.equal(await page.locator('.terminal-wrapper').count(), 0);
    assert.equal(await panel.frame.evaluate(() => document.body.dataset['pwned']), undefined);
    const own = new URL(page.url()).origin;
    const foreign = requests
      .map((request) => request.url())
      .filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))
      .filter((url) => new URL(url).origin !== own && !/\.vscode-(cdn|resource)\.|vscode-webview/.test(url));
    assert.deepEqual(foreign, []);
  });

  it('keeps its policy: no string becomes script or markup', async () => {
    const policy = await panel.frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    assert.match(policy ?? '', /default-src 'none'/);
    assert.doesNotMatch(policy ?? '', /unsafe/);
    const done = await panel.frame.evaluate<string>(`(() => {
      const done = [];
      for (const [name, act] of [
        ['innerHTML', () => { document.createElement('div').innerHTML = '<b>x</b>'; }],
        ['policy', () => trustedTypes.createPolicy('x', {})],
        ['handler', () => document.createElement('div').setAttribute('onclick', 'x')],
      ]) {
        try { act(); done.push(name); } catch {}
      }
      return done.join(' ');
    })()`);
    assert.equal(done, '');
    assert.deepEqual(
      refused.filter((line) => !line.includes('webWorkerExtensionHost') && /panel|chat|main\.js/.test(line)),
      [],
    );
  });

  it('B119 the Enter that takes a word of an input method does not send', async () => {
    const session = await workbench().page.context().newCDPSession(workbench().page);
    const users = await panel.entries('user').count();
    await panel.composer.fill('');
    await panel.composer.focus();
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    // What an input method does with Enter: the key is its own (229), then the word is committed.
    await session.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      windowsVirtualKeyCode: 229,
      key: 'Enter',
      code: 'Enter',
    });
    await session.send('Input.insertText', { text: '日本' });
    await session.send('Input.dispatchKeyEvent', {
      type: 'keyUp',
      windowsVirtualKeyCode: 13,
      key: 'Enter',
      code: 'Enter',
    });
    await panel.frame.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('[data-testid=composer-input]')?.value === '日本',
    );
    assert.equal(await panel.entries('user').count(), users);
    await session.detach();
    await panel.ask('日本');
  });

  describe('with dialogs on', () => {
    before(() => workbench().settings.change({ 'acpHost.approvals.dialog': true }));
    after(() => workbench().settings.change({ 'acpHost.approvals.dialog': false }));

    it('B80 a key that was meant for the composer does not answer the dialog', async () => {
      await panel.startOver();
      await panel.send('write');
      await panel.composer.pressSequentially('I type while it asks', { delay: 20 });
      await panel.approval.waitFor();
      // Whoever gets this Enter, the composer or the dialog: nothing is allowed by it.
      await workbench().page.keyboard.press('Enter');
      await panel.frame.locator('.dock').getByText('I type while it asks').or(panel.approval).first().waitFor();
      await workbench().dialogText();
      assert.equal(await workbench().dialog.locator('.monaco-button:focus').innerText(), 'Review…');
      await workbench().page.keyboard.press('Enter');
      await workbench().dialog.waitFor({ state: 'detached' });
      assert.equal(existsSync(join(folder, 'new.txt')), false);
      await panel.turn('running');
      panel = await ChatPanel.show(workbench());
      await panel.option('allow_once').click();
      await panel.frame.getByText('Answer to the write:').waitFor();
      assert.equal(readFileSync(join(folder, 'new.txt'), 'utf8'), 'written\n');
      await panel.turn('idle');
    });
  });

  for (const [theme, mark] of THEMES) {
    it(`has no serious finding of axe in ${theme}`, async () => {
      await workbench().settings.change({ 'workbench.colorTheme': theme });
      await panel.frame.locator(`body.${mark}`).waitFor();
      await panel.startOver();
      assert.deepEqual(await seriousFindings(panel.frame), [], 'before the first prompt');
      await panel.send('choose');
      await panel.frame.locator('[data-testid=approval-option][aria-disabled=false]').first().waitFor();
      assert.deepEqual(await seriousFindings(panel.frame), [], 'with a request');
      await panel.option('allow_once').click();
      await panel.entries('assistant').getByText('Thank you.').waitFor();
      await panel.turn('idle');
      assert.deepEqual(await seriousFindings(panel.frame), [], 'after the turn');
    });
  }
});
