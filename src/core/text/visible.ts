/**
 * Text of an agent, made safe to look at. `visible` is for cards, where a person decides on what stands there: nothing
 * is deleted, whatever does not show stands there as its code. `stripControls` is for prose, where emoji must live.
 */
import { limits } from './limits.js';

/** Everything that takes no space, is unassigned, or looks like a plain space. Line break and tab are left to pass. */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\p{M}{5,}/gu;
const longSpaces = / {12,}/g;
const longBreaks = /(?:\n[ \t]*){3,}\n/g;

export type Visible = {
  readonly text: string;
  /** Something in the text does not show by itself; nothing may be allowed with one click. */
  readonly hidden: boolean;
};

/**
 * Names every character that does not show by its code point (`[U+202E]`), and counts long runs of spaces and of empty
 * lines, which push the end of a text out of sight. The result can be read in full and holds no such character.
 */
export function visible(text: string): Visible {
  const named = revealed(text);
  const counted = named
    .replace(longBreaks, (run) => `\n[${run.split('\n').length - 1} line breaks]\n`)
    .replace(longSpaces, (run) => `[${run.length} spaces]`);
  return { text: counted, hidden: named !== text };
}

/** Like `visible`, with runs of spaces left as they are: for the lines of a diff, where they are indentation. */
export function visibleLine(text: string): Visible {
  const named = revealed(text);
  return { text: named, hidden: named !== text };
}

/** Like `visibleLine`, for a name within one line: a line break or a tab in it is shown as a code, too. */
export function visibleName(text: string): Visible {
  const named = revealed(text).replace(/[\n\t]/g, label);
  return { text: named, hidden: named !== text };
}

function revealed(text: string): string {
  return text.replace(unseen, (found) => Array.from(found, label).join(''));
}

function label(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** CSI, then OSC and its like up to BEL or ST, then the two-character escapes. */
const ansi =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Takes terminal sequences, control characters and direction marks out of prose; line break, tab and the joiners of
 * emoji stay. A carriage return becomes a line break.
 */
export function stripControls(text: string): string {
  return text.replace(ansi, '').replace(/\r\n?/g, '\n').replace(controls, '');
}

/** A text in one line of at most `max` characters, for titles and labels. */
export function oneLine(text: string, max: number = limits.title): string {
  const line = stripControls(text).replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
