/**
 * `session/request_permission`: what the agent asks before it does something itself.
 *
 * The card is made from everything the agent said of the call so far, merged, with the request's own fields on top:
 * many agents send little more than the id. What is shown and decided is the host's reading of it; the agent's words
 * are quoted.
 * https://agentclientprotocol.com/protocol/tool-calls#requesting-permission
 */
import { resolve } from 'node:path';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { decide, type PathJudgement } from '../core/policy/decide.js';
import { answerFor, isMisnamed } from '../core/policy/options.js';
import { readPlainInput } from '../core/policy/plainInput.js';
import { relativeTo } from '../core/policy/paths.js';
import { diffView } from '../core/text/diffView.js';
import { cut, limits } from '../core/text/limits.js';
import { mixesAlphabets } from '../core/text/cardNotes.js';
import { visible, visibleName } from '../core/text/visible.js';
import {
  findTool,
  inlineText,
  type Approval,
  type ApprovalMark,
  type ApprovalOption,
  type ApprovalVerb,
  type ToolContent,
  type ToolEntry,
} from '../core/transcript/model.js';
import { saysItAsksNothing } from '../core/transcript/modes.js';
import { normalizeToolCall } from '../core/transcript/normalize.js';
import { normalizePermissionOptions } from '../core/transcript/normalizeSetup.js';
import { claimedFacts } from './claimedFacts.js';
import { readCommand, readInput } from './commandOf.js';
import { applyAgentDiff, type Expectations } from './files/expectations.js';
import type { FileService, PathFacts } from './files/fileService.js';
import { switchQuestion, switchTargets, switchWords } from './modeSwitch.js';
import { plainPath } from './outsidePaths.js';
import type { ApprovalGate, ApprovalRequest, Decision, Log, ServePolicy } from './ports.js';
import type { AgentSession } from './session.js';
import type { PermissionParams } from './wire/tap.js';

export type PermissionDeps = {
  readonly session: AgentSession;
  readonly gate: ApprovalGate;
  readonly files: Pick<FileService, 'inspect' | 'currentText'>;
  readonly expectations: Expectations;
  readonly log: Log;
  readonly agentName: string;
  /** The session's folder: paths below it are shown relative to it. */
  readonly folderPath: string;
  policy(): ServePolicy;
  /** A person denied a request that says this. */
  onDenied?(what: string): void;
  /** The whole text of a body that was put aside. */
  bodyText(bodyId: string): string | undefined;
};

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/**
 * Puts a request at its place and settles with the answer for the wire. Called in wire order; everything up to the
 * first wait happens at once, so that the card stands between what came before and after it. Never rejects.
 */
export async function requestPermission(
  deps: PermissionDeps,
  params: PermissionParams,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const { session } = deps;
  const turn = session.turnSignal;
  const patch = normalizeToolCall(params.toolCall);
  if (patch === null || turn.aborted) {
    return cancelled;
  }
  session.emit({ type: 'toolChanged', at: session.now(), patch });
  const { options, valid, why } = normalizePermissionOptions(params.options);
  if (!valid) {
    deps.log.warn(`${deps.agentName}: a permission request was answered "cancelled". ${why ?? ''}`);
    return cancelled;
  }
  if (findTool(session.transcript, patch.toolCallId) === undefined) {
    // Nothing but an id of a call that was never announced: a person has to see that this is all there is.
    session.emit({ type: 'toolChanged', at: session.now(), patch: { ...patch, toolKind: 'other' } });
  }
  const entry = findTool(session.transcript, patch.toolCallId);
  if (entry === undefined) {
    deps.log.warn(`${deps.agentName}: a permission request was answered "cancelled": too many tool calls.`);
    return cancelled;
  }
  const call = describeCall(deps, entry, options);
  const request: ApprovalRequest = {
    ...call.approval,
    signal: AbortSignal.any([turn, signal]),
    prepare: () => prepare(deps, call, options),
  };
  const decision = await deps.gate.ask(request);
  if (decision.outcome === 'denied' && decision.by === 'person') {
    const { verb, title, paths, command = '' } = call.approval;
    deps.onDenied?.(JSON.stringify([verb, title, paths, command]));
  }
  if (decision.outcome === 'allowed' && call.shown !== undefined) {
    const { canonical, result, base } = call.shown;
    deps.expectations.add(canonical, result, base);
  }
  return answer(decision);
}

function answer(decision: Decision): RequestPermissionResponse {
  if (decision.outcome === 'cancelled' || decision.optionId === undefined) {
    return cancelled;
  }
  return { outcome: { outcome: 'selected', optionId: decision.optionId } };
}

type AgentDiff = { readonly path: string; readonly oldText: string | null; readonly newText: string };
type Call = {
  readonly approval: Omit<ApprovalRequest, 'signal' | 'prepare'>;
  readonly entry: ToolEntry;
  readonly paths: readonly string[];
  readonly diffs: readonly AgentDiff[];
  readonly hasCommand: boolean;
  readonly hasChange: boolean;
  readonly isPlain: boolean;
  /** The edit that the card shows, where its result could be computed: what an allow is an allow of. */
  shown?: { readonly canonical: string; readonly result: string; readonly base: string | null };
};

function describeCall(deps: PermissionDeps, entry: ToolEntry, options: readonly ApprovalOption[]): Call {
  const diffs = entry.content.flatMap((item) => wholeDiff(deps, item));
  const changed = entry.content.flatMap((item) => (item.type === 'diff' ? [item.path] : []));
  const located = entry.locations.map(({ path }) => path);
  const command = readCommand(entry, (id) => deps.bodyText(id));
  const verb = verbOf(entry, diffs, changed.length > 0);
  const input = readInput(entry, (id) => deps.bodyText(id));
  // What is too large or too deep to be known in full may hold anything.
  const isUnread = input.text !== undefined && input.value === undefined;
  const plain = readPlainInput(input.value, isEdit(verb) ? 'edit' : 'look');
  const named = plain.paths.map((path) => resolve(deps.folderPath, plainPath(path)));
  // The change that is shown is that of the first diff, so the question has to name its file.
  const shown = isEdit(verb) ? [...diffs.map(({ path }) => path), ...changed, ...located] : [...located, ...changed];
  const paths = [...new Set([...shown, ...named])];
  const words = wordsOf(entry, command !== undefined || diffs.length > 0);
  const { transcript } = deps.session;
  const isSwitch = verb === 'switch_mode';
  const targets = isSwitch ? switchTargets(options, transcript) : [];
  const claims = claimedFacts(verb, entry, (id) => deps.bodyText(id));
  const marks: ApprovalMark[] = [];
  if (
    [words, command?.line ?? '', ...claims.map(({ value }) => value)].some((text) => visible(text).hidden) ||
    paths.some((path) => visibleName(path).hidden)
  ) {
    marks.push('hidden');
  }
  if (paths.some(mixesAlphabets)) {
    marks.push('lookalike');
  }
  if (options.some(isMisnamed)) {
    marks.push('misnamed');
  }
  if (paths.length === 0 && command === undefined && entry.content.length === 0 && entry.title.length === 0) {
    marks.push('nodetail');
  }
  return {
    entry,
    paths,
    diffs,
    hasCommand: command !== undefined || isUnread || entry.content.some(({ type }) => type === 'terminal'),
    hasChange: changed.length > 0,
    isPlain: plain.isPlain && !isUnread && entry.isPartial !== true,
    approval: {
      toolCallId: entry.toolCallId,
      origin: 'agent',
      verb,
      title: (isSwitch ? switchQuestion(options, transcript) : undefined) ?? question(verb, paths, entry, deps),
      ...(targets.length === 0 ? {} : { switchesTo: targets.map(switchWords) }),
      ...(targets.some(saysItAsksNothing) ? { switchesToFree: true } : {}),
      paths,
      ...(command === undefined ? {} : { command: command.line }),
      ...(command?.cwd === undefined ? {} : { cwd: command.cwd }),
      ...(words.length === 0 ? {} : { agentWords: words }),
      ...(claims.length === 0 ? {} : { claims }),
      options,
      marks,
    },
  };
}

/** What the agent says of the call: its title, and its text where neither a command nor a diff tells what it would do. */
function wordsOf(entry: ToolEntry, told: boolean): string {
  const texts = entry.content.map((item) =>
    !told && item.type === 'content' && item.content.type === 'text' ? inlineText(item.content.text) : '',
  );
  return cut([entry.title, ...texts].filter((text) => text.trim().length > 0).join('\n'), limits.title);
}

/** Paths that are looked up at the same time. */
const atOnce = 50;

/** Where the paths lead, what the change would be against the text as it is now, and what the policy says to that. */
async function prepare(
  deps: PermissionDeps,
  call: Call,
  options: readonly ApprovalOption[],
): Promise<{ decision?: Decision; facts?: Partial<Approval> }> {
  const facts: PathFacts[] = [];
  for (let from = 0; from < call.paths.length; from += atOnce) {
    facts.push(...(await Promise.all(call.paths.slice(from, from + atOnce).map((path) => deps.files.inspect(path)))));
  }
  const { entry } = call;
  const judged = decide(
    {
      by: 'agent',
      kind: entry.toolKind,
      kindChanged: entry.kindChanged === true,
      hasCommand: call.hasCommand,
      hasChange: call.hasChange,
      isPlain: call.isPlain,
      hasInput: entry.rawInput !== undefined && entry.rawInput !== '{}',
      paths: facts.map(judgement),
    },
    deps.policy(),
    { interactive: true, trusted: true },
  );
  if (judged.verdict === 'deny') {
    const denial = answerFor('reject_once', options);
    const reason = judged.why.join('; ');
    deps.log.info(`${deps.agentName}: denied ${entry.toolKind}: ${reason}`);
    return {
      decision: {
        outcome: 'denied',
        by: 'policy',
        comment: reason,
        ...(denial.outcome === 'selected' ? { optionId: denial.optionId } : {}),
      },
    };
  }
  if (judged.verdict === 'allow') {
    const allowed = answerFor('allow_once', options);
    if (allowed.outcome === 'selected') {
      return { decision: { outcome: 'allowed', by: 'policy', optionId: allowed.optionId } };
    }
  }
  return { facts: await shownFacts(deps, call, facts) };
}

async function shownFacts(deps: PermissionDeps, call: Call, facts: readonly PathFacts[]): Promise<Partial<Approval>> {
  const marks = new Set<ApprovalMark>(call.approval.marks);
  for (const { inRoot, klass, linked } of facts) {
    if (!inRoot) {
      marks.add('outside');
    }
    if (klass !== 'ok') {
      marks.add('sensitive');
    }
    if (linked) {
      marks.add('linked');
    }
  }
  const first = facts[0];
  const resolved = first?.redirected === true ? { resolvesTo: first.canonical } : {};
  const diffs = await hostDiff(deps, call, facts, marks);
  return { ...resolved, ...diffs, marks: [...marks] };
}

/**
 * The change against the text as it is now. One edit, one question: what is shown here and then allowed may be written
 * once, in this turn, without a second question. Only the first edit of a call is shown, so only it is remembered.
 */
async function hostDiff(
  deps: PermissionDeps,
  call: Call,
  facts: readonly PathFacts[],
  marks: Set<ApprovalMark>,
): Promise<Partial<Approval>> {
  const [diff] = call.diffs;
  if (diff === undefined) {
    return {};
  }
  const base = await deps.files.currentText(diff.path).catch(() => undefined);
  const result = base === undefined ? undefined : applyAgentDiff(base, diff);
  if (base === undefined || result === undefined) {
    marks.add('stale');
    return { diff: diffView(diff.path, diff.oldText, diff.newText) };
  }
  const place = facts.find(({ requested }) => requested === diff.path);
  // A question about something else than an edit was not answered as one.
  if (place?.klass === 'ok' && place.inRoot && isEdit(call.approval.verb)) {
    call.shown = { canonical: place.canonical, result, base };
  }
  return { diff: diffView(diff.path, base, result), ...verbOnDisk(deps, call, base === null) };
}

/** What the change is by the file as it is: some agents call a new file an edit of an empty text (Gemini, measured). */
function verbOnDisk(deps: PermissionDeps, call: Call, isNew: boolean): Partial<Approval> {
  const verb = isNew && (call.diffs.length === 1 || call.approval.verb === 'create') ? 'create' : 'edit';
  return isEdit(call.approval.verb) && verb !== call.approval.verb
    ? { verb, title: question(verb, call.paths, call.entry, deps) }
    : {};
}

function judgement({ inRoot, klass, linked }: PathFacts): PathJudgement {
  return { inRoot, klass, linked };
}

function wholeDiff(deps: PermissionDeps, item: ToolContent): AgentDiff[] {
  if (item.type !== 'diff') {
    return [];
  }
  const whole = (text: typeof item.newText): string | undefined =>
    typeof text === 'string' ? text : deps.bodyText(text.bodyId);
  const newText = whole(item.newText);
  const oldText = item.oldText === null ? null : whole(item.oldText);
  return newText === undefined || oldText === undefined ? [] : [{ path: item.path, oldText, newText }];
}

function isEdit(verb: ApprovalVerb): boolean {
  return verb === 'edit' || verb === 'create';
}

function verbOf(entry: ToolEntry, diffs: readonly AgentDiff[], hasChange: boolean): ApprovalVerb {
  switch (entry.toolKind) {
    case 'edit':
      return diffs.length > 0 && diffs.every(({ oldText }) => oldText === null) ? 'create' : 'edit';
    case 'delete':
    case 'move':
    case 'execute':
    case 'fetch':
    case 'switch_mode':
      return entry.toolKind;
    case 'read':
    case 'search':
      return hasChange ? 'edit' : 'read';
    case 'think':
    case 'other':
      return hasChange ? 'edit' : 'other';
  }
}

function question(verb: ApprovalVerb, paths: readonly string[], entry: ToolEntry, deps: PermissionDeps): string {
  const show = (path: string | undefined): string => cut(shortPath(deps.folderPath, path ?? ''), 300);
  const [first, second] = paths;
  const other = `${deps.agentName} asks: ${cut(entry.title, 300)}`;
  switch (verb) {
    case 'edit':
      return first === undefined ? other : `Edit ${show(first)}?`;
    case 'create':
      return first === undefined ? other : `Create ${show(first)}?`;
    case 'delete':
      return first === undefined ? other : `Delete ${show(first)}?`;
    case 'move':
      return first === undefined ? other : `Move ${show(first)}${second === undefined ? '' : ` to ${show(second)}`}?`;
    case 'execute':
      return 'Run a command?';
    case 'read':
      return first === undefined ? other : `Let ${deps.agentName} read ${show(first)}?`;
    case 'fetch':
    case 'switch_mode':
    case 'other':
      return other;
  }
}

function shortPath(folder: string, path: string): string {
  return relativeTo(folder, path, process.platform === 'win32' ? 'win32' : 'posix')?.join('/') ?? path;
}
