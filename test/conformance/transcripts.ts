/** Short names for what the tests look at in a transcript. */
import assert from 'node:assert/strict';
import type { JsonObject } from '../support/fakeAgentScript.js';
import type { PrintedEntry } from '../support/headless.js';
import type { Result } from './scenario.js';

export const cards = (run: Result): PrintedEntry[] => run.entries.filter(({ kind }) => kind === 'tool');
export const card = (run: Result, id: string): PrintedEntry => {
  const found = cards(run).filter(({ toolCallId }) => toolCallId === id);
  assert.equal(found.length, 1, `${String(found.length)} cards for ${id}`);
  return found[0] as PrintedEntry;
};
export const statuses = (run: Result, id: string): unknown[] =>
  run
    .events('toolChanged')
    .filter(({ toolCallId }) => toolCallId === id)
    .map(({ status }) => status);
export const said = (run: Result): unknown[] =>
  run.entries.filter(({ kind }) => kind === 'assistant').map(({ text }) => text);
export const notices = (run: Result): string[] =>
  run.entries.flatMap(({ kind, text }) => (kind === 'notice' ? [text ?? ''] : []));
export const methods = (run: Result): unknown[] =>
  run.sent.flatMap(({ method }) => (method === undefined ? [] : [method]));
export const allowing = ['--answers', 'allow_once'];

/** A piece of a message with nothing to read in it. */
export function blank(sessionUpdate: string, text = '\n'): JsonObject {
  return { sessionUpdate, content: { type: 'text', text } };
}
