/** The life of a turn: it begins with a prompt and ends once, and whatever was open in it is settled then. */
import type { SessionEvent } from './events.js';
import type { Notice, Transcript, TurnState } from './model.js';
import { append, closeLast } from './pages.js';
import { archivePlan, pausePlan } from './plan.js';
import { endTerminals, isAgentsOwn } from './terminals.js';
import { noteSeen } from './modes.js';
import { countCompletedEdits, countUnaskedCommands, settleOpenCalls } from './tools.js';

/** A turn with the number of files that were written through the host in it. */
type CountedTurn = TurnState & { readonly writes?: number };
type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

/** Begins a turn: everything before it is closed, and the person's words stand in the conversation. */
export function beginTurn(t: Transcript, { at, text, attachments, promptId }: Of<'promptSent'>): Transcript {
  const closed = archivePlan(settleOpenCalls(closeLast(t, at), at, 'interrupted'), at);
  const queue = promptId === undefined ? t.queue : t.queue.filter((prompt) => prompt.promptId !== promptId);
  const turn: TurnState = { state: 'running', number: t.turn.number + 1, tools: 0, startedAt: at };
  return append({ ...closed, queue, turn }, at, { kind: 'user', text, attachments });
}

/** Marks the turn as being cancelled. Its open calls wait for the end, since updates may still come. */
export function cancelTurn(t: Transcript, at: number): Transcript {
  return t.turn.state === 'running' ? { ...t, turn: { ...t.turn, state: 'cancelling', cancelledAt: at } } : t;
}

/** Ends the turn with the agent's reason. A second end, or one without a turn, changes nothing. */
export function endTurn(t: Transcript, { at, stopReason }: Of<'turnEnded'>): Transcript {
  if (!isActive(t.turn)) {
    return t;
  }
  const cancelled = stopReason === 'cancelled' || t.turn.state === 'cancelling';
  const settled = settle(t, at, cancelled);
  return { ...settled, turn: { ...settled.turn, state: 'idle', stopReason } };
}

/** Ends the turn with a failure, which is said in the conversation. */
export function failTurn(t: Transcript, { at, notice }: Of<'turnFailed'>): Transcript {
  const settled = append(settle(t, at, t.turn.state === 'cancelling'), at, { kind: 'notice', notice });
  return { ...settled, turn: { ...settled.turn, state: 'failed' } };
}

/** The process is gone: nothing that waited for it can be answered. Queued prompts are the person's and stay. */
export function endAgent(t: Transcript, { at, notice }: Of<'agentExited'>): Transcript {
  const state = t.turn.state === 'running' ? 'failed' : t.turn.state === 'cancelling' ? 'idle' : t.turn.state;
  const settled = endTerminals(settle(t, at, t.turn.state === 'cancelling'), at);
  const ended: Transcript = { ...settled, approvals: [], turn: { ...settled.turn, state } };
  return notice === undefined ? ended : showNotice(ended, at, notice);
}

/** Says something in the flow of the conversation. */
export function showNotice(t: Transcript, at: number, notice: Notice): Transcript {
  return append(t, at, { kind: 'notice', notice });
}

/** Counts a file that was written through the host. */
export function countWrite(t: Transcript): Transcript {
  const turn: CountedTurn = { ...t.turn, writes: ((t.turn as CountedTurn).writes ?? 0) + 1 };
  return { ...t, turn, edits: { ...t.edits, brokered: t.edits.brokered + 1 } };
}

/** Notes that the agent gave a sign of life in a running turn. */
export function touch(t: Transcript, at: number): Transcript {
  return isActive(t.turn) ? { ...t, turn: { ...t.turn, lastUpdateAt: at } } : t;
}

function isActive(turn: TurnState): boolean {
  return turn.state === 'running' || turn.state === 'cancelling';
}

function settle(t: Transcript, at: number, cancelled: boolean): Transcript {
  const calls = settleOpenCalls(closeLast(t, at), at, cancelled ? 'cancelled' : 'interrupted');
  const settled = pausePlan(endTerminals(calls, at, isAgentsOwn), at);
  if (!isActive(t.turn)) {
    return settled;
  }
  // An approximation: nothing on the wire says which call a write belongs to.
  const writes = (t.turn as CountedTurn).writes ?? 0;
  const direct = settled.edits.direct + Math.max(0, countCompletedEdits(settled) - writes);
  const seen = noteSeen(settled, { unasked: countUnaskedCommands(settled) });
  return { ...seen, edits: { ...settled.edits, direct }, turn: { ...settled.turn, endedAt: at } };
}
