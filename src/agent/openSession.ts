/** `session/new` and `session/load`: what is sent, and what is believed of the answer. */
import { HostError } from '../core/errors.js';
import { limits } from '../core/text/limits.js';
import type { AgentFolder } from './agent.js';
import type { LiveAgent } from './liveAgent.js';
import { isRecord } from './wire/framing.js';
import { agentError, authRequired } from './wire/wireErrors.js';

export type OpenRequest = {
  readonly signal: AbortSignal;
  /** The id of an earlier session to continue. */
  readonly load: string | undefined;
  /** Called as soon as the id is known: for a load before the agent replays, for a new one before it goes on. */
  readonly register: (sessionId: string) => void;
  /** The agent answered the load with an error: a new session is opened instead, and the load not tried again. */
  readonly onNotLoaded: (error: unknown) => void;
};

/**
 * The agent's answer, an object. Rejects with the agent's error, or a HostError for an answer that is none. A load that
 * is refused (agents use five different codes for an unknown id) becomes a new session; one that is refused because
 * nobody is signed in does not.
 */
export async function requestSession(
  live: LiveAgent,
  folder: AgentFolder,
  { signal, load, register, onNotLoaded }: OpenRequest,
): Promise<Record<string, unknown>> {
  const { connection, initialized } = live;
  const params = {
    cwd: folder.path,
    mcpServers: [],
    ...(initialized.can.additionalDirectories && folder.more.length > 0 ? { additionalDirectories: folder.more } : {}),
  };
  if (load !== undefined) {
    if (!initialized.can.load) {
      throw new HostError('badParams', 'The agent cannot load earlier sessions.');
    }
    register(load);
    try {
      const loaded = await connection.request('session/load', { ...params, sessionId: load }, { signal });
      return isRecord(loaded) ? loaded : {};
    } catch (error) {
      const code = agentError(error)?.code;
      if (code === undefined || code === authRequired || signal.aborted) {
        throw error;
      }
      onNotLoaded(error);
    }
  }
  const result = await connection.request('session/new', params, { timeoutMs: limits.sessionNew, signal });
  const id = isRecord(result) ? result['sessionId'] : undefined;
  if (!isRecord(result) || typeof id !== 'string' || id.length === 0 || id.length > limits.identifier) {
    throw new HostError('badParams', 'The answer to session/new has no session id.');
  }
  register(id);
  return result;
}

/** The promise, or a rejection as soon as the signal is aborted. */
export function raced<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(new HostError('cancelled', 'Cancelled.'));
    };
    if (signal.aborted) {
      onAbort();
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
    }
    void promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
