/** Which session of one agent process a message is for. Ids are the agent's, so both their number and life are bounded. */
import { HostError } from '../core/errors.js';
import { limits } from '../core/text/limits.js';
import { Serial } from './files/serial.js';
import type { Log } from './ports.js';
import type { AgentSession } from './session.js';
import type { SessionScope } from './sessionScope.js';
import type { TrafficRecorder } from './wire/traffic.js';
import type { ConnectionSink, ServedMethods } from './wire/connection.js';
import type { Advertised } from './handshake.js';
import type { AgentServices } from './agent.js';

/** Ids that were not announced yet and may still be: agents send commands before they answer `session/new`. */
const earlyIds = 16;
/** Characters of JSON that all early updates may take. */
const earlyChars = 4_000_000;

export class SessionRouter {
  readonly #scopes = new Map<AgentSession, SessionScope>();
  readonly #byId = new Map<string, AgentSession>();
  readonly #early = new Map<string, unknown[]>();
  #earlyChars = 0;
  /** One after the other, so that each sees the answers before it. */
  readonly #outputs = new Serial();
  #opening = 0;
  #told = false;

  constructor(private readonly log: () => Log) {}

  add(session: AgentSession, scope: SessionScope): void {
    this.#scopes.set(session, scope);
  }

  scope(session: AgentSession): SessionScope | undefined {
    return this.#scopes.get(session);
  }

  /** A session is being opened: until `opened`, updates for an id that is not known yet are kept. */
  opening(): void {
    this.#opening += 1;
  }

  opened(): void {
    this.#opening -= 1;
    if (this.#opening === 0) {
      if (this.#early.size > 0) {
        this.#stray();
      }
      this.#early.clear();
      this.#earlyChars = 0;
    }
  }

  /** From now on the id belongs to this session. Throws `badParams` where it is another session's. */
  register(session: AgentSession, sessionId: string): void {
    const other = this.#byId.get(sessionId);
    if (other !== undefined && other !== session) {
      throw new HostError('badParams', 'The agent gave the id of another open session.');
    }
    if (session.sessionId !== null && session.sessionId !== sessionId) {
      this.#byId.delete(session.sessionId);
    }
    session.sessionId = sessionId;
    this.#byId.set(sessionId, session);
  }

  /** Hands over what came for the id before it was known. */
  flushEarly(session: AgentSession, sessionId: string): void {
    const waiting = this.#early.get(sessionId) ?? [];
    this.#early.delete(sessionId);
    for (const update of waiting) {
      session.update(update);
    }
  }

  /** The session was not opened after all. */
  unregister(session: AgentSession): void {
    if (session.sessionId !== null) {
      this.#byId.delete(session.sessionId);
      session.sessionId = null;
    }
  }

  remove(session: AgentSession): void {
    this.#scopes.get(session)?.dispose();
    this.#scopes.delete(session);
    if (session.sessionId !== null && this.#byId.get(session.sessionId) === session) {
      this.#byId.delete(session.sessionId);
    }
  }

  /** The process is gone, and with it every id. The sessions stay. */
  processGone(): void {
    this.#byId.clear();
    this.#early.clear();
    this.#earlyChars = 0;
    for (const scope of this.#scopes.values()) {
      scope.processGone();
    }
  }

  /** Where everything goes that a process of the agent sends. */
  sink(
    advertised: Advertised,
    agentName: string,
    services: Pick<AgentServices, 'log' | 'onNoise'>,
    traffic: TrafficRecorder | undefined,
  ): ConnectionSink {
    return {
      served: this.#served(advertised),
      onUpdate: (params) => {
        this.#update(params);
      },
      // async: an unknown session is a rejection, which becomes the answer.
      onPermission: async (params, signal) => this.#scopeOf(params.sessionId).permission(params, signal),
      onNoise: (line) => {
        services.log.info(`${agentName} stdout: ${line}`);
        services.onNoise?.(line);
        traffic?.line('stdout-noise', line);
      },
      ...(traffic === undefined ? {} : { onTraffic: traffic.message }),
    };
  }

  /** Throws `unknownSession` for an id that is not open here. */
  #scopeOf(sessionId: unknown): SessionScope {
    const session = typeof sessionId === 'string' ? this.#byId.get(sessionId) : undefined;
    const scope = session === undefined ? undefined : this.#scopes.get(session);
    if (scope === undefined) {
      throw new HostError('unknownSession', 'This session is not known here.');
    }
    return scope;
  }

  /** A `session/update`, in wire order. Never throws. */
  #update(params: Record<string, unknown>): void {
    const { sessionId, update } = params;
    if (typeof sessionId !== 'string' || sessionId.length > limits.identifier) {
      this.#stray();
      return;
    }
    const session = this.#byId.get(sessionId);
    if (session !== undefined) {
      session.update(update);
      return;
    }
    const waiting = this.#early.get(sessionId) ?? [];
    if (
      this.#opening === 0 ||
      waiting.length >= limits.earlyUpdates ||
      (waiting.length === 0 && this.#early.size >= earlyIds)
    ) {
      this.#stray();
      return;
    }
    const length = lengthOf(update);
    if (length === undefined) {
      this.#stray();
      return;
    }
    this.#earlyChars += length;
    if (this.#earlyChars <= earlyChars) {
      waiting.push(update);
      this.#early.set(sessionId, waiting);
    }
  }

  /** Said once, however many come: an agent must not fill the log. */
  #stray(): void {
    if (!this.#told) {
      this.#told = true;
      this.log().warn('Updates of a session that is not open here are left out.');
    }
  }

  /** The handlers of what was advertised, and of nothing else. */
  #served(advertised: Advertised): ServedMethods {
    const scope = (params: Record<string, unknown>): SessionScope => this.#scopeOf(params['sessionId']);
    return {
      ...(advertised.read
        ? { 'fs/read_text_file': async (params, context) => scope(params).read(params, context) }
        : {}),
      ...(advertised.write
        ? { 'fs/write_text_file': async (params, { signal }) => scope(params).write(params, signal) }
        : {}),
      ...(advertised.terminal
        ? {
            'terminal/create': async (params, { signal }) => scope(params).createTerminal(params, signal),
            'terminal/output': (params, { room }) =>
              this.#outputs.run('', async () => {
                await room();
                return scope(params).terminals.output(params);
              }),
            'terminal/wait_for_exit': async (params, { signal }) => scope(params).terminals.waitForExit(params, signal),
            'terminal/kill': async (params) => scope(params).terminals.kill(params),
            'terminal/release': async (params) => scope(params).terminals.release(params),
          }
        : {}),
    };
  }
}

/** Characters of the value as JSON; undefined where it is too deep for the engine's stack. */
function lengthOf(value: unknown): number | undefined {
  try {
    return JSON.stringify(value ?? null).length;
  } catch {
    return undefined;
  }
}
