import type { SyntaxNode } from '@lezer/common';
import type { ComponentChild } from 'preact';
import { decodeEntity } from './entities.js';
import { Link } from './link.js';
import { normalLabel, readTitle, isFootnote, type References } from './references.js';
import { bareTarget, destination, imageTarget, linkTarget, type Target } from './urls.js';

/** What drawing a block needs besides its tree. `usedReferences` tells whether a new definition may change it. */
export type Ink = { readonly source: string; readonly references: References; usedReferences: boolean };

/** The inline content of a node: its children, and as text the gaps between them. */
export function inlineOf(node: SyntaxNode, ink: Ink): ComponentChild[] {
  return between(node.firstChild, node.from, node.to, ink);
}

/** Inline content from `from` to `to`, where `first` is the first child that lies in it. */
function between(first: SyntaxNode | null, from: number, to: number, ink: Ink): ComponentChild[] {
  const out: ComponentChild[] = [];
  let at = from;
  for (let child = first; child !== null && child.from < to; child = child.nextSibling) {
    if (child.from > at) {
      out.push(softText(ink.source.slice(at, child.from)));
    }
    const drawn = inlineNode(child, ink);
    if (drawn !== null) {
      out.push(drawn);
    }
    at = child.to;
  }
  if (at < to) {
    out.push(softText(ink.source.slice(at, to)));
  }
  return out;
}

/** White space round a soft line break is indentation, or what followed a quote's mark. */
function softText(text: string): string {
  return text.includes('\n') ? text.replace(/[ \t]*\n[ \t]*/g, '\n') : text;
}

function inlineNode(node: SyntaxNode, ink: Ink): ComponentChild {
  const source = ink.source.slice(node.from, node.to);
  switch (node.name) {
    case 'Emphasis':
      return <em>{inlineOf(node, ink)}</em>;
    case 'StrongEmphasis':
      return <strong>{inlineOf(node, ink)}</strong>;
    case 'Strikethrough':
      return <del>{inlineOf(node, ink)}</del>;
    case 'InlineCode':
      return <code>{codeText(node, ink)}</code>;
    case 'Link':
      return linkNode(node, source, ink);
    case 'Image':
      return imageNode(node, source, ink);
    case 'Autolink':
      return autolink(node, source, ink);
    case 'URL':
      return link(bareTarget(source), [source], source);
    case 'Entity':
      return decodeEntity(source);
    case 'Escape':
      return source.slice(1);
    case 'HardBreak':
      return <br />;
    case 'TaskMarker':
      return (
        <input type="checkbox" disabled checked={/x/i.test(source)} aria-label={/x/i.test(source) ? 'Done' : 'Open'} />
      );
    case 'EmphasisMark':
    case 'StrikethroughMark':
    case 'CodeMark':
    case 'LinkMark':
    case 'HeaderMark':
    case 'QuoteMark':
    case 'ListMark':
      return null;
    default:
      // HTML tags, comments and whatever a later grammar adds are shown as they were written.
      return source;
  }
}

/** Code keeps its characters: no escapes, no references; line ends are spaces, and one space of padding goes. */
function codeText(node: SyntaxNode, ink: Ink): string {
  let text = '';
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    text += ink.source.slice(at, child.from);
    at = child.to;
  }
  text = softText(text).replace(/\n/g, ' ');
  if (inTable(node)) {
    text = text.replace(/\\\|/g, '|');
  }
  return /^ .*[^ ].* $/.test(text) || /^ [^ ] $/.test(text) ? text.slice(1, -1) : text;
}

function inTable(node: SyntaxNode): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent) {
    if (parent.name === 'TableCell') {
      return true;
    }
  }
  return false;
}

type LinkParts = {
  readonly label: ComponentChild[];
  readonly labelText: string;
  readonly target: Target | null;
  readonly title: string | undefined;
};

function linkNode(node: SyntaxNode, source: string, ink: Ink): ComponentChild {
  const parts = readLink(node, ink, linkTarget);
  // An undefined reference is not a link: brackets are common in plain prose.
  return parts.target === null ? literal(node, ink) : link(parts.target, parts.label, source, parts.title);
}

function imageNode(node: SyntaxNode, source: string, ink: Ink): ComponentChild {
  const { target, labelText, title } = readLink(node, ink, imageTarget);
  if (target === null) {
    return literal(node, ink);
  }
  if (target.kind === 'image') {
    return <img src={target.src} alt={labelText} title={title} />;
  }
  const name = target.kind === 'open' ? `${labelText === '' ? 'Image' : labelText} (${target.host})` : labelText;
  return link(target, [name], source, title);
}

function readLink(node: SyntaxNode, ink: Ink, toTarget: (url: string) => Target): LinkParts {
  const open = node.firstChild;
  let close = open?.nextSibling ?? null;
  while (close !== null && close.name !== 'LinkMark') {
    close = close.nextSibling;
  }
  const from = open?.to ?? node.from;
  const to = close?.from ?? node.to;
  const labelText = ink.source.slice(from, to);
  const label = between(open?.nextSibling ?? null, from, to, ink);
  let url: string | null = null;
  let title: string | undefined;
  let reference: string | null = null;
  for (let child = close?.nextSibling ?? null; child !== null; child = child.nextSibling) {
    const text = ink.source.slice(child.from, child.to);
    if (child.name === 'URL') {
      url = destination(text);
    } else if (child.name === 'LinkTitle') {
      title = readTitle(text);
    } else if (child.name === 'LinkLabel') {
      reference = text === '[]' ? labelText : text;
    } else if (child.name === 'LinkMark' && text === '(') {
      url ??= '';
    }
  }
  if (url === null) {
    ink.usedReferences = true;
    const name = reference ?? labelText;
    const found = isFootnote(name) ? undefined : ink.references.get(normalLabel(name));
    url = found?.url ?? null;
    title = found?.title;
  }
  return { label, labelText, title, target: url === null ? null : toTarget(url) };
}

/** The node as it was written, but with its label's own formatting. */
function literal(node: SyntaxNode, ink: Ink): ComponentChild {
  const out: ComponentChild[] = [];
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    out.push(softText(ink.source.slice(at, child.from)));
    const raw = child.name === 'LinkMark' || child.name === 'LinkLabel';
    out.push(raw ? ink.source.slice(child.from, child.to) : inlineNode(child, ink));
    at = child.to;
  }
  out.push(softText(ink.source.slice(at, node.to)));
  return out;
}

function autolink(node: SyntaxNode, source: string, ink: Ink): ComponentChild {
  const url = node.getChild('URL');
  if (url === null) {
    return source;
  }
  const text = ink.source.slice(url.from, url.to);
  return link(bareTarget(text), [text], source);
}

function link(target: Target, label: ComponentChild[], source: string, title?: string): ComponentChild {
  switch (target.kind) {
    case 'open':
      return (
        <Link href={target.href} title={title}>
          {label}
        </Link>
      );
    case 'relative':
      return (
        <span class="ref" title={target.path}>
          {label}
        </span>
      );
    case 'image':
    case 'refused':
      return source;
  }
}
