import Anser from 'anser';
import type { ComponentChild, VNode } from 'preact';
import { stripControls } from '../../core/text/visible.js';

/** Colours of a terminal, reduced to the ones that mean something in the panel. */
const colours: Readonly<Record<string, string>> = {
  'ansi-red': 'err',
  'ansi-bright-red': 'err',
  'ansi-green': 'add',
  'ansi-bright-green': 'add',
  'ansi-yellow': 'warn',
  'ansi-bright-yellow': 'warn',
  'ansi-blue': 'link',
  'ansi-bright-blue': 'link',
  'ansi-cyan': 'link',
  'ansi-bright-cyan': 'link',
  'ansi-bright-black': 'quiet',
};

/** The last `count` lines of terminal output. A carriage return inside a line starts it over, as in a terminal. */
export function lastLines(tail: string, count: number): readonly string[] {
  const lines = tail.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n').slice(-count);
  return lines.map((line) => line.replace(/\r$/, '').split('\r').at(-1) ?? '');
}

/** One line of output with its colours. Sequences that are not colours are dropped. */
export function AnsiLine(props: { readonly line: string }): VNode {
  const parts = Anser.ansiToJson(props.line, { json: true, use_classes: true, remove_empty: true });
  const nodes: ComponentChild[] = parts.map((part) => {
    const text = stripControls(part.content);
    const colour = colours[part.fg] ?? (part.decorations.includes('dim') ? 'quiet' : undefined);
    return colour === undefined ? text : <span class={colour}>{text}</span>;
  });
  return <span>{nodes.length === 0 ? ' ' : nodes}</span>;
}
