import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { panel } from '../../support/webviewPreview/parts.js';
import { mountPanel } from './panel.js';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[b](command:workbench.action.terminal.new)',
  '![p](https://t.example/p.png)',
  '<style>*{display:none}</style>',
  '<script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
].join('\n\n');

/** The same markup in everything that an agent can name or say. */
function everywhere(): SessionEvent[] {
  const text = hostile;
  const content = { type: 'text' as const, text };
  return [
    {
      type: 'sessionStarted',
      at: 1,
      sessionId: text,
      modes: { currentModeId: 'm', availableModes: [{ id: 'm', name: text }] },
      options: [],
    },
    { type: 'titleChanged', at: 1, title: text },
    { type: 'commandsChanged', at: 1, commands: [{ name: 'x', description: text }] },
    { type: 'promptSent', at: 2, text: 'go', attachments: [{ name: text, uri: text }] },
    { type: 'messageChunk', at: 3, role: 'thought', content },
    { type: 'messageChunk', at: 4, role: 'assistant', content },
    {
      type: 'messageChunk',
      at: 4,
      role: 'assistant',
      content: { type: 'link', uri: 'javascript:alert(1)', name: text },
    },
    {
      type: 'messageChunk',
      at: 4,
      role: 'assistant',
      content: { type: 'image', mimeType: 'image/svg+xml', data: 'AAAA' },
    },
    { type: 'messageChunk', at: 4, role: 'assistant', content: { type: 'placeholder', label: text } },
    {
      type: 'toolChanged',
      at: 5,
      patch: {
        toolCallId: text,
        title: text,
        name: text,
        toolKind: 'read',
        status: 'failed',
        locations: [{ path: text }],
        content: [{ type: 'content', content }],
        rawInput: text,
        rawOutput: text,
      },
    },
    {
      type: 'toolChanged',
      at: 5,
      patch: {
        toolCallId: 'd',
        title: text,
        toolKind: 'edit',
        status: 'completed',
        content: [{ type: 'diff', path: text, oldText: null, newText: text }],
      },
    },
    {
      type: 'toolChanged',
      at: 5,
      patch: {
        toolCallId: 'e',
        title: text,
        toolKind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: 't' }],
      },
    },
    { type: 'terminalStarted', at: 5, terminalId: 't', command: text },
    { type: 'terminalOutput', at: 5, terminalId: 't', tail: `\u001b[31m${text}`, lines: 7, truncated: false },
    { type: 'planChanged', at: 6, entries: [{ content: text, priority: text, status: text }] },
    {
      type: 'noticeShown',
      at: 7,
      notice: {
        code: 'turn',
        severity: 'error',
        what: text,
        why: text,
        tail: [text],
        details: text,
        actions: ['details'],
      },
    },
    {
      type: 'approvalRequested',
      at: 8,
      approval: {
        approvalId: text,
        origin: 'agent',
        verb: 'other',
        title: text,
        paths: [text],
        command: text,
        cwd: text,
        environment: [text],
        agentWords: text,
        options: [{ optionId: text, name: text, kind: 'allow_always' }],
        marks: ['hidden', 'linked'],
        resolvesTo: text,
        state: 'waiting',
      },
    },
  ];
}

describe('markup of an agent', () => {
  it('B117 is text or inert, wherever it comes from', async () => {
    const view = await mountPanel({ ...panel, agentVersion: hostile }, everywhere());
    try {
      for (const row of view.all('button.row')) {
        row.click();
      }
      await view.type('[data-testid=composer-input]', '/');
      // Long texts are parsed over several frames.
      while (view.all('.md a').length === 0) {
        await view.frame();
      }
      const html = document.body;
      assert.equal(html.querySelectorAll('script, style, iframe, object, embed, link, form').length, 0);
      assert.equal(html.querySelectorAll('[href], [srcset], [srcdoc], [action]').length, 0);
      assert.deepEqual([...html.querySelectorAll('[src]')], []);
      for (const element of html.querySelectorAll('*')) {
        const names = element.getAttributeNames().filter((name) => name.startsWith('on'));
        assert.deepEqual(names, [], element.tagName);
      }
      const shown = html.textContent;
      assert.ok(shown.split('<img src=x onerror=alert(1)>').length > 10, 'the markup is shown as text');
      assert.match(view.find('.md').textContent, /\[a\]\(javascript:alert\(1\)\)/);
      const before = view.posted.length;
      for (const link of view.all('.md a')) {
        link.click();
      }
      const opened = view.posted.slice(before);
      assert.deepEqual(opened, [{ type: 'openLink', href: 'https://t.example/p.png' }]);
    } finally {
      await view.unmount();
    }
  }).timeout(20_000);
});
