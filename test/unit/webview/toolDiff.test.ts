import assert from 'node:assert/strict';
import { diffView } from '../../../src/core/text/diffView.js';
import type { ToolContent, ToolEntry } from '../../../src/core/transcript/model.js';
import { diffsOf } from '../../../src/webview/tools/toolDiff.js';

const WHOLE = 'a\nb\nc\nd\n';
const CHANGED = 'a\nb\nC\nd\n';
const allowed = diffView('/w/x.ts', WHOLE, CHANGED);
const diff = (oldText: string | null, newText: string): ToolContent => ({
  type: 'diff',
  path: '/w/x.ts',
  oldText,
  newText,
});
const call = (content: readonly ToolContent[], more: Partial<ToolEntry> = {}): ToolEntry => ({
  ...{ id: 'e1', at: 1, turn: 1, kind: 'tool', toolCallId: 't', title: 'Edit', toolKind: 'edit', status: 'completed' },
  ...{ locations: [], asked: true },
  content,
  ...more,
});
const types = (entry: ToolEntry): string[] => diffsOf(entry).map(({ type }) => type);

describe('the change that a card draws', () => {
  it('oddity 14: is the one in its file where the agent sent a snippet of it', () => {
    const [shown] = diffsOf(call([diff('b\nc', 'b\nC')], { allowed }));
    assert.ok(shown?.type === 'allowed');
    assert.deepEqual(
      shown.view.lines.flatMap((line) => (line.sign === '-' ? [line.number] : [])),
      [3],
    );
  });

  it('oddity 14: is what the agent says where that differs from what was allowed', () => {
    assert.deepEqual(types(call([diff('c', 'CC')], { allowed })), ['diff']);
    assert.deepEqual(types(call([diff('c', 'C'), diff('d', 'D')], { allowed })), ['diff', 'diff']);
    assert.deepEqual(types(call([diff('c', 'C')])), ['diff']);
  });

  it('is what was allowed where the agent sends none, and nothing where nothing is known', () => {
    assert.deepEqual(types(call([], { allowed })), ['allowed']);
    assert.deepEqual(types(call([])), []);
  });
});
