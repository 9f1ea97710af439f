/**
 * One agent process for one folder, with any number of sessions in it. Started on demand, stopped without leftovers.
 *
 * It is the meeting point of process, wire and sessions: it routes what arrives to the session it names, serves the
 * file and terminal methods that were advertised, and tells every session when the process is gone.
 */
import { HostError } from '../core/errors.js';
import { describeFailure, type StartFailure } from '../core/failures.js';
import type { AgentState } from '../core/messages.js';
import { restartedNotice, untrustedNotice } from '../core/notices.js';
import { limits } from '../core/text/limits.js';
import type { Notice } from '../core/transcript/model.js';
import type { Approvals } from './approvals.js';
import { Bodies } from './bodies.js';
import { Crashes } from './crashes.js';
import type { AgentInfo, Initialized } from './handshake.js';
import { launchAgent, type LiveAgent } from './liveAgent.js';
import { openFor, raced } from './openSession.js';
import { SessionRouter } from './sessionRouter.js';
import { SessionScope } from './sessionScope.js';
import type { Disposable, EditorFiles, Log, ServePolicy } from './ports.js';
import type { AgentProcess } from './process/process.js';
import { buildEnvironment, quietPagers, type BaseEnvironment } from './process/environment.js';
import { newMarker } from './process/ownedProcess.js';
import { withoutReferences, type SecretLookup } from './process/secretReferences.js';
import { AgentSession } from './session.js';
import { StartError, type Gone, type SessionLink } from './sessionLink.js';
import type { TrafficRecorder } from './wire/traffic.js';
import { within } from './within.js';
import { agentError, authRequired } from './wire/wireErrors.js';

export type AgentSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
};

export type AgentFolder = {
  readonly name: string;
  readonly path: string;
  /** Further roots of the workspace, passed on where the agent takes them. */
  readonly more: readonly string[];
  /** Where the process starts, if not in the folder of its sessions: arguments may be relative to it. */
  readonly startIn?: string;
};

export type AgentServices = {
  readonly approvals: Approvals;
  readonly editor: EditorFiles;
  readonly log: Log;
  readonly clientVersion: string;
  policy(): ServePolicy;
  passEnvironment(): readonly string[];
  readonly secret?: SecretLookup;
  /** Asked before each start; what it answers counts as long as that process runs. Must not reject. */
  baseEnvironment?(): Promise<BaseEnvironment>;
  handshakeTimeoutMs(spec: AgentSpec): number;
  isTrusted(): boolean;
  readonly now?: () => number;
  onInitialized?(initialized: Initialized): void;
  onNoise?(line: string): void;
  /** Called for each process that starts: what records it. */
  recordTraffic?(agentName: string): TrafficRecorder;
};

type Live = LiveAgent & { readonly startedAt: number };

export class Agent implements SessionLink {
  readonly bodies = new Bodies();
  readonly sessions = new Set<AgentSession>();
  #state: AgentState = { state: 'stopped' };
  #live: Live | null = null;
  /** Whether it can go on with sessions of an earlier process; undefined before its first start. */
  #reloads: boolean | undefined;
  #starting: Promise<Live> | null = null;
  #startingProcess: AgentProcess | null = null;
  #stopping: Promise<void> | null = null;
  readonly #crashes = new Crashes();
  #disposed = false;
  #nextKey = 1;
  #generation = 0;
  #base: BaseEnvironment;
  readonly #router = new SessionRouter(() => this.services.log);
  readonly #listeners = new Set<() => void>();
  readonly #now: () => number;

  constructor(
    readonly spec: AgentSpec,
    readonly folder: AgentFolder,
    readonly services: AgentServices,
  ) {
    this.#now = services.now ?? Date.now;
  }

  get agentName(): string {
    return this.spec.name;
  }

  get state(): AgentState {
    return this.#state;
  }

  /** What the running agent said of itself, or null. */
  get info(): AgentInfo | null {
    return this.#live?.initialized.agentInfo ?? null;
  }

  get initialized(): Initialized | null {
    return this.#live?.initialized ?? null;
  }

  /** True where the running agent was told that it may write through the host. */
  get editsAdvertised(): boolean {
    return this.#live?.initialized.advertised.write ?? false;
  }

  get process(): AgentProcess | null {
    return this.#live?.process ?? null;
  }

  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** A conversation that has no session of the agent yet. */
  createSession(): AgentSession {
    const session: AgentSession = new AgentSession(`s${String(this.#nextKey++)}`, this, this.bodies, this.#now);
    this.sessions.add(session);
    this.#router.add(session, new SessionScope(session, this));
    return session;
  }

  /** Starts the process and the handshake, once. Rejects with StartError. */
  async start(): Promise<void> {
    await this.#ensure();
  }

  /**
   * Opens a session of the agent for this conversation: the one it had before, where the agent can go on with it.
   * `load`: the id of an earlier session to continue. False where an earlier one was wanted, and a new one was opened.
   */
  async open(session: AgentSession, signal: AbortSignal, load?: string): Promise<boolean> {
    const live = await raced(this.#ensure(), signal);
    this.#setState({ state: 'starting', phase: 'session', since: this.#now() });
    const earlier = load === undefined ? session.earlier : { id: load, shown: false };
    if (load !== undefined && this.#reloads !== true) {
      throw new HostError('badParams', 'The agent cannot load earlier sessions.');
    }
    try {
      const { folder } = this;
      const ports = { router: this.#router, folder, log: this.services.log };
      const how = await openFor(session, live, ports, { signal, earlier });
      return earlier === undefined || how !== 'new';
    } catch (error) {
      throw this.#sessionError(error, live);
    } finally {
      this.#setState({ state: this.#live === null ? 'stopped' : 'ready' });
    }
  }

  /** The environment of a command that runs for this agent: the agent's own, with additions. */
  environment(overlay: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const agentEnv = { ...withoutReferences(this.spec.env), ...overlay, ...quietPagers };
    const pass = this.services.passEnvironment();
    return buildEnvironment({ base: this.#base, pass, agentEnv, marker: newMarker() }).env;
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const live = this.#live;
    if (live === null) {
      throw new HostError('io', 'The agent is not running.');
    }
    try {
      return await live.connection.request(method, params);
    } catch (error) {
      if (agentError(error) === undefined && live.connection.reason !== undefined) {
        // The end of its output comes before its exit. How it ended is the better answer, and settles the turn.
        await within(live.process.exited, limits.stop.stdin);
      }
      throw error;
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#live?.connection.notify(method, params);
  }

  turnStarted(session: AgentSession, text: string): void {
    this.#router.scope(session)?.startTurn(text);
  }

  turnEnded(session: AgentSession, cancelled: boolean): void {
    this.#router.scope(session)?.endTurn(cancelled);
  }

  /** Resolves when calls of this conversation are marked and the agent's requests answered, or soon at the latest. */
  async settled(session: AgentSession): Promise<void> {
    await Promise.all([this.#router.scope(session)?.settled(), this.#live?.connection.drained(limits.answerDrain)]);
  }

  /** Ends a conversation; the agent is told where it offers that. Its files, terminals and requests end with it. */
  async closeSession(session: AgentSession): Promise<void> {
    const { sessionId } = session;
    const live = this.#live;
    if (session.busy) {
      session.cancel();
    }
    session.dispose();
    this.#router.remove(session);
    this.sessions.delete(session);
    if (sessionId !== null) {
      if (live !== null && live.initialized.can.close) {
        await live.connection.request('session/close', { sessionId }, { timeoutMs: 2_000 }).catch(() => undefined);
      }
    }
  }

  /** Stops, so that the next prompt starts anew. `why`: what changed, said in each conversation. */
  async restart(why?: string): Promise<void> {
    this.#crashes.clear();
    await this.stop(false, restartedNotice(this.spec.name, this.#reloads, why));
  }

  /** Ends the process and everything it started. Resolves when nothing is left. */
  stop(fast = false, seam?: Notice): Promise<void> {
    const process = this.#live?.process ?? this.#startingProcess;
    this.#generation += 1;
    this.#crashes.wake();
    const live = this.#live;
    this.#live = null;
    this.#starting = null;
    this.#startingProcess = null;
    this.#forget(seam === undefined ? {} : { seam });
    live?.connection.close('The agent was stopped.');
    this.#setState({ state: 'stopped' });
    const ended = process?.stop(fast ? limits.stopFast : limits.stop) ?? Promise.resolve();
    this.#stopping = Promise.all([this.#stopping, ended]).then(() => undefined);
    return this.#stopping;
  }

  /** Ends at once, also when nobody waits for it. */
  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    const process = this.#live?.process ?? this.#startingProcess;
    this.#generation += 1;
    this.#crashes.wake();
    this.#forget({});
    for (const session of this.sessions) {
      session.dispose();
      this.#router.remove(session);
    }
    this.#live?.connection.close('The agent was stopped.');
    this.#live = null;
    process?.killNow();
    this.#listeners.clear();
  }

  #ensure(): Promise<Live> {
    if (this.#live !== null) {
      return Promise.resolve(this.#live);
    }
    if (this.#starting === null) {
      const starting = this.#launch(++this.#generation).finally(() => {
        // One that was stopped may end long after the next one began.
        this.#starting = this.#starting === starting ? null : this.#starting;
      });
      this.#starting = starting;
    }
    return this.#starting;
  }

  async #launch(generation: number): Promise<Live> {
    const { spec, services } = this;
    if (!services.isTrusted()) {
      throw new StartError('untrusted', untrustedNotice.what, untrustedNotice);
    }
    await this.#stopping;
    const startedAt = this.#now();
    this.#setState({ state: 'starting', phase: 'process', since: startedAt });
    const outdated = (): boolean => generation !== this.#generation || this.#disposed;
    await this.#crashes.pause(startedAt);
    const base = await services.baseEnvironment?.();
    if (outdated()) {
      throw stopped();
    }
    this.#base = base;
    const policy = services.policy();
    const advertised = { read: policy.read, write: policy.write !== 'off', terminal: policy.terminal !== 'off' };
    const traffic = services.recordTraffic?.(spec.name);
    const started = await launchAgent({
      ...{ spec, services, base, advertised },
      cwd: this.folder.startIn ?? this.folder.path,
      sink: this.#router.sink(advertised, spec.name, services, traffic),
      onProcess: (process) => {
        this.#startingProcess = process;
        traffic?.attach(process);
        if (outdated()) {
          process.killNow();
        }
      },
    });
    if (outdated()) {
      if (!('reason' in started)) {
        started.process.killNow();
      }
      throw stopped();
    }
    this.#startingProcess = null;
    if ('reason' in started) {
      throw this.#failed(started);
    }
    const live: Live = { ...started, startedAt };
    this.#live = live;
    const { load, resume } = live.initialized.can;
    this.#reloads = load || resume;
    services.onInitialized?.(live.initialized);
    this.#setState({ state: 'ready' });
    void live.process.exited.then((facts) => {
      this.#exited(live, facts);
    });
    void live.connection.closed.then(() => {
      this.#disconnected(live);
    });
    return live;
  }

  #exited(live: Live, facts: { code: number | null; signal: string | null }): void {
    if (this.#live !== live) {
      return;
    }
    this.#live = null;
    live.connection.close('The agent ended.');
    const tail = live.process.stderrTail(limits.stderrTail);
    this.#setState({ state: 'failed' });
    const isLoop = this.#crashes.note(this.#now());
    this.#forget({ exit: { ...facts, tail, afterMs: this.#now() - live.startedAt, isLoop } });
  }

  #disconnected(live: Live): void {
    if (this.#live !== live || live.process.exitFacts() !== null) {
      return;
    }
    // Its output ended while it runs: nothing can be said to it any more, so it is ended, and told as an exit.
    const reason = live.connection.reason ?? 'The connection was closed.';
    this.services.log.warn(`${this.spec.name}: ${reason}`);
    void live.process.stop(limits.stopFast);
  }

  #forget(gone: Omit<Gone, 'reloads'>): void {
    this.#router.processGone();
    for (const session of this.sessions) {
      session.agentGone({ ...gone, reloads: this.#reloads });
    }
  }

  #sessionError(error: unknown, live: Live): unknown {
    const answer = agentError(error);
    if (answer?.code !== authRequired) {
      return error;
    }
    return this.#failed(
      { reason: 'unauthenticated', methods: live.initialized.authMethods, message: answer.message },
      false,
    );
  }

  #failed(failure: StartFailure, changeState = true): StartError {
    if (changeState) {
      this.#setState({ state: 'failed' });
    }
    const { message, notice, nextStep } = describeFailure(failure, this.spec.name);
    return new StartError(failure.reason, message, notice, nextStep);
  }

  #setState(state: AgentState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

function stopped(): HostError {
  return new HostError('cancelled', 'The agent was stopped.');
}
