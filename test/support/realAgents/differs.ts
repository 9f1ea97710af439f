/** What sets an agent apart, in sentences that are made from its cells; a cell that says nothing of it says so here. */
import type { Seen } from './table.js';

/**
 * Sentences for the document: who reads, writes and runs commands, who asks, the first mode, what a No does, and the
 * end. Throws where a scenario no longer says what a sentence needs.
 */
export function differs(seen: Seen): string {
  const cell = (row: string): string => {
    const found = seen.get(row);
    if (found === undefined) {
      throw new Error(`no scenario "${row}" to tell from`);
    }
    return found;
  };
  const offered = (row: string): string | undefined => (cell(row).startsWith('not offered') ? undefined : cell(row));
  const read = offered('read a file');
  const sentences = read === undefined ? [] : [does(read, cell), asks(cell), firstMode(cell), no(cell), failure(cell)];
  return [...sentences, end(cell('its input ends'))].join(' ');
}

type Cell = (row: string) => string;

/** "Reads and writes through the host, runs commands itself." */
function does(read: string, cell: Cell): string {
  const deeds = [
    ['reads', oneOf(read, 'read through the host', 'reads itself')],
    ['writes', oneOf(cell('edit, allowed'), 'written through the host', 'writes itself')],
    ['runs commands', oneOf(cell('command, allowed'), 'run through the host', 'runs itself')],
  ] as const;
  const those = (through: boolean): string =>
    joined(deeds.filter(([, host]) => host === through).map(([verb]) => verb));
  const parts = [
    [those(true), 'through the host'],
    [those(false), 'itself'],
  ].filter(([verbs]) => verbs !== '');
  return sentence(parts.map((part) => part.join(' ')).join(', '));
}

/** "Asks before an edit and a command; not before reading a file." */
function asks(cell: Cell): string {
  const rows = [
    ['reading a file', 'read a file'],
    ['reading outside the folder', 'read outside the folder'],
    ['an edit', 'edit, allowed'],
    ['an edit in a Git folder', 'edit in a Git folder, allowed'],
    ['a new file', 'new file, allowed'],
    ['a command', 'command, allowed'],
  ] as const;
  const asking = (yes: boolean): readonly string[] =>
    rows.filter(([, row]) => oneOf(cell(row), "the agent's", 'question') === yes).map(([what]) => what);
  const [before, not] = [joined(asking(true)), joined(asking(false), 'or')];
  return sentence(
    [before === '' ? 'never asks' : `asks before ${before}`, ...(not === '' ? [] : [`not before ${not}`])].join('; '),
  );
}

function firstMode(cell: Cell): string {
  const row = cell('edit in its own first mode');
  const [mode = ''] = row.split(',');
  const edits = oneOf(row, 'no question', 'question') ? 'edits without a question there' : 'an edit is asked there';
  return mode === 'no mode' ? 'Has no modes.' : sentence(`starts in the mode ${mode}; ${edits}`);
}

function no(cell: Cell): string {
  return oneOf(cell('edit, denied'), '`cancelled`', '`end_turn`')
    ? 'A No ends the turn as `cancelled`.'
    : 'A No is told to the model, and the turn goes on.';
}

function failure(cell: Cell): string {
  return oneOf(cell('the model fails (500)'), 'the turn fails', '`end_turn`')
    ? `A failure of the model fails the turn${cell('the model fails (500)').includes('as text too') ? ', and is told twice' : ''}.`
    : 'A failure of the model ends the turn as if it were done.';
}

function end(cell: string): string {
  return oneOf(cell, 'exits', 'runs on') ? 'Exits when its input ends.' : 'Does not exit when its input ends.';
}

/** True where the cell has the first, false where it has the second; neither is an error. */
function oneOf(cell: string, first: string, second: string): boolean {
  if (cell.includes(first)) {
    return true;
  }
  if (cell.includes(second)) {
    return false;
  }
  throw new Error(`"${cell}" tells neither "${first}" nor "${second}"`);
}

function joined(words: readonly string[], by = 'and'): string {
  const [last = '', before] = [words.at(-1), words.slice(0, -1).join(', ')];
  return before === '' ? last : `${before} ${by} ${last}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
