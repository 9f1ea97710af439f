/** What the plan tree shows, as data: one item per step, the step's tool calls below it. Pure. */
import { clock, stepTime } from '../core/text/times.js';
import { oneLine } from '../core/text/visible.js';
import type { Entry, PlanStep, ToolEntry, Transcript } from '../core/transcript/model.js';
import { toolIcons } from '../core/transcript/toolIcons.js';

export type PlanIcon =
  | 'circle-large'
  | 'loading~spin'
  | 'pass'
  | 'circle-slash'
  | 'question'
  | 'debug-disconnect'
  | 'shield'
  | 'error'
  | 'eye'
  | 'edit'
  | 'trash'
  | 'move'
  | 'search'
  | 'terminal'
  | 'thinking'
  | 'globe'
  | 'arrow-swap'
  | 'tools';

export type PlanItem = {
  /** Stable while the step can be recognised, so that open items stay open. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: PlanIcon;
  readonly color?: string;
  /** The whole text, where the label is cut. */
  readonly tooltip: string;
  readonly accessibleName: string;
  readonly open: boolean;
  readonly children: readonly PlanItem[];
  /** The tool call that a click shows. */
  readonly toolCallId?: string;
};

export type DroppedStep = { readonly step: PlanStep; readonly index: number };
/** Lines added and removed by one tool call, or undefined where it changed none. */
export type CountLines = (tool: ToolEntry) => { readonly added: number; readonly removed: number } | undefined;

const labelLength = 200;

/** All steps in the agent's order, those it dropped in this turn where they stood. `now` is epoch ms. */
export function planItems(
  transcript: Transcript,
  dropped: readonly DroppedStep[],
  agent: string,
  now: number,
  countLines: CountLines,
): PlanItem[] {
  const tools = transcript.plan.length === 0 ? [] : toolsOf(transcript);
  const total = transcript.plan.length;
  const items = transcript.plan.map((step, index) =>
    stepItem(step, index + 1, total, callsOf(step, tools), { transcript, now, countLines }),
  );
  for (const { step, index } of dropped) {
    items.splice(Math.min(index, items.length), 0, droppedItem(step, agent));
  }
  return items;
}

/** "2 of 6", or undefined where there is no plan. */
export function planProgress(plan: readonly PlanStep[]): string | undefined {
  return plan.length === 0 ? undefined : `${doneCount(plan)} of ${plan.length}`;
}

export function stepsLeft(plan: readonly PlanStep[]): number {
  return plan.length - doneCount(plan);
}

export function doneCount(plan: readonly PlanStep[]): number {
  return plan.filter(({ status }) => status === 'completed').length;
}

/** Steps of `before` that are gone from `after`, with the place each had. */
export function droppedSteps(before: readonly PlanStep[], after: readonly PlanStep[]): DroppedStep[] {
  const kept = new Set(after.map(({ id }) => id));
  return before.map((step, index) => ({ step, index })).filter(({ step }) => !kept.has(step.id));
}

type StepContext = { readonly transcript: Transcript; readonly now: number; readonly countLines: CountLines };

function stepItem(
  step: PlanStep,
  number: number,
  total: number,
  calls: readonly ToolEntry[],
  context: StepContext,
): PlanItem {
  const { turn } = context.transcript;
  const idle = turn.state === 'idle' || turn.state === 'failed';
  // Left by a turn that is over, also while the next one runs.
  const isLeft = step.status === 'in_progress' && (idle || step.endedAt !== undefined);
  const { icon, color, word } = isLeft ? leftOpen : statusOf(step.status);
  const until = step.endedAt ?? (idle ? (turn.endedAt ?? context.now) : context.now);
  const time = step.startedAt === undefined ? '' : clock(until - step.startedAt);
  const label = oneLine(step.content, labelLength);
  const description = [
    step.priority === 'medium' ? '' : oneLine(step.priority, 40),
    time,
    linesChanged(calls, context.countLines),
    step.change ?? '',
  ];
  const name = [label, word, step.priority === '' ? '' : `${oneLine(step.priority, 40)} priority`, spoken(step, until)];
  return {
    id: step.id,
    label,
    description: join(description, ' · '),
    icon,
    ...(color === undefined ? {} : { color }),
    tooltip: step.content,
    accessibleName: `${join(name, ', ')}, step ${number} of ${total}`,
    open: step.status === 'in_progress' && !isLeft,
    children: calls.map((call) => callItem(step.id, call, context)),
  };
}

function droppedItem(step: PlanStep, agent: string): PlanItem {
  const label = oneLine(step.content, labelLength);
  return {
    id: `dropped:${step.id}`,
    label,
    description: `dropped by ${agent}`,
    icon: 'circle-slash',
    tooltip: step.content,
    accessibleName: `${label}, dropped by ${agent}`,
    open: false,
    children: [],
  };
}

function callItem(stepId: string, call: ToolEntry, { transcript, now }: StepContext): PlanItem {
  const waits = transcript.approvals.some(
    (approval) => approval.toolCallId === call.toolCallId && approval.state !== 'settled',
  );
  const failed = call.status === 'failed';
  const running = call.status === 'in_progress' || call.status === 'pending';
  const since = call.startedAt ?? call.at;
  const time = running ? stepTime(now - since) : call.endedAt === undefined ? '' : stepTime(call.endedAt - since);
  const description = waits ? 'needs your answer' : failed ? 'failed' : time;
  const label = oneLine(call.title, labelLength);
  return {
    id: `${stepId}/${call.id}`,
    label,
    description,
    icon: waits ? 'shield' : failed ? 'error' : toolIcons[call.toolKind],
    ...(waits ? { color: 'list.warningForeground' } : failed ? { color: 'errorForeground' } : {}),
    tooltip: call.title,
    accessibleName: join([label, description], ', '),
    open: false,
    children: [],
    toolCallId: call.toolCallId,
  };
}

/** The turn ended and the agent left the step as it was. */
const leftOpen = { icon: 'debug-disconnect', color: undefined, word: 'left in progress' } as const;

function statusOf(status: string): { icon: PlanIcon; color?: string; word: string } {
  switch (status) {
    case 'pending':
      return { icon: 'circle-large', word: 'pending' };
    case 'in_progress':
      return { icon: 'loading~spin', word: 'in progress' };
    case 'completed':
      return { icon: 'pass', color: 'charts.green', word: 'done' };
    default:
      return { icon: 'question', word: oneLine(status, 40) };
  }
}

function toolsOf(transcript: Transcript): ToolEntry[] {
  const isTool = (entry: Entry): entry is ToolEntry => entry.kind === 'tool';
  return transcript.pages.flat().filter(isTool);
}

/** The calls that began while the step was in progress. */
function callsOf(step: PlanStep, tools: readonly ToolEntry[]): ToolEntry[] {
  const { startedAt, endedAt = Infinity } = step;
  return startedAt === undefined ? [] : tools.filter(({ at }) => at >= startedAt && at < endedAt);
}

function linesChanged(calls: readonly ToolEntry[], countLines: CountLines): string {
  let added = 0;
  let removed = 0;
  for (const call of calls) {
    const count = call.status === 'completed' ? countLines(call) : undefined;
    added += count?.added ?? 0;
    removed += count?.removed ?? 0;
  }
  return added + removed === 0 ? '' : `+${added} −${removed}`;
}

function spoken(step: PlanStep, until: number): string {
  return step.startedAt === undefined ? '' : `${Math.round((until - step.startedAt) / 1000)} seconds`;
}

function join(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part.length > 0).join(separator);
}
