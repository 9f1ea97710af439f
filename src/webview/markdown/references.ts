import type { SyntaxNode, Tree } from '@lezer/common';
import { unescapeText } from './entities.js';
import { destination } from './urls.js';

export type Definition = { readonly label: string; readonly url: string; readonly title: string | undefined };
export type References = ReadonlyMap<string, Definition>;

/** Labels match without regard to case and to runs of white space. */
export function normalLabel(source: string): string {
  return source
    .replace(/^\[|\]$/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}

/** A footnote's definition parses as a link reference; taken as one, its text would vanish. */
export function isFootnote(label: string): boolean {
  return /^\[?\^/.test(label);
}

/** The link definitions inside one block, also those in its lists and quotes. `source` starts at the block. */
export function definitionsIn(block: Tree, source: string): readonly Definition[] {
  const found: Definition[] = [];
  block.iterate({
    enter(node) {
      if (node.name === 'LinkReference') {
        const definition = readDefinition(node.node, source);
        if (definition !== null) {
          found.push(definition);
        }
        return false;
      }
      return node.name === 'Document' || /^(Blockquote|BulletList|OrderedList|ListItem)$/.test(node.name);
    },
  });
  return found;
}

function readDefinition(node: SyntaxNode, source: string): Definition | null {
  const label = node.getChild('LinkLabel');
  const url = node.getChild('URL');
  if (label === null || url === null) {
    return null;
  }
  const text = source.slice(label.from, label.to);
  const title = node.getChild('LinkTitle');
  return isFootnote(text)
    ? null
    : {
        label: normalLabel(text),
        url: destination(source.slice(url.from, url.to)),
        title: title === null ? undefined : readTitle(source.slice(title.from, title.to)),
      };
}

/** A title without its quotes. */
export function readTitle(source: string): string {
  return unescapeText(source.slice(1, -1));
}

/** The first definition of a label wins. */
export function collect(definitions: Iterable<Definition>): References {
  const map = new Map<string, Definition>();
  for (const definition of definitions) {
    if (!map.has(definition.label)) {
      map.set(definition.label, definition);
    }
  }
  return map;
}
