import type { SyntaxNode } from '@lezer/common';
import type { VNode } from 'preact';
import { inlineOf, type Ink } from './inline.js';

type Align = 'left' | 'right' | 'center' | undefined;

/** A GFM table. Rows are as wide as the header: missing cells are empty, further ones are left out, as GFM says. */
export function tableOf(node: SyntaxNode, ink: Ink): VNode {
  const header = node.getChild('TableHeader');
  const delimiter = node.getChild('TableDelimiter');
  const head = header === null ? [] : cellsOf(header);
  const aligns = delimiter === null ? [] : alignsOf(ink.source.slice(delimiter.from, delimiter.to));
  const row = (cells: readonly (SyntaxNode | null)[], Tag: 'th' | 'td'): VNode => (
    <tr>
      {head.map((_, i) => {
        const cell = cells[i] ?? null;
        return <Tag class={aligns[i]}>{cell === null ? null : inlineOf(cell, ink)}</Tag>;
      })}
    </tr>
  );
  return (
    <table>
      <thead>{row(head, 'th')}</thead>
      <tbody>{node.getChildren('TableRow').map((line) => row(cellsOf(line), 'td'))}</tbody>
    </table>
  );
}

/** The cells between the bars; an empty one has no node of its own. */
function cellsOf(row: SyntaxNode): (SyntaxNode | null)[] {
  const cells: (SyntaxNode | null)[] = [];
  let current: SyntaxNode | null = null;
  let first = true;
  for (let child = row.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === 'TableCell') {
      current = child;
    } else if (!first) {
      cells.push(current);
      current = null;
    }
    first = false;
  }
  return current === null ? cells : [...cells, current];
}

function alignsOf(delimiter: string): Align[] {
  return delimiter
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((part) => {
      const [left, right] = [part.trim().startsWith(':'), part.trim().endsWith(':')];
      if (right) {
        return left ? 'center' : 'right';
      }
      return left ? 'left' : undefined;
    });
}
