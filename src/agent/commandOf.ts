/** The command that an execute call would run, from what the agent says of it. */
import { cut, limits } from '../core/text/limits.js';
import { inlineText, type ToolEntry } from '../core/transcript/model.js';
import { isRecord } from './wire/framing.js';

export type ClaimedCommand = { readonly line: string; readonly cwd?: string };

/**
 * The command line as one string, argv joined so that its boundaries show. `rawInput.command` is what agents agree on;
 * an execute call without it often has the command as its title, in backticks. A single bare word is the name of the
 * tool ("Bash"): shown as a command it would hide what really runs.
 */
export function readCommand(
  entry: ToolEntry,
  bodyText: (bodyId: string) => string | undefined,
): ClaimedCommand | undefined {
  const { value: input } = readInput(entry, bodyText);
  const command = isRecord(input) ? (input['command'] ?? input['cmd']) : undefined;
  const cwd = isRecord(input) && typeof input['cwd'] === 'string' ? { cwd: cut(input['cwd'], limits.path) } : {};
  if (typeof command === 'string' && command.length > 0) {
    return { line: cut(command, limits.command), ...cwd };
  }
  if (Array.isArray(command) && command.length > 0) {
    return { line: cut(showArguments(command.map(String)), limits.command), ...cwd };
  }
  if (entry.toolKind === 'execute' && /^`[^`]+`$|\s/.test(entry.title.trim())) {
    return { line: cut(entry.title.replace(/^`([^`]*)`$/, '$1'), limits.command), ...cwd };
  }
  return undefined;
}

/** A call's input as its text and, where that is JSON in full, as a value. */
export function readInput(
  { rawInput }: ToolEntry,
  bodyText: (bodyId: string) => string | undefined,
): { readonly text: string | undefined; readonly value: unknown } {
  const text =
    rawInput === undefined || typeof rawInput === 'string'
      ? rawInput
      : (bodyText(rawInput.bodyId) ?? inlineText(rawInput));
  return { text, value: text === undefined ? undefined : parse(text) };
}

/** Arguments as one line in which each keeps its boundaries: those with blanks or quotes are quoted. */
export function showArguments(argv: readonly string[]): string {
  return argv.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(' ');
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
