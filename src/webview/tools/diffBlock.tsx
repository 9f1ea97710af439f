import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffLine, DiffView } from '../../core/transcript/model.js';
import { plural } from '../format.js';
import { VisibleText } from '../visibleText.js';

/** Lines of a diff that a card shows before it is asked for more. */
const firstLines = 12;

/** `+3 −1`. */
export function DiffStat(props: { readonly added: number; readonly removed: number }): VNode {
  return (
    <span class="num" aria-label={`${props.added} added, ${props.removed} removed`}>
      <span class="add">+{props.added}</span> <span class="del">−{props.removed}</span>
    </span>
  );
}

/** The lines of a change. `whole`: all at once, where a person decides on them. Nothing is cut off at the right. */
export function DiffBlock(props: { readonly diff: DiffView; readonly whole?: boolean }): VNode {
  const { diff } = props;
  const [all, setAll] = useState(props.whole === true);
  const lines = all ? diff.lines : diff.lines.slice(0, firstLines);
  const more = diff.lines.length - lines.length;
  return (
    <div class="diff" role="group" aria-label="Changes">
      {lines.map((line, i) => (
        <Line key={i} line={line} />
      ))}
      {diff.lines.length === 0 && diff.omitted === 0 && <div class="skip">No lines differ</div>}
      {more > 0 && (
        <button type="button" class="skip link" onClick={() => setAll(true)}>
          Show {plural(more, 'more line')}
        </button>
      )}
      {more === 0 && diff.omitted > 0 && <div class="skip">{plural(diff.omitted, 'more line')} not shown</div>}
    </div>
  );
}

function Line(props: { readonly line: DiffLine }): VNode {
  const { line } = props;
  if (line.sign === '…') {
    return <div class="skip">{plural(line.count, 'unchanged line')}</div>;
  }
  const [cls, sign, word] =
    line.sign === '+' ? ['a', '+', 'added, '] : line.sign === '-' ? ['d', '−', 'removed, '] : ['', '', ''];
  const indent = /^[ \t]*/.exec(line.text)?.[0] ?? '';
  const columns = Math.min(24, indent.replace(/\t/g, '    ').length);
  return (
    <div class={cls}>
      <span class="no">
        {word !== '' && <span class="sr">{word}</span>}
        {line.number}
      </span>
      <span class="sg" aria-hidden="true">
        {sign}
      </span>
      <span class="tx" style={{ '--in': columns }}>
        <VisibleText line text={columns === 0 ? line.text : line.text.slice(indent.length)} />
      </span>
    </div>
  );
}
