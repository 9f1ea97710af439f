/** Decides what to answer to a request. A pure function of the conversation: the same request gets the same answer. */
import { callId, dueStep, HELLO } from './directives.js';
import { sample } from './sample.js';
import { callsFor } from './tools.js';
import type { Item, ModelRequest, Reply, Step } from './types.js';

/** The steps of a conversation without a directive, or what finds them in a text of the user. */
export type Script = readonly Step[] | ((prompt: string) => readonly Step[] | undefined);

/**
 * The reply to a turn's next request; to a helper's question (no tools, or JSON wanted) a short fixed one. `script`
 * holds the steps of a conversation without a directive.
 */
export function replyTo(request: ModelRequest, script: Script = [{ text: HELLO }]): Reply {
  const { items, tools, json } = request;
  const { step, steps = stepsOf(script, items) } = dueStep(items);
  const users = items.filter((item) => 'user' in item);
  const seed = hash(`${items.length}/${step}/${users.length}/${lastUserText(users).slice(-40)}`);
  const plain = { step, seed, calls: [], auxiliary: true };
  if (json !== undefined) {
    return { ...plain, text: JSON.stringify(sample(json === true ? { type: 'object' } : json)) };
  }
  if (tools.length === 0) {
    return { ...plain, text: 'Mock title' };
  }
  const { text = '', parallel, ...rest } = steps[step] ?? { text: 'Done.' };
  const deeds = parallel ?? [rest];
  const calls = deeds.flatMap((deed) => callsFor(deed, step, tools));
  const wanted = deeds.flatMap((deed) => deed.do ?? deed.toolLike ?? []);
  const missing =
    calls.length < wanted.length
      ? ` (mock: no tool for ${wanted.join(', ')} among ${tools.map(({ name }) => name).join(', ')})`
      : '';
  return {
    ...rest,
    step,
    seed,
    auxiliary: false,
    text: text + missing,
    calls: calls.map((call, index) => ({ ...call, id: callId(step, index, seed) })),
  };
}

function stepsOf(script: Script, items: readonly Item[]): readonly Step[] {
  if (typeof script !== 'function') {
    return script;
  }
  const found = items.map((item) => ('user' in item ? script(item.user) : undefined)).findLast(Boolean);
  return found ?? [{ text: HELLO }];
}

/** The last text of the user, for a log. */
export function lastUserText(items: readonly Item[]): string {
  const last = items.findLast((item) => 'user' in item);
  return last !== undefined && 'user' in last ? last.user : '';
}

/** Splits into pieces of `size` characters (20), never inside one. */
export function pieces(text: string | undefined, size = 20): readonly string[] {
  const characters = Array.from(text ?? '');
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''));
}

/** FNV-1a, in a few letters and digits. */
function hash(text: string): string {
  let value = 2_166_136_261;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  return (value >>> 0).toString(36).padStart(7, '0');
}
