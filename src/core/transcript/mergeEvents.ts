import type { SessionEvent } from './events.js';

type Chunk = Extract<SessionEvent, { type: 'messageChunk' }>;

/**
 * Joins runs of text chunks of one message, and keeps only the last output of each terminal where nothing lies between.
 * The first chunk of a run stays alone, and so does the first that is not blank: each may make the entry, and its time
 * is the entry's time. Folding the result gives the same transcript as folding `events`.
 */
export function mergeEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  if (events.length < 2) {
    return events;
  }
  const out: SessionEvent[] = [];
  let first: Chunk | undefined;
  let parts: string[] = [];
  let at = 0;
  let hasBegun = false;
  const flush = (): void => {
    if (first !== undefined && parts.length > 0) {
      out.push({ ...first, at, content: { type: 'text', text: parts.join('') } });
    }
    first = undefined;
    parts = [];
  };
  for (const event of events) {
    const text = textOf(event);
    if (event.type === 'messageChunk' && text !== undefined) {
      const isBlank = text.trim() === '';
      const isSameRun = first !== undefined && first.role === event.role && first.messageId === event.messageId;
      if (isSameRun && (hasBegun || isBlank)) {
        parts.push(text);
        at = event.at;
        continue;
      }
      flush();
      out.push(event);
      first = event;
      hasBegun = !isBlank;
      continue;
    }
    flush();
    const last = out.at(-1);
    if (event.type === 'terminalOutput' && last?.type === 'terminalOutput' && last.terminalId === event.terminalId) {
      out[out.length - 1] = event;
    } else {
      out.push(event);
    }
  }
  flush();
  return out;
}

function textOf(event: SessionEvent): string | undefined {
  // The parts of a replayed prompt are seldom, and where each begins matters.
  return event.type === 'messageChunk' &&
    event.role !== 'user' &&
    event.content.type === 'text' &&
    typeof event.content.text === 'string'
    ? event.content.text
    : undefined;
}
