/**
 * The host's own picture of a change. It is what a person decides on, so its counts are exact and its line numbers are
 * those of the file; what is too large to list is counted and never left out silently.
 */
import { diffArrays } from 'diff';
import type { DiffLine, DiffView } from '../transcript/model.js';
import { cut, limits } from './limits.js';

const context = 3;

type Run = { readonly kind: 'same' | 'added' | 'removed'; readonly lines: readonly string[] };

/**
 * Compares two texts by lines. `oldText` null: the file is new. Line ends count as part of a line, so a change of them
 * is a change; they are not drawn. The work is bounded: a change that is too large to compare is one replacement.
 */
export function diffView(path: string, oldText: string | null, newText: string): DiffView {
  const runs = compare(linesOf(oldText ?? ''), linesOf(newText));
  const count = (kind: Run['kind']): number =>
    runs.reduce((sum, run) => sum + (run.kind === kind ? run.lines.length : 0), 0);
  const added = count('added');
  const removed = count('removed');
  const listed = added + removed === 0 ? { lines: [], omitted: 0 } : list(runs);
  return { path, added, removed, ...listed, isNew: oldText === null };
}

/** Lines with their line ends. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function compare(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail++;
  }
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const known = new Set(removed);
  // Where no line stands on both sides there is nothing to search for.
  const changes = added.some((line) => known.has(line))
    ? diffArrays(removed, added, { maxEditLength: limits.diffEdits, timeout: limits.diffTime })
    : undefined;
  const middle: Run[] =
    changes?.map((change) => ({
      kind: change.added ? 'added' : change.removed ? 'removed' : 'same',
      lines: change.value,
    })) ?? replacement(removed, added);
  return joined([
    { kind: 'same', lines: before.slice(0, head) },
    ...middle,
    { kind: 'same', lines: before.slice(before.length - tail) },
  ]);
}

function replacement(removed: readonly string[], added: readonly string[]): Run[] {
  return [
    { kind: 'removed', lines: removed },
    { kind: 'added', lines: added },
  ];
}

/** Without empty runs, and with neighbours of one kind as one. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last?.kind === run.kind) {
      result[result.length - 1] = { kind: run.kind, lines: [...last.lines, ...run.lines] };
    } else if (run.lines.length > 0) {
      result.push(run);
    }
  }
  return result;
}

/** Signs for changed lines and the context round them, until the bound is reached. */
function list(runs: readonly Run[]): { lines: DiffLine[]; omitted: number } {
  const lines: DiffLine[] = [];
  const room = new Room(runs.filter((run) => run.kind !== 'same').length);
  let oldNumber = 1;
  let newNumber = 1;
  runs.forEach((run, index) => {
    const { before, hidden, after } = fold(run, index === 0, index === runs.length - 1);
    const sign = run.kind === 'same' ? ' ' : run.kind === 'added' ? '+' : '-';
    const first = run.kind === 'removed' ? oldNumber : newNumber;
    const put = (from: number, to: number): void => {
      const taken = room.take(run, from, to);
      for (let i = from; i < from + taken; i++) {
        lines.push({ sign, number: first + i, text: shown(run.lines[i] ?? '') });
      }
    };
    put(0, before);
    if (hidden > 0) {
      lines.push({ sign: '…', count: hidden });
    }
    put(run.lines.length - after, run.lines.length);
    oldNumber += run.kind === 'added' ? 0 : run.lines.length;
    newNumber += run.kind === 'removed' ? 0 : run.lines.length;
  });
  return { lines, omitted: room.omitted };
}

/** How many lines at either end of a run are listed. A fold of one line would save nothing. */
function fold(run: Run, isFirst: boolean, isLast: boolean): { before: number; hidden: number; after: number } {
  const total = run.lines.length;
  const before = isFirst ? 0 : context;
  const after = isLast ? 0 : context;
  const hidden = total - before - after;
  return run.kind !== 'same' || hidden <= 1 ? { before: total, hidden: 0, after: 0 } : { before, hidden, after };
}

/** Lines and characters that may still be listed. Each changed run has its share, so that both sides are seen. */
class Room {
  omitted = 0;
  private lines: number = limits.diffLines;
  private characters: number = limits.diffText;

  constructor(private runs: number) {}

  /** How many of these lines are listed; the others are counted. */
  take(run: Run, from: number, to: number): number {
    const share = run.kind === 'same' ? this.lines : Math.ceil(this.lines / Math.max(1, this.runs--));
    let taken = 0;
    while (from + taken < to && taken < share && this.characters > 0) {
      this.characters -= Math.min(run.lines[from + taken]?.length ?? 0, limits.diffLine);
      taken++;
    }
    this.lines -= taken;
    this.omitted += to - from - taken;
    return taken;
  }
}

function shown(line: string): string {
  const text = line.replace(/\r?\n$/, '');
  return text.length <= limits.diffLine
    ? text
    : `${cut(text, limits.diffLine)}… (${text.length - limits.diffLine} more characters)`;
}
