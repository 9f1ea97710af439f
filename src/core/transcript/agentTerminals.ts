/**
 * Commands that an agent runs itself and tells by extension fields of its tool calls (`_meta`): Claude's adapters where
 * the client says `terminal_output`, Codex and pi always, the last two with the output nowhere else. The older Codex
 * adapter (0.16.0, measured) tells only late pieces so, and all of it with the result, in `rawOutput`. They are kept
 * apart from the terminals of the host: nothing that an agent says here changes one of those.
 */
import { cut, limits } from '../text/limits.js';
import type { SessionEvent } from './events.js';
import { fieldsOf, identifierOf, pathOf, present } from './fields.js';
import type { TerminalView, ToolEntry, Transcript } from './model.js';
import { AGENTS_OWN, changeTerminal } from './terminals.js';

type AgentTerminal = Extract<SessionEvent, { type: 'agentTerminal' }>;

/** The fact in the `_meta` or the result of a tool call, or undefined where there is none. */
export function agentTerminalOf(update: Readonly<Record<string, unknown>>, at: number): AgentTerminal | undefined {
  const meta = fieldsOf(update['_meta']);
  const info = fieldsOf(meta?.['terminal_info']);
  const output = fieldsOf(meta?.['terminal_output']) ?? fieldsOf(meta?.['terminal_output_delta']);
  const result = resultOf(update);
  const exit = fieldsOf(meta?.['terminal_exit']) ?? result;
  const named = info?.['terminal_id'] ?? output?.['terminal_id'] ?? exit?.['terminal_id'] ?? update['toolCallId'];
  const terminalId = identifierOf(named);
  if ((info ?? output ?? exit) === undefined || terminalId === undefined) {
    return undefined;
  }
  const whole = result?.['aggregated_output'];
  const data = whole ?? output?.['data'];
  return present({
    type: 'agentTerminal' as const,
    at,
    terminalId,
    cwd: pathOf(info?.['cwd']),
    // What is cut off here could not be shown: the tail is all that is kept. One more tells that there was more.
    data: typeof data === 'string' ? data.slice(-limits.terminalTail - 1) : undefined,
    lines: typeof data === 'string' ? countLines(data) : undefined,
    whole: whole === undefined ? undefined : (true as const),
    exit: exit === undefined ? undefined : { code: codeOf(exit['exit_code']), signal: signalOf(exit['signal']) },
  });
}

/** The result of a command that holds all its output; pieces that were told before may lack some. */
function resultOf(update: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const result = fieldsOf(update['rawOutput']);
  return typeof result?.['aggregated_output'] === 'string' && typeof result['exit_code'] === 'number'
    ? result
    : undefined;
}

/** Folds it. `data` continues the output; one that is all of it, or repeats all and adds to it, replaces it. */
export function changeAgentTerminal(t: Transcript, event: AgentTerminal): Transcript {
  const terminalId = AGENTS_OWN + event.terminalId;
  const known = t.terminals.find((terminal) => terminal.terminalId === terminalId);
  if (known?.exit !== undefined && event.data === undefined) {
    return t;
  }
  const { cwd, exit } = event;
  const change: Partial<TerminalView> = present({
    cwd: known?.cwd ?? cwd,
    ...outputAfter(known, event),
    exit: known?.exit ?? exit,
    endedAt: known?.endedAt ?? (exit === undefined ? undefined : event.at),
  });
  return changeTerminal(t, terminalId, event.at, change);
}

function outputAfter(
  known: TerminalView | undefined,
  { data, lines = 0, whole }: AgentTerminal,
): Partial<TerminalView> {
  if (data === undefined) {
    return {};
  }
  const before = known?.tail ?? '';
  const replaces = whole === true || (before.includes('\n') && data.length > before.length && data.startsWith(before));
  const text = replaces ? data : before + data;
  return {
    tail: text.slice(-limits.terminalTail),
    lines: replaces ? lines : (known?.lines ?? 0) + lines,
    truncated: (!replaces && (known?.truncated ?? false)) || text.length > limits.terminalTail,
  };
}

/** The terminal that a call shows: the newest it names, the host's before the agent's of the same name. */
export function terminalOf(
  { content, toolCallId, toolKind }: ToolEntry,
  terminals: readonly TerminalView[],
): TerminalView | undefined {
  const named = content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : [])).at(-1);
  // Codex names a terminal only in what it sends later.
  const id = named ?? (toolKind === 'execute' ? toolCallId : undefined);
  if (id === undefined) {
    return undefined;
  }
  const own = named === undefined ? undefined : terminals.find(({ terminalId }) => terminalId === id);
  return own ?? terminals.find(({ terminalId }) => terminalId === AGENTS_OWN + id);
}

function countLines(data: string): number {
  let lines = 0;
  for (let at = data.indexOf('\n'); at >= 0; at = data.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}

function codeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function signalOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cut(value, limits.word) : null;
}
