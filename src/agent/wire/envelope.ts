/** Which JSON objects are JSON-RPC messages. https://www.jsonrpc.org/specification */
import { limits } from '../../core/text/limits.js';
import { isRecord } from './framing.js';

/**
 * `message` goes on; `noise` is an object of another kind, a structured log line for example, and is never answered;
 * `invalid` meant to be a request and is answered with one error that repeats nothing of it.
 *
 * The SDK (2.4.0) answers the last two with an error that holds the whole object: a log in JSON would fill the agent's
 * stdin, and a large object would be too large to send back.
 */
export function kindOf(message: Readonly<Record<string, unknown>>): 'message' | 'noise' | 'invalid' {
  const { method, id } = message;
  const isCall = 'method' in message;
  if (message['jsonrpc'] !== '2.0') {
    return isCall && 'id' in message ? 'invalid' : 'noise';
  }
  if (isCall) {
    const named = typeof method === 'string' && method.length <= limits.identifier;
    return named && (!('id' in message) || isId(id)) ? 'message' : 'invalid';
  }
  return 'id' in message && isId(id) && ('result' in message || 'error' in message) ? 'message' : 'noise';
}

function isId(id: unknown): boolean {
  return id === null || Number.isFinite(id) || (typeof id === 'string' && id.length <= limits.identifier);
}

/** True for a request that expects an answer; false for notifications and answers. */
export function isRequest(message: unknown): boolean {
  return isRecord(message) && 'method' in message && 'id' in message;
}
