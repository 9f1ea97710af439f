import type { Entry, Transcript } from '../../core/transcript/model.js';
import type { AgentState } from '../../core/messages.js';
import { limits } from '../../core/text/limits.js';
import { clock, duration, money, plural, shortCount } from '../format.js';
import { doingWords } from '../tools/words.js';

/** What happens now. `since`: the start of the seconds that count up beside it. */
export type StateWords = {
  readonly icon: { readonly name: string; readonly class?: string } | null;
  readonly text: string;
  readonly since?: number;
};

const nothing: StateWords = { icon: null, text: '' };
const spinner = { name: 'loading', class: 'spin' };
/** After this long without an end, a second Stop ends the turn here, ms. */
const stopAgainAfter = 5_000;

/** The left half of the state line. */
export function stateWords(
  t: Transcript,
  agent: string,
  agentState: AgentState | undefined,
  folder: string | undefined,
  now: number,
): StateWords {
  if (t.approvals.length > 0) {
    return {
      icon: { name: 'shield', class: 'warn' },
      text: `Waiting for you · ${plural(t.approvals.length, 'request')}`,
    };
  }
  switch (t.turn.state) {
    case 'cancelling':
      // In a narrow side bar the instruction needs the room of the icon.
      return now - (t.turn.cancelledAt ?? now) < stopAgainAfter
        ? { icon: spinner, text: 'Stopping…' }
        : { icon: null, text: 'Stopping… Press Stop again to end it here' };
    case 'running':
      return starting(agent, agentState) ?? running(t, folder, now);
    case 'failed':
      return { icon: { name: 'error', class: 'err' }, text: lastFailure(t) };
    case 'idle':
      return starting(agent, agentState) ?? ended(t);
  }
}

/** The right half: tokens and cost, or how long the person has been asked for. */
export function stateNumbers(t: Transcript, now: number): string {
  if (t.approvals.length > 0) {
    return t.turn.startedAt === undefined ? '' : clock(now - t.turn.startedAt);
  }
  const { used, cost } = t.usage ?? {};
  return [used === undefined ? '' : `${shortCount(used)} tokens`, cost === undefined ? '' : money(cost)]
    .filter((part) => part !== '')
    .join(' · ');
}

function starting(agent: string, state: AgentState | undefined): StateWords | null {
  if (state?.state !== 'starting') {
    return null;
  }
  return {
    icon: spinner,
    text: state.phase === 'process' ? `Starting ${agent}` : 'Opening the session',
    since: state.since,
  };
}

function running(t: Transcript, folder: string | undefined, now: number): StateWords {
  const quiet = now - (t.turn.lastUpdateAt ?? t.turn.startedAt ?? now);
  if (quiet >= limits.idleNotice) {
    return {
      icon: { name: 'clockface', class: 'warn' },
      text: `Still working, no update for ${Math.floor(quiet / 60_000)} min`,
    };
  }
  const last = lastEntry(t);
  if (last?.kind === 'assistant' && last.open) {
    return { icon: spinner, text: 'Writing', ...since(t.turn.startedAt) };
  }
  if (last?.kind === 'thought' && last.open) {
    return { icon: spinner, text: 'Thinking', since: last.at };
  }
  const tool = openTool(t);
  if (tool !== undefined) {
    return { icon: spinner, text: doingWords(tool, folder), ...(tool.toolKind === 'execute' && since(tool.startedAt)) };
  }
  return { icon: spinner, text: 'Working', ...since(t.turn.startedAt) };
}

function since(at: number | undefined): { readonly since?: number } {
  return at === undefined ? {} : { since: at };
}

function ended(t: Transcript): StateWords {
  const { startedAt, endedAt, cancelledAt, stopReason, tools } = t.turn;
  if (startedAt === undefined || endedAt === undefined) {
    return nothing;
  }
  if (stopReason === 'cancelled') {
    // Some agents call a turn cancelled because a request of theirs was denied, and a restart ends one as well.
    const text = cancelledAt === undefined ? 'This turn was stopped' : 'You stopped this turn';
    return { icon: { name: 'circle-slash' }, text };
  }
  const used = tools === 0 ? '' : ` · ${plural(tools, 'tool')}`;
  return { icon: { name: 'check' }, text: `Done · ${duration(endedAt - startedAt)}${used}` };
}

function lastFailure(t: Transcript): string {
  const found = lastWhere(t, (entry) => entry.kind === 'notice' && entry.notice.severity !== 'info');
  return found?.kind === 'notice' ? found.notice.what : 'The turn failed';
}

function lastEntry(t: Transcript): Entry | undefined {
  return t.pages.at(-1)?.at(-1);
}

function openTool(t: Transcript): Extract<Entry, { kind: 'tool' }> | undefined {
  const found = lastWhere(
    t,
    (entry) => entry.kind === 'tool' && entry.status === 'in_progress' && entry.turn === t.turn.number,
  );
  return found?.kind === 'tool' ? found : undefined;
}

/** Looks through the newest two pages only: this is asked for in every frame. */
function lastWhere(t: Transcript, matches: (entry: Entry) => boolean): Entry | undefined {
  for (const page of t.pages.slice(-2).reverse()) {
    const found = page.findLast(matches);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
