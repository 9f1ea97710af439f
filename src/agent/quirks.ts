/**
 * What only one agent needs. Everything else about agents is general, and no other file knows an agent's name. An agent
 * says itself who it is, so a quirk may make the host more patient and never less careful: it loosens no rule of the
 * jail and no question.
 */
import type { AgentInfo } from './handshake.js';

export type Quirk =
  /** A missing file inside the folder reads as an empty one. */
  | 'missingFileIsEmpty'
  /** `session/load` is offered and must not be called. */
  | 'loadIsBroken'
  /** A change of mode is told as a message: `[MODE_UPDATE] plan`. */
  | 'modeNewsIsText';

type Row = {
  /** `agentInfo.name` of the answer to `initialize`. */
  readonly agent: string;
  /** Versions from `from` up to, and not including, `before`. */
  readonly from: string;
  readonly before: string;
  readonly quirk: Quirk;
};

const quirkTable: readonly Row[] = [
  {
    // Gemini CLI 0.61.0 looks at a file before it creates it, and takes the error for a missing one as a failure of
    // the check: with reads served it creates no file and asks nothing. An empty answer lets it go on (measured).
    agent: 'gemini-cli',
    from: '0.1.0',
    before: '1.0.0',
    quirk: 'missingFileIsEmpty',
  },
  {
    // Gemini CLI 0.61.0 answers every session/load with "No previous sessions found", after it has emptied the
    // stored conversation that was to be loaded (measured).
    agent: 'gemini-cli',
    from: '0.1.0',
    before: '1.0.0',
    quirk: 'loadIsBroken',
  },
  {
    // Gemini CLI 0.61.0 answers session/set_mode with {} after an agent_message_chunk with the text "[MODE_UPDATE]
    // autoEdit", outside any turn, and sends no current_mode_update (measured).
    agent: 'gemini-cli',
    from: '0.1.0',
    before: '1.0.0',
    quirk: 'modeNewsIsText',
  },
];

/** The quirks of the agent that calls itself so; none for an agent without a name or a readable version. */
export function quirksOf(info: AgentInfo | null): ReadonlySet<Quirk> {
  const rows = quirkTable.filter(
    ({ agent, from, before }) =>
      info?.name === agent && compare(info.version, from) >= 0 && compare(info.version, before) < 0,
  );
  return new Set(rows.map(({ quirk }) => quirk));
}

/** The order of two versions by their three numbers, what follows them left aside; NaN where one has none. */
function compare(a: string | undefined, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  if (left === undefined || right === undefined) {
    return Number.NaN;
  }
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function numbers(version: string | undefined): readonly number[] | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  return found === null ? undefined : found.slice(1).map(Number);
}
