/**
 * The verb of the host. Pure and total: the same events give the same transcript in the extension host, in the view,
 * from a log and in a test, and no event that the types allow makes it throw.
 */
import { limits } from '../text/limits.js';
import { changeAgentTerminal } from './agentTerminals.js';
import type { SessionEvent } from './events.js';
import { present } from './fields.js';
import { addChunk } from './messages.js';
import { inStep, noteSeen, withMode, withOptions } from './modes.js';
import type { Approval, Provenance, ToolEntry, Transcript } from './model.js';
import { append } from './pages.js';
import { changePlan } from './plan.js';
import { changeTerminal } from './terminals.js';
import { changeTool, markTool, markWrite, settleOpenCalls } from './tools.js';
import { beginTurn, cancelTurn, countWrite, endAgent, endTurn, failTurn, showNotice, touch } from './turn.js';

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

/** The transcript after one more fact. */
export function reduce(t: Transcript, event: SessionEvent): Transcript {
  switch (event.type) {
    case 'sessionStarted':
    case 'promptQueued':
    case 'promptUnqueued':
    case 'promptSent':
    case 'cancelRequested':
    case 'turnEnded':
    case 'turnFailed':
    case 'agentExited':
    case 'approvalUpdated':
    case 'approvalSettled':
    case 'modeRequested':
    case 'modeSettled':
    case 'toolOutside':
      return reduceHost(t, event);
    case 'noticeShown':
      return event.notice.code === 'agent' ? touch(reduceAgent(t, event), event.at) : reduceAgent(t, event);
    default:
      return touch(reduceAgent(t, event), event.at);
  }
}

type HostEvent = Of<
  | 'sessionStarted'
  | 'promptQueued'
  | 'promptUnqueued'
  | 'promptSent'
  | 'cancelRequested'
  | 'turnEnded'
  | 'turnFailed'
  | 'agentExited'
  | 'approvalUpdated'
  | 'approvalSettled'
  | 'modeRequested'
  | 'modeSettled'
  | 'toolOutside'
>;

/** What the host or the person did: no sign of life of the agent. */
function reduceHost(t: Transcript, event: HostEvent): Transcript {
  switch (event.type) {
    case 'sessionStarted':
      return startSession(t, event);
    case 'promptQueued':
      return enqueue(t, event);
    case 'promptUnqueued':
      return { ...t, queue: t.queue.filter((prompt) => prompt.promptId !== event.promptId) };
    case 'promptSent':
      return beginTurn(t, event);
    case 'cancelRequested':
      return cancelTurn(t, event.at);
    case 'turnEnded':
      return endTurn(t, event);
    case 'turnFailed':
      return failTurn(t, event);
    case 'agentExited':
      return endAgent(t, event);
    case 'approvalUpdated':
      // One that was settled meanwhile stays settled.
      return { ...t, approvals: t.approvals.map((other) => (isSame(other, event) ? event.approval : other)) };
    case 'approvalSettled':
      return settleApproval(t, event);
    case 'modeRequested':
      return { ...t, pendingMode: event.modeId };
    case 'modeSettled': {
      const { pendingMode, ...rest } = t;
      return pendingMode === event.modeId ? rest : t;
    }
    case 'toolOutside':
      return markTool(t, event.toolCallId, { outside: event.path }, event.turn);
  }
}

function reduceAgent(t: Transcript, event: Exclude<SessionEvent, HostEvent>): Transcript {
  switch (event.type) {
    case 'messageChunk':
      return addChunk(t, event);
    case 'toolChanged':
      return changeTool(t, event.patch, event.at);
    case 'planChanged':
      return changePlan(t, event.entries, event.at);
    case 'commandsChanged':
      return { ...t, commands: event.commands };
    case 'modesChanged':
      return { ...t, modes: event.modes };
    case 'modeChanged':
      return withMode(t, event.modeId);
    case 'optionsChanged':
      return withOptions(t, event.options);
    case 'usageChanged':
      // Agents send parts: what an update does not name stays.
      return { ...t, usage: { ...t.usage, ...present(event.usage) } };
    case 'titleChanged':
      return { ...t, title: event.title };
    case 'noticeShown':
      return showNotice(t, event.at, event.notice);
    case 'approvalRequested':
      return addApproval(t, event);
    case 'fileRead':
      return t;
    case 'fileWritten':
      return event.outcome === 'done' ? markWrite(countWrite(t), event, event.provenance) : t;
    case 'terminalStarted': {
      const { command, cwd } = event;
      return changeTerminal(t, event.terminalId, event.at, present({ command, cwd }));
    }
    case 'terminalOutput': {
      const { lines, truncated } = event;
      return changeTerminal(t, event.terminalId, event.at, {
        tail: event.tail.slice(-limits.terminalTail),
        lines,
        truncated,
      });
    }
    case 'terminalExited': {
      const { code, signal } = event;
      return changeTerminal(t, event.terminalId, event.at, { exit: { code, signal }, endedAt: event.at });
    }
    case 'agentTerminal':
      return changeAgentTerminal(t, event);
  }
}

/** A session begins, or goes on with another process: calls that a replay left open have no result any more. */
function startSession(t: Transcript, { at, sessionId, modes, options }: Of<'sessionStarted'>): Transcript {
  const { pendingMode: _pending, seenInMode: _seen, ...rest } = settleOpenCalls(t, at, 'interrupted');
  return inStep({ ...rest, sessionId, modes, options });
}

function enqueue(t: Transcript, { promptId, text, first }: Of<'promptQueued'>): Transcript {
  const others = t.queue.filter((prompt) => prompt.promptId !== promptId);
  return others.length >= limits.queue
    ? t
    : { ...t, queue: first === true ? [{ promptId, text }, ...others] : [...others, { promptId, text }] };
}

function addApproval(t: Transcript, { approval }: Of<'approvalRequested'>): Transcript {
  const others = t.approvals.filter((other) => other.approvalId !== approval.approvalId);
  if (others.length >= limits.pendingApprovals) {
    return t;
  }
  const seen = noteSeen(t, { asked: 1 });
  return markTool({ ...seen, approvals: [...others, approval] }, approval.toolCallId, { asked: true });
}

function isSame(approval: Approval, event: Of<'approvalUpdated'>): boolean {
  return approval.approvalId === event.approval.approvalId;
}

function settleApproval(t: Transcript, event: Of<'approvalSettled'>): Transcript {
  const settled = t.approvals.find((approval) => approval.approvalId === event.approvalId);
  if (settled === undefined) {
    return t;
  }
  const approvals = t.approvals.filter((approval) => approval !== settled);
  const provenance = provenanceOf(event);
  const without: Transcript = { ...t, approvals };
  if (provenance === undefined) {
    return without;
  }
  const { diff } = settled;
  const allowed = event.outcome === 'allowed' && diff !== undefined ? { allowed: diff } : {};
  return settled.toolCallId === undefined && isWrite(settled)
    ? addWrite(without, settled, event, { provenance, ...allowed })
    : markTool(without, settled.toolCallId, { provenance, ...allowed });
}

function isWrite({ origin, verb }: Approval): boolean {
  return origin === 'host' && (verb === 'edit' || verb === 'create');
}

/** A write that the agent announced by no call still gets a card: what was asked and answered must stay readable. */
function addWrite(
  t: Transcript,
  { approvalId, paths }: Approval,
  { at, outcome }: Of<'approvalSettled'>,
  mark: Pick<ToolEntry, 'provenance' | 'allowed'>,
): Transcript {
  return append(t, at, {
    kind: 'tool',
    toolCallId: `host:${approvalId}`,
    title: paths.join(', '),
    toolKind: 'edit',
    status: outcome === 'allowed' ? 'completed' : 'cancelled',
    content: [],
    locations: paths.map((path) => ({ path })),
    startedAt: at,
    endedAt: at,
    asked: true,
    ...mark,
  });
}

function provenanceOf({ by, outcome, provenance }: Of<'approvalSettled'>): Provenance | undefined {
  return provenance ?? (by === 'person' && outcome !== 'cancelled' ? { by, outcome } : undefined);
}
