/** What a chat reads back from the memory of a workspace, and the words it uses for it. */
import type { AgentSpec } from '../agent/agent.js';

/** The session that was shown last, and the number it was shown under. */
export type SavedChat = { readonly log: string; readonly chat: number };

/** Whether both start the same program in the same way. */
export function sameSpec(a: AgentSpec, b: AgentSpec): boolean {
  return JSON.stringify([a.command, a.args, a.env]) === JSON.stringify([b.command, b.args, b.env]);
}

/** An agent that is no longer configured: what it said can still be read, and a start says what is missing. */
export function absentAgent(name: string): AgentSpec {
  return { name, command: name, args: [], env: {} };
}

/** The chat that a window kept, read from what anybody may have put there. */
export function savedChat(value: unknown): SavedChat | undefined {
  const isSaved =
    typeof value === 'object' &&
    value !== null &&
    'log' in value &&
    'chat' in value &&
    typeof value.chat === 'number' &&
    typeof value.log === 'string' &&
    /^[\w-]+$/.test(value.log);
  return isSaved ? { log: value.log as string, chat: value.chat as number } : undefined;
}

/** A string, or undefined for anything else. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** "28 Nov, 16:40". */
export function dateWords(at: number): string {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return words.format(at);
}
