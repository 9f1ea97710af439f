import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { act } from 'preact/test-utils';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import type { Approval, ApprovalOption } from '../../../src/core/transcript/model.js';
import { needsOptionList } from '../../../src/webview/approval/answer.js';
import { mountPanel, type MountedPanel } from './panel.js';

const allow = '[data-option-kind=allow_once]';
const deny = '[data-option-kind=reject_once]';
const once: ApprovalOption[] = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];
const request = (part: Partial<Approval> = {}): SessionEvent => ({
  type: 'approvalRequested',
  at: 1,
  approval: {
    approvalId: 'a1',
    origin: 'host',
    verb: 'execute',
    title: 'Run a command?',
    paths: [],
    command: 'npm test',
    options: once,
    marks: [],
    state: 'waiting',
    ...part,
  },
});

describe('the approval card', () => {
  let view: MountedPanel;
  const answers = (): unknown[] => view.posted.filter(({ type }) => type === 'answer' || type === 'decide');
  const pass = (ms: number): Promise<void> => act(() => mock.timers.tick(ms));
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(async () => {
    mock.timers.reset();
    await view.unmount();
  });

  it('takes no answer until it stood still for 500 ms', async () => {
    view = await mountPanel(undefined, [request()]);
    assert.equal(view.find(allow).getAttribute('aria-disabled'), 'true');
    await view.click(allow);
    await pass(499);
    await view.click(allow);
    await view.click(deny);
    assert.deepEqual(answers(), []);
    await pass(1);
    assert.equal(view.find(allow).getAttribute('aria-disabled'), 'false');
    await view.click(allow);
    assert.deepEqual(answers(), [{ type: 'answer', approvalId: 'a1', optionId: 'y' }]);
  });

  it('takes none again after it moved', async () => {
    view = await mountPanel(undefined, [request()]);
    await pass(500);
    let top = 100;
    const bar = view.find('[data-testid=approval] footer').parentElement!;
    bar.getBoundingClientRect = () => ({ left: 0, top }) as DOMRect;
    await act(() => void document.dispatchEvent(new Event('scroll')));
    await pass(500);
    top = 160;
    await act(() => void document.dispatchEvent(new Event('scroll')));
    await view.click(allow);
    assert.deepEqual(answers(), []);
    await pass(500);
    await view.click(allow);
    assert.equal(answers().length, 1);
  });

  it('takes one answer only', async () => {
    view = await mountPanel(undefined, [request()]);
    await pass(500);
    await view.click(deny);
    await view.click(allow);
    assert.deepEqual(answers(), [{ type: 'answer', approvalId: 'a1', optionId: 'n' }]);
  });

  it('needs two presses for what does not show, and shows its codes', async () => {
    view = await mountPanel(undefined, [request({ command: 'rm \u202etxt', marks: ['hidden'] })]);
    await pass(500);
    assert.equal(view.find('.cmd .cp').textContent, 'U+202E');
    assert.equal(view.find(allow).textContent, 'Allow Once…');
    assert.equal(view.all('.approval .btn.main').length, 0);
    await view.click(allow);
    assert.deepEqual(answers(), []);
    assert.equal(view.find(allow).textContent, 'Press again to allow');
    await pass(5_000);
    assert.equal(view.find(allow).textContent, 'Allow Once…');
    await view.click(allow);
    await view.click(allow);
    assert.equal(answers().length, 1);
  });

  it('lists the options when there is more than plain yes and no, what lasts last', async () => {
    const options: ApprovalOption[] = [
      { optionId: 'all', name: 'Yes to all', kind: 'allow_always' },
      { optionId: 'odd', name: 'Hm', kind: 'unknown' },
      ...once,
    ];
    assert.equal(needsOptionList(options), true);
    assert.equal(needsOptionList(once), false);
    view = await mountPanel(undefined, [request({ origin: 'agent', options })]);
    const shown = view.all('[data-testid=approval-option]').map((button) => button.dataset['optionId']);
    assert.deepEqual(shown, ['y', 'n', 'odd', 'all']);
    assert.match(view.find('.options').textContent, /Unknown effect/);
    assert.match(view.find('.options').textContent, /would remember these\. VS Code will not see the next ones\./);
  });

  it('B119 says why with Enter, not while an input method composes', async () => {
    view = await mountPanel(undefined, [request()]);
    await pass(500);
    await view.click('[aria-label="Deny and say why…"]');
    await view.type('.why', 'use pnpm');
    await view.key('.why', 'Enter', { isComposing: true });
    assert.deepEqual(answers(), []);
    await view.key('.why', 'Enter');
    assert.deepEqual(answers(), [{ type: 'decide', approvalId: 'a1', decision: 'reject_once', comment: 'use pnpm' }]);
  });

  it('Escape on the card denies, and only that', async () => {
    view = await mountPanel(undefined, [request()]);
    await view.key('[data-testid=approval]', 'Escape');
    assert.deepEqual(answers(), [{ type: 'answer', approvalId: 'a1', optionId: 'n' }]);
    assert.equal(view.posted.filter(({ type }) => type === 'stop').length, 0);
  });

  it('stands in the place of its tool row', async () => {
    view = await mountPanel(undefined, [
      { type: 'promptSent', at: 1, text: 'go', attachments: [] },
      {
        type: 'toolChanged',
        at: 2,
        patch: { toolCallId: 't1', title: 'npm test', toolKind: 'execute', status: 'pending' },
      },
      request({ toolCallId: 't1' }),
    ]);
    assert.equal(view.all('[data-testid=approval]').length, 1);
    assert.ok(view.find('[data-tool-call-id=t1] [data-testid=approval]'));
    await view.send({ type: 'approvalSettled', at: 3, approvalId: 'a1', outcome: 'allowed', by: 'person' });
    assert.equal(view.all('[data-testid=approval]').length, 0);
    assert.match(view.find('[data-tool-call-id=t1]').textContent, /You allowed this command/);
  });
});
