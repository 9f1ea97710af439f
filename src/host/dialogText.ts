/**
 * The words of the modal dialog of a request, and whether it may hold Allow Once. Pure, so that every case is a test.
 *
 * A dialog is small and gone with one key. Allow Once stands in it only where everything that matters is in it: one way
 * to allow, nothing hidden, nothing unusual about the path, the whole change within 10 lines and 600 characters.
 */
import { hasPlainAnswers } from '../core/policy/options.js';
import { lookalikeNote, variablesNote } from '../core/text/cardNotes.js';
import { visible, visibleLine, visibleName } from '../core/text/visible.js';
import type { Approval, ApprovalMark, DiffView } from '../core/transcript/model.js';

export type DialogButton = 'review' | 'allow' | 'deny' | 'notNow';
export type DialogText = {
  readonly title: string;
  readonly detail: string;
  readonly buttons: readonly DialogButton[];
};
export type DialogContext = {
  readonly agent: string;
  readonly folder: string;
  /** Where the folder is, in each of its spellings: paths below it are shown relative to it. */
  readonly roots: readonly string[];
  /** Requests that wait behind this one. */
  readonly behind: number;
};

const maxLines = 10;
const maxCharacters = 600;
/** Lines that are shown of what does not fit. */
const excerpt = 6;
/** Marks under which one click must not allow. */
const cautious: readonly ApprovalMark[] = [
  'sensitive',
  'hidden',
  'lookalike',
  'variables',
  'outside',
  'linked',
  'misnamed',
];

/** The dialog of one request. The title is one line; the detail is plain text. */
export function dialogText(approval: Approval, context: DialogContext): DialogText {
  const text = new Shown();
  const asked = questionOf(approval, context.agent, (path) => below(context.roots, path) ?? path);
  const ownWords = `${context.agent} asks: `;
  const question = asked.startsWith(ownWords) ? asked.slice(ownWords.length) : lowerFirst(asked);
  const title = `${context.agent}: ${text.line(question)}`;
  const body = [...text.lines(thingOf(approval, context)), ...notesOf(approval, context)];
  const whole = (approval.diff?.omitted ?? 0) === 0;
  const fits = whole && body.length <= maxLines && body.join('\n').length <= maxCharacters;
  const allow = fits && !text.hidden && mayAllowPlainly(approval);
  const lines = fits ? body : [...body.slice(0, excerpt), '…'].map((line) => line.slice(0, maxCharacters / excerpt));
  const after = [
    whoSentence(approval, context.agent),
    ...(allow ? [] : ['Open the review to see all of it.']),
    ...(context.behind > 0 ? [`${context.behind} more request${context.behind === 1 ? ' waits' : 's wait'}.`] : []),
  ];
  return {
    title,
    detail: [...(lines.length > 0 ? [...lines, ''] : []), ...after].join('\n'),
    buttons: allow ? ['review', 'allow', 'deny', 'notNow'] : ['review', 'deny', 'notNow'],
  };
}

/** The question of a request, as a sentence that begins with a capital. */
export function questionOf(approval: Approval, agent: string, shown: (path: string) => string): string {
  const [path = '', target = ''] = approval.paths.map(shown);
  switch (approval.verb) {
    case 'edit':
      return `Edit ${path}?`;
    case 'create':
      return `Create ${path}?`;
    case 'delete':
      return `Delete ${path}?`;
    case 'move':
      return target === '' ? `Move ${path}?` : `Move ${path} to ${target}?`;
    case 'execute':
      return 'Run a command?';
    case 'read':
      return `Let ${agent} read ${path}?`;
    case 'fetch':
    case 'switch_mode':
    case 'other':
      return approval.title.endsWith('?') ? approval.title : `${approval.title}?`;
  }
}

/** Who executes it, and so whose words these are. */
export function whoSentence(approval: Approval, agent: string): string {
  if (approval.origin === 'agent') {
    return `${agent} does this itself. These are its words.`;
  }
  if (approval.verb === 'execute') {
    return 'VS Code runs this in a terminal after you allow it.';
  }
  return approval.verb === 'edit' || approval.verb === 'create'
    ? 'VS Code writes this after you allow it. Undo works.'
    : 'VS Code does this after you allow it.';
}

function mayAllowPlainly(approval: Approval): boolean {
  return (
    hasPlainAnswers(approval.options) &&
    // The change of one file is all that is shown.
    (approval.diff === undefined || approval.paths.length <= 1) &&
    !approval.marks.some((mark) => cautious.includes(mark))
  );
}

function thingOf(approval: Approval, context: DialogContext): string[] {
  const named = (path: string): string => within(context, path);
  const leads = approval.resolvesTo === undefined ? [] : [`Leads to ${approval.resolvesTo}`];
  if (approval.diff !== undefined && approval.verb !== 'execute') {
    const [first = approval.diff.path, ...others] = approval.paths;
    return [...changedLines(approval.diff, named(first)), ...leads, ...others.map(named), ...commandOf(approval)];
  }
  if (approval.command !== undefined) {
    return commandOf(approval);
  }
  const paths = approval.paths.map(named);
  const words = approval.agentWords === undefined ? [] : approval.agentWords.split('\n');
  const modes = (approval.switchesTo ?? []).length < 2 ? [] : [`Switches to mode ${approval.switchesTo?.join(' or ')}`];
  const claims = (approval.claims ?? []).flatMap(({ name, value }) => `${name} ${value}`.split('\n'));
  return [...paths, ...leads, ...words, ...modes, ...claims];
}

function commandOf({ command, cwd, environment = [] }: Approval): string[] {
  return [
    ...(command === undefined ? [] : command.split('\n')),
    ...(command === undefined || cwd === undefined ? [] : [`Runs in ${cwd}`]),
    ...(environment.length === 0 ? [] : [`Environment adds ${environment.join(', ')}`]),
  ];
}

/** `{folder}/{path}` below the folder, anything else as it is. */
function within({ folder, roots }: DialogContext, path: string): string {
  const short = below(roots, path);
  return short === undefined ? path : `${folder}/${short}`;
}

function below(roots: readonly string[], path: string): string | undefined {
  if (!path.startsWith('/') && !/^([A-Za-z]:|\\\\)/.test(path)) {
    return path;
  }
  const root = roots.find((each) => path.startsWith(each) && /^[\\/]/.test(path.slice(each.length)));
  return root === undefined ? undefined : path.slice(root.length + 1);
}

/** The changed lines alone, each run of them under the line it begins at. */
function changedLines(diff: DiffView, path: string): string[] {
  const lines: string[] = [];
  let inRun = false;
  for (const line of diff.lines) {
    if (line.sign === '…' || line.sign === ' ') {
      inRun = false;
      continue;
    }
    if (!inRun) {
      const where = `line ${line.number}`;
      lines.push(lines.length === 0 ? (diff.isNew ? path : `${path}, ${where}`) : where);
      inRun = true;
    }
    lines.push(`${line.sign === '-' ? '−' : '+'} ${line.text}`);
  }
  return lines.length === 0 ? [path] : lines;
}

function notesOf(approval: Approval, { agent, folder }: DialogContext): string[] {
  const file = approval.paths[0]?.split(/[\\/]/).at(-1) ?? 'The file';
  const notes: Readonly<Partial<Record<ApprovalMark, string>>> = {
    differs: 'This differs from what you allowed above.',
    nodetail: `${agent} sent no details.`,
    stale: `${file} has changed since ${agent} read it. The diff is against the text as it is now.`,
    conflict: 'You have unsaved changes here. Allowing keeps them and adds the edit; where both changed, yours stay.',
    lookalike: lookalikeNote,
    variables: variablesNote,
    outside: `It is outside ${folder}.`,
    hidden: 'This contains characters that do not show. They stand here as codes. What you see may not be what runs.',
  };
  return [approval.reason, ...approval.marks.map((mark) => notes[mark])].filter((note) => note !== undefined);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Makes every text that an agent may have chosen visible, and remembers whether something had to be. */
class Shown {
  hidden = false;

  line(text: string): string {
    const shown = visible(text);
    this.hidden ||= shown.hidden;
    return shown.text.replace(/\s*\n\s*/g, ' ');
  }

  /** A run of spaces long enough to push the end of a line out of sight makes the request a case for the review. */
  lines(texts: readonly string[]): string[] {
    return texts.map((text) => {
      const shown = text.includes('\n') ? visibleName(text) : visibleLine(text);
      this.hidden ||= shown.hidden || / {40,}/.test(shown.text.trimStart());
      return shown.text;
    });
  }
}
