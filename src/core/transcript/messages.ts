/**
 * Messages, thoughts and replayed prompts. Text grows by plain concatenation: V8 keeps the sum as a rope, so that a
 * chunk costs the same however long the message is, and flattens it once when somebody reads it.
 */
import { cut, limits } from '../text/limits.js';
import type { SessionEvent } from './events.js';
import { present } from './fields.js';
import { inlineText } from './model.js';
import type { AssistantEntry, Attachment, Content, ThoughtEntry, Transcript, UserEntry } from './model.js';
import { append, lastOf, replaceAt } from './pages.js';
import { settleOpenCalls } from './tools.js';

type Chunk = Extract<SessionEvent, { type: 'messageChunk' }>;

/** Adds a chunk to the message that it continues, or begins a new one. */
export function addChunk(t: Transcript, chunk: Chunk): Transcript {
  return chunk.role === 'user' ? addUserChunk(t, chunk) : addAgentChunk(t, chunk, chunk.role);
}

function addAgentChunk(t: Transcript, chunk: Chunk, role: 'assistant' | 'thought'): Transcript {
  const last = lastOf(t);
  if (last?.entry.kind === role && continues(last.entry, chunk.messageId)) {
    return replaceAt(t, last.place, extend(last.entry, chunk));
  }
  if (isBlank(chunk.content)) {
    // Some agents say a line break before anything else, or between thoughts. It opens no bubble and ends no thought:
    // it belongs to what comes next.
    return { ...t, blank: { ...t.blank, [role]: cut(blankOf(t, role) + inlineOf(chunk.content), limits.word) } };
  }
  const base = {
    text: blankOf(t, role),
    open: true,
    ...(chunk.messageId !== undefined && { messageId: chunk.messageId }),
  };
  const begun = append(
    { ...t, blank: { ...t.blank, [role]: '' } },
    chunk.at,
    role === 'thought' ? { kind: role, ...base } : { kind: role, ...base, extras: [] },
  );
  const added = lastOf(begun);
  return added?.entry.kind === role ? replaceAt(begun, added.place, extend(added.entry, chunk)) : begun;
}

function blankOf(t: Transcript, role: 'assistant' | 'thought'): string {
  return t.blank?.[role] ?? '';
}

/**
 * A changed id is a new message, and so is what has none after what has one: Codex puts its own warnings between the
 * model's messages. Without ids neighbours belong together as long as nothing came between them.
 */
function continues(entry: AssistantEntry | ThoughtEntry, messageId: string | undefined): boolean {
  return entry.messageId === messageId && (messageId !== undefined || entry.open);
}

function extend(known: AssistantEntry | ThoughtEntry, { content }: Chunk): AssistantEntry | ThoughtEntry {
  if (content.type === 'text') {
    return { ...known, text: known.text + inlineText(content.text) };
  }
  return known.kind === 'thought'
    ? { ...known, text: `${known.text}[${labelOf(content)}]` }
    : { ...known, extras: [...known.extras, { offset: known.text.length, content }] };
}

function isBlank(content: Content): boolean {
  return content.type === 'text' && inlineText(content.text).trim() === '';
}

function inlineOf(content: Content): string {
  return content.type === 'text' ? inlineText(content.text) : '';
}

function labelOf(content: Exclude<Content, { type: 'text' }>): string {
  switch (content.type) {
    case 'image':
      return 'image content';
    case 'link':
      return content.name;
    case 'resource':
      return content.uri;
    case 'placeholder':
      return content.label;
  }
}

/**
 * While a turn runs, what the agent says in the person's name is an echo of the prompt, whole, in parts or expanded:
 * the person's own words stand there already. Outside a turn it is the replay of an older conversation.
 */
function addUserChunk(t: Transcript, chunk: Chunk): Transcript {
  if (t.turn.state === 'running' || t.turn.state === 'cancelling' || isBlank(chunk.content)) {
    return t;
  }
  const last = lastOf(t);
  // A turn that was really run has a start; a replayed one has none.
  const sameMessage =
    last?.entry.kind === 'user' &&
    (last.entry.messageId === undefined || chunk.messageId === undefined || last.entry.messageId === chunk.messageId);
  if (
    last?.entry.kind === 'user' &&
    sameMessage &&
    last.entry.turn === t.turn.number &&
    t.turn.startedAt === undefined
  ) {
    return replaceAt(t, last.place, extendUser(last.entry, chunk.content));
  }
  // Each replayed prompt begins a turn, so that ids of tool calls which an agent uses again stay apart.
  const settled = settleOpenCalls(t, chunk.at, 'interrupted');
  const turned: Transcript = { ...settled, turn: { state: 'idle', number: t.turn.number + 1, tools: 0 } };
  const { messageId } = chunk;
  const begun = append(turned, chunk.at, { kind: 'user', text: '', attachments: [], ...present({ messageId }) });
  const added = lastOf(begun);
  return added?.entry.kind === 'user' ? replaceAt(begun, added.place, extendUser(added.entry, chunk.content)) : begun;
}

function extendUser(entry: UserEntry, content: Content): UserEntry {
  if (content.type === 'text') {
    const added = inlineText(content.text);
    // What an agent wraps into the prompt comes as a part of its own: it begins on a line of its own.
    const gap = /^<[a-z][\w-]*>/i.test(added) && /[^\n]$/.test(entry.text) ? '\n' : '';
    return { ...entry, text: entry.text + gap + added };
  }
  const uri = content.type === 'link' || content.type === 'resource' ? content.uri : '';
  const attachment: Attachment = { name: labelOf(content), uri };
  return { ...entry, attachments: [...entry.attachments, attachment] };
}
