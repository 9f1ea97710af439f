/** What an agent's error response says, in a form for a person. */
import { HostError, messageOf } from '../core/errors.js';
import { redact } from '../core/text/redact.js';
import { cut, limits } from '../core/text/limits.js';
import type { Transcript } from '../core/transcript/model.js';
import { isRecord } from './wire/framing.js';
import { agentError, authRequired } from './wire/wireErrors.js';

/**
 * Reason, message and data of a failed prompt. The cause often stands only in `data` ("Internal error" with
 * `data.details`), so it is made part of the message; JSON in the place of a sentence is read for the sentence in it.
 * -32000 means "sign in" only where the words agree: agents also use it as a general error.
 */
export function describeError(error: unknown): {
  readonly reason: string;
  readonly message: string;
  readonly data?: string;
} {
  const answer = agentError(error);
  if (answer === undefined) {
    const reason = error instanceof HostError && error.reason === 'badParams' ? 'protocol' : 'connection';
    return { reason, message: redact(cut(messageOf(error), limits.errorData)) };
  }
  const sentence = sentenceIn(answer.message);
  const own = redact(cut(`${sentence ?? answer.message}${statusOf(answer.code)}`, limits.errorData));
  const detail = detailOf(answer.data);
  const message = detail === undefined || own.includes(detail) ? own : `${own}: ${detail}`;
  // Where the message was JSON, the whole of it is what Details shows.
  const data = dataText(answer.data ?? (sentence === undefined ? undefined : answer.message));
  return {
    reason:
      answer.code === authRequired && /auth|log ?in|sign ?in|credential/i.test(message)
        ? 'unauthenticated'
        : 'agentError',
    message: cut(message, limits.errorData),
    ...(data === undefined ? {} : { data }),
  };
}

/** Entries of the end of a conversation that are looked through. */
const lookedAt = 20;

/** Whether the agent has said this error as text in the running turn: then nobody needs to read it twice. */
export function saidAbove(transcript: Transcript, message: string): boolean {
  const core = message.replace(/^(Internal error|Invalid (request|params)): /, '').trim();
  return transcript.pages
    .slice(-2)
    .flat()
    .slice(-lookedAt)
    .some((entry) => {
      if (entry.kind !== 'assistant' || entry.turn !== transcript.turn.number) {
        return false;
      }
      const said = entry.text.trim();
      // A word that is part of a long message is not the message.
      return said.includes(core) || (said.length * 2 > core.length && core.includes(said));
    });
}

/** Some agents put the status of an HTTP answer where a JSON-RPC code belongs. Those of JSON-RPC are negative. */
function statusOf(code: number): string {
  return code >= 400 && code < 600 ? ` (HTTP ${String(code)})` : '';
}

function detailOf(data: unknown): string | undefined {
  const found = isRecord(data) ? (data['details'] ?? data['message'] ?? data['error']) : data;
  const text = typeof found === 'string' ? (sentenceIn(found) ?? found) : innerSentence(found, 2);
  return text === undefined || text.length === 0 ? undefined : redact(cut(text, limits.errorData));
}

/** The sentence in a text that is a JSON object, such as the body of an HTTP answer. */
function sentenceIn(text: string, depth = 3): string | undefined {
  const trimmed = text.trim();
  if (depth === 0 || !trimmed.startsWith('{') || trimmed.length > limits.redact) {
    return undefined;
  }
  try {
    return innerSentence(JSON.parse(trimmed), depth);
  } catch {
    return undefined;
  }
}

function innerSentence(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : (sentenceIn(value, depth - 1) ?? value);
  }
  if (!isRecord(value) || depth === 0) {
    return undefined;
  }
  for (const key of ['error', 'message', 'details', 'detail']) {
    const found = innerSentence(value[key], depth - 1);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function dataText(data: unknown): string | undefined {
  if (data === undefined || data === null) {
    return undefined;
  }
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2);
  return redact(cut(text, limits.errorData));
}
