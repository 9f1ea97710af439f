import type { ComponentChild, VNode } from 'preact';
import { visible, visibleLine } from '../core/text/visible.js';

const codes = /(\[(?:U\+[0-9A-F]{4,6}|\d+ spaces|\d+ line breaks)\])/;

/** Untrusted text in which every character that does not show stands as its code. `line`: spaces are indentation. */
export function VisibleText(props: { readonly text: string; readonly line?: boolean }): VNode {
  const shown = props.line === true ? visibleLine(props.text) : visible(props.text);
  if (!codes.test(shown.text)) {
    return <>{shown.text}</>;
  }
  const parts: ComponentChild[] = shown.text
    .split(codes)
    .map((part, i) => (i % 2 === 1 ? <span class="cp">{part.slice(1, -1)}</span> : part));
  return <>{parts}</>;
}
