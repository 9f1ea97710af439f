import type { SyntaxNode } from '@lezer/common';
import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import { CodeBlock } from './codeBlock.js';
import type { Block } from './document.js';
import { unescapeText } from './entities.js';
import { inlineOf, type Ink } from './inline.js';
import { isFootnote, type References } from './references.js';
import { tableOf } from './table.js';

export type DrawnBlock = { readonly node: ComponentChild; readonly usedReferences: boolean };

/** Draws one top-level block. `growing`: it is the last one of a message that still streams. */
export function drawBlock(block: Block, references: References, growing: boolean): DrawnBlock {
  const ink: Ink = { source: block.source, references, usedReferences: false };
  const node = blockNode(block.tree.topNode, ink, growing);
  return { node, usedReferences: ink.usedReferences };
}

function blockNode(node: SyntaxNode, ink: Ink, growing: boolean): ComponentChild {
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
  if (heading !== null) {
    return headingOf(Number(heading[1]), trimEnds(inlineOf(node, ink)));
  }
  switch (node.name) {
    case 'Paragraph':
    case 'Task':
      return <p>{inlineOf(node, ink)}</p>;
    case 'FencedCode':
    case 'CodeBlock':
      return codeOf(node, ink, growing);
    case 'Blockquote':
      return <blockquote>{childBlocks(node, ink, growing)}</blockquote>;
    case 'BulletList':
      return <ul>{itemsOf(node, ink, growing)}</ul>;
    case 'OrderedList':
      return <ol start={firstNumber(node, ink)}>{itemsOf(node, ink, growing)}</ol>;
    case 'Table':
      return tableOf(node, ink);
    case 'HorizontalRule':
      return <hr />;
    case 'LinkReference':
      return isFootnote(ink.source.slice(node.from, node.to)) ? <p>{ink.source.slice(node.from, node.to)}</p> : null;
    default:
      // HTML in all its forms is text here.
      return <p class="raw">{ink.source.slice(node.from, node.to)}</p>;
  }
}

/** The panel's own outline ends at two, and an answer's headings are never larger than 15 px. */
function headingOf(level: number, children: ComponentChildren): VNode {
  switch (level) {
    case 1:
      return <h3>{children}</h3>;
    case 2:
      return <h4>{children}</h4>;
    case 3:
      return <h5>{children}</h5>;
    default:
      return <h6>{children}</h6>;
  }
}

/** Between a heading's text and its marks stand spaces that are not part of it. */
function trimEnds(children: ComponentChild[]): ComponentChild[] {
  return children.map((child, i) => {
    const text = typeof child === 'string' ? child : null;
    if (text === null) {
      return child;
    }
    const start = i === 0 ? text.trimStart() : text;
    return i === children.length - 1 ? start.trimEnd() : start;
  });
}

const marks = /^(QuoteMark|ListMark)$/;

function contentOf(node: SyntaxNode): SyntaxNode[] {
  const out: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (!marks.test(child.name)) {
      out.push(child);
    }
  }
  return out;
}

function childBlocks(node: SyntaxNode, ink: Ink, growing: boolean): ComponentChild[] {
  const blocks = contentOf(node);
  return blocks.map((child, i) => blockNode(child, ink, growing && i === blocks.length - 1));
}

function itemsOf(list: SyntaxNode, ink: Ink, growing: boolean): ComponentChild[] {
  const items = list.getChildren('ListItem');
  const loose = isLoose(items, ink.source);
  return items.map((item, i) => {
    const blocks = contentOf(item);
    const task = blocks[0]?.name === 'Task';
    return (
      <li class={task ? 'task' : undefined}>
        {blocks.map((child, j) => {
          const last = i === items.length - 1 && j === blocks.length - 1;
          const tight = !loose && (child.name === 'Paragraph' || child.name === 'Task');
          return tight ? inlineOf(child, ink) : blockNode(child, ink, growing && last);
        })}
      </li>
    );
  });
}

/** A list is loose when a blank line separates its items or two blocks of one item. */
function isLoose(items: readonly SyntaxNode[], source: string): boolean {
  const blank = (from: number, to: number): boolean => /\n[ \t>]*\n/.test(source.slice(from, to));
  return items.some((item, i) => {
    const next = items[i + 1];
    const blocks = contentOf(item);
    return (
      (next !== undefined && blank(item.to, next.from)) ||
      blocks.some((block, j) => {
        const follower = blocks[j + 1];
        return follower !== undefined && blank(block.to, follower.from);
      })
    );
  });
}

function firstNumber(list: SyntaxNode, ink: Ink): number {
  const mark = list.getChild('ListItem')?.getChild('ListMark');
  const number = mark === undefined || mark === null ? NaN : parseInt(ink.source.slice(mark.from, mark.to), 10);
  return Number.isFinite(number) ? number : 1;
}

function codeOf(node: SyntaxNode, ink: Ink, growing: boolean): VNode {
  const info = node.getChild('CodeInfo');
  const language = info === null ? '' : (unescapeText(ink.source.slice(info.from, info.to)).split(/\s/)[0] ?? '');
  // In quotes and lists the text comes in pieces, with the containers' marks between them.
  const pieces = node.getChildren('CodeText').map((piece) => ink.source.slice(piece.from, piece.to));
  const closed = node.name === 'CodeBlock' || node.getChildren('CodeMark').length > 1;
  // The line that an open fence is about to begin is not part of the code yet.
  const text = closed ? pieces.join('') : pieces.join('').replace(/\n$/, '');
  return <CodeBlock language={language} text={text} finished={closed || !growing} />;
}
