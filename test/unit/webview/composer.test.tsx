import assert from 'node:assert/strict';
import { PromptHistory } from '../../../src/webview/composer/history.js';
import { findCommands, slashQuery } from '../../../src/webview/composer/slash.js';
import { panel } from '../../support/webviewPreview/parts.js';
import { mountPanel, type MountedPanel } from './panel.js';

const input = '[data-testid=composer-input]';
const running = [{ type: 'promptSent' as const, at: 1, text: 'go', attachments: [] }];

describe('the composer', () => {
  let view: MountedPanel;
  const sent = (): string[] => view.posted.flatMap((message) => (message.type === 'sendPrompt' ? [message.text] : []));
  const count = (type: string): number => view.posted.filter((message) => message.type === type).length;
  afterEach(() => view.unmount());

  it('B119 Enter that belongs to an input method does not send', async () => {
    view = await mountPanel();
    await view.type(input, 'にほん');
    await view.key(input, 'Enter', { isComposing: true });
    await view.key(input, 'Enter', { code229: true });
    assert.deepEqual(sent(), []);
    await view.key(input, 'Enter');
    assert.deepEqual(sent(), ['にほん']);
    assert.equal((view.find(input) as HTMLTextAreaElement).value, '');
  });

  it('B119 nor in the popup, where Enter completes', async () => {
    view = await mountPanel(panel, [
      { type: 'commandsChanged', at: 1, commands: [{ name: 'plan', description: 'd', hint: 'goal' }] },
    ]);
    await view.type(input, '/pl');
    await view.key(input, 'Enter', { isComposing: true });
    assert.equal((view.find(input) as HTMLTextAreaElement).value, '/pl');
    await view.key(input, 'Enter');
    assert.equal((view.find(input) as HTMLTextAreaElement).value, '/plan ');
    assert.deepEqual(sent(), []);
    await view.type(input, '/plan x');
    await view.key(input, 'Enter');
    assert.deepEqual(sent(), ['/plan x']);
  });

  it('Shift+Enter and an empty text send nothing', async () => {
    view = await mountPanel();
    await view.key(input, 'Enter');
    await view.type(input, 'a');
    await view.key(input, 'Enter', { shiftKey: true });
    assert.deepEqual(sent(), []);
  });

  it('Escape stops a running turn, once while it is held', async () => {
    view = await mountPanel(panel, running);
    await view.key(input, 'Escape');
    await view.key(input, 'Escape');
    assert.equal(count('stop'), 1);
    assert.ok(view.find('[data-testid=composer-stop]'));
  });

  it('asks first how edits happen, and keeps the prompt', async () => {
    view = await mountPanel({ ...panel, edits: 'unset' });
    await view.type(input, 'go');
    await view.key(input, 'Enter');
    assert.deepEqual(sent(), []);
    assert.match(view.find('.composer').textContent, /Choose this first\. Your prompt is kept\./);
    assert.equal((view.find(input) as HTMLTextAreaElement).value, 'go');
    await view.click('[data-testid=consent-ask]');
    assert.deepEqual(view.posted.at(-1), { type: 'chooseEdits', choice: 'ask' });
  });

  it('B121 the draft goes to the host, and at once when the panel loses the focus', async () => {
    view = await mountPanel();
    await view.type(input, 'half a thought');
    assert.equal(count('draft'), 0);
    view.find(input).dispatchEvent(new Event('blur'));
    assert.deepEqual(view.posted.at(-1), { type: 'draft', text: 'half a thought' });
  });

  it('queued prompts can be edited and removed', async () => {
    view = await mountPanel(panel, [...running, { type: 'promptQueued', at: 2, promptId: 'q1', text: 'then this' }]);
    await view.click('.dock [aria-label=Edit]');
    await view.type('.dock textarea', 'then that');
    await view.key('.dock textarea', 'Enter', { isComposing: true });
    assert.equal(count('editQueued'), 0);
    await view.key('.dock textarea', 'Enter');
    assert.deepEqual(view.posted.at(-1), { type: 'editQueued', promptId: 'q1', text: 'then that' });
    await view.click('.dock [aria-label=Remove]');
    assert.deepEqual(view.posted.at(-1), { type: 'removeQueued', promptId: 'q1' });
  });
});

describe('slash commands', () => {
  it('are looked for only in a single first word', () => {
    assert.equal(slashQuery('/re'), 're');
    assert.equal(slashQuery('/usr/bin is slow'), null);
    assert.equal(slashQuery('say /re'), null);
    assert.equal(slashQuery('/re x'), null);
  });

  it('match letters in order, beginnings first, and an own slash is not doubled', () => {
    const commands = ['compress', '/resume', 'review', 'run'].map((name) => ({ name, description: '' }));
    assert.deepEqual(
      findCommands(commands, 're').map(({ name }) => name),
      ['resume', 'review', 'compress'],
    );
  });
});

describe('earlier prompts', () => {
  it('come with Up and go with Down, and the draft is kept', () => {
    const history = new PromptHistory();
    history.add('one');
    history.add('two');
    const at = (value: string): HTMLTextAreaElement =>
      ({ value, selectionStart: value.length, selectionEnd: value.length }) as HTMLTextAreaElement;
    const key = (name: string): KeyboardEvent => ({ key: name }) as KeyboardEvent;
    assert.equal(history.key(key('ArrowUp'), at('draft')), 'two');
    assert.equal(history.key(key('ArrowUp'), at('two')), 'one');
    assert.equal(history.key(key('ArrowUp'), at('one')), null);
    assert.equal(history.key(key('ArrowDown'), at('one')), 'two');
    assert.equal(history.key(key('ArrowDown'), at('two')), 'draft');
    assert.equal(history.key(key('ArrowUp'), at('a\nb')), null);
  });
});
