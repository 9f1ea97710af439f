/** How the file service asks, and in which words it refuses. The words for an agent say why, so that it can go on. */
import { HostError } from '../../core/errors.js';
import type { Decided } from '../../core/policy/decide.js';
import { diffView } from '../../core/text/diffView.js';
import { mixesAlphabets } from '../../core/text/cardNotes.js';
import { visibleLine, visibleName } from '../../core/text/visible.js';
import type { ApprovalMark, ApprovalOption, DiffView } from '../../core/transcript/model.js';
import type { ApprovalGate, ApprovalRequest, Decision } from '../ports.js';
import { shortName } from './facts.js';
import type { PathFacts } from './facts.js';
import type { Note } from './fileService.js';

/** The host's own two answers. */
export const hostOptions: readonly ApprovalOption[] = [
  { optionId: 'allow_once', name: 'Allow Once', kind: 'allow_once' },
  { optionId: 'reject_once', name: 'Deny', kind: 'reject_once' },
];

/** An edit as it would be done now: `current` null where the file would be made. */
export type ShownEdit = {
  readonly facts: PathFacts;
  readonly current: string | null;
  readonly target: string;
  readonly marks: readonly ApprovalMark[];
  readonly toolCallId?: string;
};

/**
 * Asks whether an edit may be done and notes who decided.
 * @throws HostError refused, cancelled
 */
export async function askToWrite(gate: ApprovalGate, edit: ShownEdit, signal: AbortSignal, note: Note): Promise<void> {
  const { facts, current, target, toolCallId } = edit;
  const diff = diffView(facts.relative, current, target);
  const request: ApprovalRequest = {
    ...common(facts),
    verb: current === null ? 'create' : 'edit',
    title: `${current === null ? 'Create' : 'Edit'} ${facts.named}?`,
    diff,
    marks: [...marksOf(facts, diff), ...edit.marks],
    ...(toolCallId === undefined ? {} : { toolCallId }),
    signal,
  };
  settle(await gate.ask(request), 'edit', note);
}

/**
 * Asks whether a file may be read that is not read without a question, and says why there is one.
 * @throws HostError refused, cancelled
 */
export async function askToRead(
  gate: ApprovalGate,
  { facts, why }: { readonly facts: PathFacts; readonly why: readonly string[] },
  signal: AbortSignal,
  note: Note,
): Promise<void> {
  const request: ApprovalRequest = {
    ...common(facts),
    verb: 'read',
    title: `Read ${facts.named}?`,
    marks: marksOf(facts, undefined),
    ...(why.length === 0 ? {} : { reason: `${sentence(why)}${facts.klass === 'secret' ? leaves : ''}` }),
    signal,
  };
  settle(await gate.ask(request), 'read', note);
}

/** @throws HostError denied, off */
export function refuseUnlessAllowed(decided: Decided, facts: PathFacts): void {
  if (decided.verdict === 'deny') {
    throw new HostError('denied', `${shortName(facts.requested)} was refused: ${decided.why.join(', ')}.`);
  }
}

/** @throws HostError cancelled */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new HostError('cancelled', 'The request was cancelled.');
  }
}

function common(facts: PathFacts): Pick<ApprovalRequest, 'origin' | 'paths' | 'options' | 'resolvesTo'> {
  return {
    origin: 'host',
    paths: [facts.canonical],
    options: hostOptions,
    ...(facts.redirected ? { resolvesTo: facts.canonical } : {}),
  };
}

/** An agent sends what it reads to its model. */
const leaves = ' What an agent reads may leave this computer.';

function sentence(why: readonly string[]): string {
  const [first = '', ...rest] = why;
  return `${[first.slice(0, 1).toUpperCase() + first.slice(1), ...rest].join('; ')}.`;
}

function marksOf(facts: PathFacts, diff: DiffView | undefined): ApprovalMark[] {
  const marks: ApprovalMark[] = [];
  const names = [facts.named, facts.canonical];
  if (facts.klass !== 'ok') {
    marks.push('sensitive');
  }
  if (facts.linked || facts.redirected) {
    marks.push('linked');
  }
  if (names.some(mixesAlphabets)) {
    marks.push('lookalike');
  }
  const added = (diff?.lines ?? []).flatMap((line) => (line.sign === '+' ? [line.text] : []));
  if (
    names.some((name) => visibleName(name).hidden) ||
    added.map(withoutEmoji).some((line) => visibleLine(line).hidden)
  ) {
    marks.push('hidden');
  }
  return marks;
}

/** The selectors and joiners inside an emoji belong to it, and a carriage return to its line. */
function withoutEmoji(line: string): string {
  return line
    .replace(/\r$/, '')
    .replace(/[0-9#*]\ufe0f\u20e3|\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gu, '');
}

function settle(decision: Decision, what: 'edit' | 'read', note: Note): void {
  switch (decision.outcome) {
    case 'allowed':
      note.provenance = decision.by === 'person' ? { by: 'person', outcome: 'allowed' } : { by: 'setting' };
      return;
    case 'denied': {
      const { by, comment } = decision;
      note.provenance =
        by === 'person'
          ? { by, outcome: 'denied', ...(comment === undefined ? {} : { comment }) }
          : { by: 'host', outcome: 'denied', reason: comment ?? 'no answer' };
      const who = by === 'person' ? `The person denied this ${what}` : `This ${what} was denied`;
      throw new HostError('refused', comment === undefined ? `${who}.` : `${who}: ${comment}`);
    }
    case 'cancelled':
      throw new HostError('cancelled', `This ${what} was cancelled before it was decided.`);
  }
}
