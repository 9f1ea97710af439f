import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { createElement, type ComponentChild } from 'preact';

const lowlight = createLowlight({
  bash,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  typescript,
  xml,
  yaml,
});

/** Longer code is shown plain: colouring takes about 1 ms for 1,000 characters. */
const longest = 20_000;

/** highlight.js has some thirty scopes; the panel has five colours. */
const colours: Readonly<Record<string, string>> = {
  keyword: 'k',
  literal: 'k',
  built_in: 'k',
  selector_tag: 'k',
  name: 'k',
  tag: 'k',
  section: 'k',
  string: 's',
  regexp: 's',
  attr_value: 's',
  symbol: 's',
  number: 'n',
  title: 'f',
  attr: 'f',
  attribute: 'f',
  comment: 'c',
  quote: 'c',
  doctag: 'c',
  addition: 'add',
  deletion: 'del',
  meta: 'c',
};

/** Code as coloured spans, or null where there is no grammar for it or it is too long. */
export function highlight(language: string, text: string): ComponentChild[] | null {
  const name = language.toLowerCase();
  if (text.length > longest || !lowlight.registered(name)) {
    return null;
  }
  return lowlight.highlight(name, text).children.map(toNode);
}

type Hast = ReturnType<typeof lowlight.highlight>['children'][number];

function toNode(node: Hast): ComponentChild {
  if (node.type === 'text') {
    return node.value;
  }
  if (node.type !== 'element') {
    return null;
  }
  const children = node.children.map(toNode);
  const names = node.properties.className;
  const colour = Array.isArray(names) ? colourOf(names) : undefined;
  return createElement('span', { class: colour }, ...children);
}

function colourOf(names: readonly (string | number)[]): string | undefined {
  const scope = String(names[0] ?? '')
    .replace(/^hljs-/, '')
    .replace(/-/g, '_');
  return colours[scope];
}
