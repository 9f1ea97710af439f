/** Tool calls: one card for each call of a turn, upserted by id, with a status that never goes back. */
import { limits } from '../text/limits.js';
import type { ToolPatch } from './events.js';
import { present } from './fields.js';
import type { DiffView, Provenance, ToolEntry, ToolStatus, Transcript } from './model.js';
import { append, currentTurn, replaceAt } from './pages.js';
import type { Place } from './pages.js';
import { isAgentsOwn } from './terminals.js';

type Found = { readonly entry: ToolEntry; readonly place: Place };

/** Applies a change to the card that owns it, or makes a card where the change says enough to show one. */
export function changeTool(t: Transcript, patch: ToolPatch, at: number): Transcript {
  const found = findTool(t, patch.toolCallId);
  if (found !== undefined && !(found.entry.turn !== t.turn.number && isAnnouncement(patch, found.entry))) {
    return replaceAt(t, found.place, { ...merge(found.entry, patch, at), ...(ranHere(t, patch) && { asked: true }) });
  }
  if (saysNothing(patch) || t.turn.tools >= limits.toolCalls) {
    return t;
  }
  const status = patch.status ?? 'pending';
  const added = append(t, at, {
    kind: 'tool',
    title: patch.name ?? '',
    toolKind: 'other',
    content: [],
    locations: [],
    asked: ranHere(t, patch),
    ...present(patch),
    status,
    ...(status !== 'pending' && { startedAt: at }),
    ...(isFinal(status) && { endedAt: at }),
  });
  return { ...added, turn: { ...added.turn, tools: added.turn.tools + 1 } };
}

/** A command in a terminal of the host was the host's to ask about, whether or not the agent asked as well. */
function ranHere({ terminals }: Transcript, { content = [] }: ToolPatch): boolean {
  return content.some(
    (item) =>
      item.type === 'terminal' &&
      terminals.some((terminal) => terminal.terminalId === item.terminalId && !isAgentsOwn(terminal)),
  );
}

/** The newest card with this id, up to a turn: live calls stand at the end. */
function findTool(t: Transcript, toolCallId: string, turn = Infinity): Found | undefined {
  for (let page = t.pages.length - 1; page >= 0; page--) {
    const entries = t.pages[page] ?? [];
    for (let index = entries.length - 1; index >= 0; index--) {
      const entry = entries[index];
      if (entry?.kind === 'tool' && entry.toolCallId === toolCallId && entry.turn <= turn) {
        return { entry, place: { page, index } };
      }
    }
  }
  return undefined;
}

/**
 * Agents use ids again: with a title it is a new call of this turn, unless it brings the result that the older call
 * still lacks. Without a title it is late news of the older one.
 */
function isAnnouncement(patch: ToolPatch, older: ToolEntry): boolean {
  const bringsResult = patch.status !== undefined && isFinal(patch.status);
  return (
    patch.title !== undefined && !(bringsResult && (older.status === 'interrupted' || older.status === 'cancelled'))
  );
}

/** A bare status of a call that was never announced shows nothing, and must not be made into a failure. */
function saysNothing(patch: ToolPatch): boolean {
  const { toolCallId: _id, status: _status, ...said } = patch;
  return Object.values(present(said)).every((field) => Array.isArray(field) && field.length === 0);
}

function merge(entry: ToolEntry, patch: ToolPatch, at: number): ToolEntry {
  const status = advance(entry.status, patch.status);
  const changed = status !== entry.status;
  return {
    ...entry,
    ...present(patch),
    status,
    // `other` says nothing: to name a kind after it is no change of mind.
    ...(entry.toolKind !== 'other' && (patch.toolKind ?? entry.toolKind) !== entry.toolKind && { kindChanged: true }),
    ...(changed && entry.startedAt === undefined && { startedAt: at }),
    ...(changed && isFinal(status) && { endedAt: at }),
  };
}

/** The later of two states. A result that comes after the host settled the call is taken; new progress is not. */
function advance(from: ToolStatus, to: ToolStatus | undefined): ToolStatus {
  if (to === undefined || (isFinal(from) && !isFinal(to)) || (from === 'in_progress' && to === 'pending')) {
    return from;
  }
  return to;
}

function isFinal(status: ToolStatus): boolean {
  return status !== 'pending' && status !== 'in_progress';
}

/** Settles every call of the current turn that has no result. A call that was denied ended by that. */
export function settleOpenCalls(t: Transcript, at: number, status: 'cancelled' | 'interrupted'): Transcript {
  let settled = t;
  for (const { entry, place } of currentTurn(t)) {
    if (entry.kind === 'tool' && !isFinal(entry.status)) {
      settled = replaceAt(settled, place, { ...entry, status: isDenied(entry) ? 'cancelled' : status, endedAt: at });
    }
  }
  return settled;
}

function isDenied({ provenance }: ToolEntry): boolean {
  return provenance !== undefined && 'outcome' in provenance && provenance.outcome === 'denied';
}

/** Edits of the current turn that the agent reports as done. */
export function countCompletedEdits(t: Transcript): number {
  let count = 0;
  for (const { entry } of currentTurn(t)) {
    count += entry.kind === 'tool' && entry.toolKind === 'edit' && entry.status === 'completed' ? 1 : 0;
  }
  return count;
}

const changing: ReadonlySet<ToolEntry['toolKind']> = new Set(['edit', 'delete', 'move', 'execute']);

/** A change that was made without a question, although nothing on our side allowed it. */
export function didNotAsk(entry: ToolEntry): boolean {
  return entry.status === 'completed' && changing.has(entry.toolKind) && !entry.asked && entry.provenance === undefined;
}

/** Commands, deletions and moves of the current turn that were done without a request to anybody here. */
export function countUnaskedCommands(t: Transcript): number {
  let count = 0;
  for (const { entry } of currentTurn(t)) {
    count += entry.kind === 'tool' && entry.toolKind !== 'edit' && didNotAsk(entry) ? 1 : 0;
  }
  return count;
}

/** Notes something on a call's card; `turn`: not on one of a later turn, where the agent uses the id again. */
export function markTool(
  t: Transcript,
  toolCallId: string | undefined,
  mark:
    | { readonly asked: true }
    | { readonly outside: string }
    | { readonly provenance: Provenance; readonly allowed?: DiffView },
  turn?: number,
): Transcript {
  const found = toolCallId === undefined ? undefined : findTool(t, toolCallId, turn);
  return found === undefined ? t : replaceAt(t, found.place, { ...found.entry, ...mark });
}

/** Notes on the card of this turn that names the written file that the write came through the host. */
export function markWrite(t: Transcript, written: WrittenFile, provenance: Provenance | undefined): Transcript {
  for (const { entry, place } of currentTurn(t)) {
    if (entry.kind === 'tool' && entry.toolKind !== 'read' && names(entry, written)) {
      const known = entry.provenance ?? provenance;
      return replaceAt(t, place, { ...entry, asked: true, ...(known !== undefined && { provenance: known }) });
    }
  }
  return t;
}

type WrittenFile = { readonly path: string; readonly canonical?: string | null };

/** Whether a call names this file. Agents write it by its full path, and may name it as a URI or from the folder on. */
export function names({ content, locations }: ToolEntry, { path, canonical }: WrittenFile): boolean {
  return [...content, ...locations].some((item) => {
    const named = 'path' in item ? item.path.replace(/^file:\/\/|^\.\//i, '') : '';
    return named === path || named === canonical || (/^[^/:]+(\/|$)/.test(named) && path.endsWith(`/${named}`));
  });
}
