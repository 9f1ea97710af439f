/** Opens a session of the agent, a new one or one from before: what is sent, and what is believed of the answer. */
import { HostError } from '../core/errors.js';
import { notLoadedNotice, notReplayedNotice, reloadedNotice } from '../core/notices.js';
import { limits } from '../core/text/limits.js';
import type { Notice } from '../core/transcript/model.js';
import { normalizeModes, normalizeOptions } from '../core/transcript/normalizeSetup.js';
import type { AgentFolder } from './agent.js';
import type { LiveAgent } from './liveAgent.js';
import type { Log } from './ports.js';
import type { AgentSession } from './session.js';
import type { SessionRouter } from './sessionRouter.js';
import { describeError } from './turnErrors.js';
import { isRecord } from './wire/framing.js';
import { agentError, authRequired } from './wire/wireErrors.js';

/** A session from before, to go on with. `shown`: what was said in it stands in the transcript already. */
export type Earlier = { readonly id: string; readonly shown: boolean };

type OpenRequest = {
  readonly signal: AbortSignal;
  readonly earlier: Earlier | undefined;
  /** Called as soon as the id is known: for a load before the agent replays, for a new one before it goes on. */
  readonly register: (sessionId: string) => void;
  /** Called before and after a replay. */
  readonly replaying: (isReplaying: boolean) => void;
  /** The agent refused to go on with the earlier session in this way. */
  readonly onRefused: (method: string, error: unknown) => void;
};

type Opened = {
  readonly result: Readonly<Record<string, unknown>>;
  /** `resumed`: the agent remembers the session and did not replay it. */
  readonly how: 'new' | 'loaded' | 'resumed';
};

/**
 * The agent's answer, an object. Rejects with the agent's error, or a HostError for an answer that is none. Where the
 * conversation is shown already it is resumed rather than loaded, because a load replays it. A refusal (agents use five
 * different codes for an unknown id) leads to the next way and at last to a new session; one because nobody is signed
 * in does not. https://agentclientprotocol.com/protocol/session-setup
 */
async function requestSession(live: LiveAgent, folder: AgentFolder, request: OpenRequest): Promise<Opened> {
  const { connection } = live;
  const { signal, earlier, register } = request;
  const params = sessionParams(live, folder);
  for (const method of earlier === undefined ? [] : waysBack(live, earlier)) {
    const opened = await goOn(live, { ...params, sessionId: earlier?.id }, method, request);
    if (opened !== undefined) {
      return opened;
    }
  }
  const result = await connection.request('session/new', params, { timeoutMs: limits.sessionNew, signal });
  register(sessionIdOf(result, 'session/new'));
  return { result: isRecord(result) ? result : {}, how: 'new' };
}

type OpenPorts = { readonly router: SessionRouter; readonly folder: AgentFolder; readonly log: Log };

/**
 * Opens a session for a conversation and tells it what came of it; resolves when it can be prompted. On a failure the
 * conversation has no session.
 */
export async function openFor(
  session: AgentSession,
  live: LiveAgent,
  { router, folder, log }: OpenPorts,
  { signal, earlier }: Pick<OpenRequest, 'signal' | 'earlier'>,
): Promise<Opened['how']> {
  const { agentName } = session;
  router.opening();
  try {
    const { result, how } = await requestSession(live, folder, {
      signal,
      earlier,
      register: (id) => {
        router.register(session, id);
      },
      replaying: (isReplaying) => {
        session.isReplaying = isReplaying && earlier?.shown === true;
      },
      onRefused: (method, error) => {
        log.warn(`${agentName}: ${method}: ${describeError(error).message}`);
      },
    });
    const modes = normalizeModes(result['modes']);
    const options = normalizeOptions(result['configOptions']);
    const sessionId = session.sessionId ?? '';
    const ready = session.opened(
      { type: 'sessionStarted', at: session.now(), sessionId, modes, options },
      openedNotice(session, how, earlier),
    );
    router.flushEarly(session, sessionId);
    await raced(ready, signal);
    return how;
  } catch (error) {
    router.unregister(session);
    throw error;
  } finally {
    router.opened();
  }
}

function openedNotice(session: AgentSession, how: Opened['how'], earlier: Earlier | undefined): Notice | undefined {
  const { agentName } = session;
  if (earlier === undefined || (how === 'new' && earlier.shown && session.toldForgotten)) {
    return undefined;
  }
  if (how === 'new') {
    return notLoadedNotice(agentName);
  }
  if (earlier.shown) {
    return reloadedNotice(agentName);
  }
  return how === 'resumed' ? notReplayedNotice(agentName) : undefined;
}

/** Folder, further folders and servers, as `session/new`, `load`, `resume` and `fork` take them. */
export function sessionParams(live: Pick<LiveAgent, 'initialized'>, folder: AgentFolder): Record<string, unknown> {
  const { can } = live.initialized;
  return {
    cwd: folder.path,
    mcpServers: [],
    ...(can.additionalDirectories && folder.more.length > 0 ? { additionalDirectories: folder.more } : {}),
  };
}

/** The id in an answer. Throws `badParams` where there is none that can be used. */
export function sessionIdOf(result: unknown, method: string): string {
  const id = isRecord(result) ? result['sessionId'] : undefined;
  if (typeof id !== 'string' || id.length === 0 || id.length > limits.identifier) {
    throw new HostError('badParams', `The answer to ${method} has no session id.`);
  }
  return id;
}

type WayBack = 'session/load' | 'session/resume';

function waysBack({ initialized: { can } }: LiveAgent, { shown }: Earlier): readonly WayBack[] {
  const load = can.load ? (['session/load'] as const) : [];
  const resume = can.resume ? (['session/resume'] as const) : [];
  return shown ? [...resume, ...load] : [...load, ...resume];
}

/** Undefined where the agent refused. */
async function goOn(
  { connection }: LiveAgent,
  params: Record<string, unknown>,
  method: WayBack,
  { signal, earlier, register, replaying, onRefused }: OpenRequest,
): Promise<Opened | undefined> {
  register(earlier?.id ?? '');
  const replays = method === 'session/load';
  try {
    if (replays) {
      replaying(true);
    }
    const result = await connection.request(method, params, { signal });
    return { result: isRecord(result) ? result : {}, how: replays ? 'loaded' : 'resumed' };
  } catch (error) {
    const code = agentError(error)?.code;
    if (code === undefined || code === authRequired || signal.aborted) {
      throw error;
    }
    onRefused(method, error);
    return undefined;
  } finally {
    if (replays) {
      replaying(false);
    }
  }
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
