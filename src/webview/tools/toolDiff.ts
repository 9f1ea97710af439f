import { diffView } from '../../core/text/diffView.js';
import type { DiffView, Text, ToolContent, ToolEntry } from '../../core/transcript/model.js';
import { useText } from '../hooks.js';

export type DiffContent = Extract<ToolContent, { type: 'diff' }>;

const computed = new WeakMap<DiffContent, { readonly key: string; readonly view: DiffView }>();

/** A change as the agent sent it, or, where it sent none, as the host showed it when it was allowed. */
export type Change = DiffContent | { readonly type: 'allowed'; readonly path: string; readonly view: DiffView };

/**
 * The changes a call brought, in order. Some agents send only the changed lines, counted from 1: where the host showed
 * the same change in its file, that one is drawn, with the file's own line numbers.
 */
export function diffsOf(entry: ToolEntry): readonly Change[] {
  const sent = entry.content.filter((content) => content.type === 'diff');
  const { allowed } = entry;
  const path = sent[0]?.path ?? entry.locations[0]?.path ?? allowed?.path;
  if (allowed === undefined || path === undefined) {
    return sent;
  }
  const [only] = sent;
  const lines = changedLines(allowed);
  const isSame = sent.length === 1 && only !== undefined && lines !== null && changedLines(inlineDiff(only)) === lines;
  const drawn = only === undefined || isSame;
  return drawn ? [{ type: 'allowed', path, view: allowed }] : sent;
}

/** The lines that a view takes out and puts in; null where it does not list them all. */
function changedLines(view: DiffView | null): string | null {
  if (view === null || view.omitted > 0) {
    return null;
  }
  const changed = view.lines.flatMap((line) => (line.sign === '+' || line.sign === '-' ? [line.sign + line.text] : []));
  return changed.join('\n');
}

/** The diff of texts that are kept inline; null where one of them has to be fetched first. Computed once. */
export function inlineDiff(content: Change): DiffView | null {
  if (content.type === 'allowed') {
    return content.view;
  }
  return isInline(content.oldText) && isInline(content.newText)
    ? compute(content, content.oldText, content.newText)
    : null;
}

/** The diff of a change; null until the texts that are kept elsewhere are here. */
export function useDiff(content: Change): DiffView | null {
  const sent = content.type === 'diff' ? content : undefined;
  const before = useText(sent?.oldText ?? '', true);
  const after = useText(sent?.newText ?? '', true);
  if (content.type === 'allowed') {
    return content.view;
  }
  return before.whole && after.whole
    ? compute(content, content.oldText === null ? null : before.text, after.text)
    : null;
}

function isInline(text: Text | null): text is string | null {
  return text === null || typeof text === 'string';
}

function compute(content: DiffContent, before: string | null, after: string): DiffView {
  const key = `${before?.length ?? -1}:${after.length}`;
  const known = computed.get(content);
  if (known?.key === key) {
    return known.view;
  }
  const view = diffView(content.path, before, after);
  computed.set(content, { key, view });
  return view;
}
