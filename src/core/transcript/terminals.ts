/** Terminals that tool calls refer to. */
import { limits } from '../text/limits.js';
import type { TerminalView, Transcript } from './model.js';

/** Stands before the ids of terminals that an agent tells of: they never meet those of the host. */
export const AGENTS_OWN = 'agent:';

/** Whether the agent runs it and tells of it, instead of the host. */
export function isAgentsOwn({ terminalId }: Pick<TerminalView, 'terminalId'>): boolean {
  return terminalId.startsWith(AGENTS_OWN);
}

/** Changes the terminal with this id, or adds it. Of too many of its owner, the oldest that has ended goes first. */
export function changeTerminal(
  t: Transcript,
  terminalId: string,
  at: number,
  change: Partial<TerminalView>,
): Transcript {
  if (t.terminals.some((terminal) => terminal.terminalId === terminalId)) {
    const terminals = t.terminals.map((terminal) =>
      terminal.terminalId === terminalId ? { ...terminal, ...change } : terminal,
    );
    return { ...t, terminals };
  }
  const added: TerminalView = {
    terminalId,
    command: '',
    tail: '',
    lines: 0,
    truncated: false,
    startedAt: at,
    ...change,
  };
  return { ...t, terminals: [...withRoom(t.terminals, isAgentsOwn(added)), added] };
}

function withRoom(terminals: readonly TerminalView[], agents: boolean): readonly TerminalView[] {
  const same = terminals.filter((terminal) => isAgentsOwn(terminal) === agents);
  if (same.length < limits.terminals) {
    return terminals;
  }
  const leaving = same.find(({ exit }) => exit !== undefined) ?? same[0];
  return terminals.filter((terminal) => terminal !== leaving);
}

/** The agent is gone, and its terminals with it; `which`: only these. */
export function endTerminals(
  t: Transcript,
  at: number,
  which: (terminal: TerminalView) => boolean = () => true,
): Transcript {
  const ends = (terminal: TerminalView): boolean => terminal.exit === undefined && which(terminal);
  if (!t.terminals.some(ends)) {
    return t;
  }
  const terminals = t.terminals.map((terminal) =>
    ends(terminal) ? { ...terminal, exit: { code: null, signal: null }, endedAt: at } : terminal,
  );
  return { ...t, terminals };
}
