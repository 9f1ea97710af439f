/** One run of the headless host: an agent, its sessions, a script or prompts, and a line for everything that happens. */
import { statSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { compileFileRules } from '../../core/policy/fileRules.js';
import { describeFailure, probeStatus, type ProbeReason } from '../../core/failures.js';
import { turnFailedNotice } from '../../core/notices.js';
import type { Approval, Transcript } from '../../core/transcript/model.js';
import { Agent } from '../agent.js';
import { Approvals } from '../approvals.js';
import { noEditor } from '../noEditor.js';
import type { Log } from '../ports.js';
import { defaultHandshakeTimeout } from '../probe.js';
import { LoginShell } from '../process/loginShell.js';
import { processRegistry } from '../process/registry.js';
import type { AgentSession } from '../session.js';
import { StartError } from '../sessionLink.js';
import { TrafficRecorder } from '../wire/traffic.js';
import { describeError } from '../turnErrors.js';
import { loadAnswers, readLines, type Answers } from './answers.js';
import { type HeadlessOptions, UsageError } from './options.js';
import { eventLine, transcriptLine, turnFailedLine, type Line } from './print.js';
import { leftToScript, parseAction, play, Timeline, type Action, type Player } from './script.js';

export type Output = { write(line: Line): void; log: Log };

/** Runs to the end and resolves with the exit status. Throws UsageError for a bad script or answers file. */
export async function run(options: HeadlessOptions, output: Output, clientVersion: string): Promise<number> {
  const actions = options.script === undefined ? undefined : readLines(options.script, 'script').map(parseAction);
  const host = new HeadlessHost(options, output, clientVersion, loadAnswers(options.answers), actions ?? []);
  return host.run(actions);
}

class HeadlessHost implements Player {
  readonly #startedAt = Date.now();
  readonly #timeline = new Timeline();
  readonly #approvals = new Approvals();
  readonly #agent: Agent;
  readonly #ended = new AbortController();
  readonly #idleWaiters = new Set<() => void>();
  #session: AgentSession;
  #left: readonly Action[];
  #status = 0;
  #silent = false;
  readonly #traffic: TrafficRecorder | undefined;

  constructor(
    private readonly options: HeadlessOptions,
    private readonly output: Output,
    clientVersion: string,
    private readonly answers: Answers | undefined,
    actions: readonly Action[],
  ) {
    this.#left = actions;
    this.#traffic = options.traffic === undefined ? undefined : new TrafficRecorder();
    const traffic = this.#traffic;
    const cwd = folder(options.cwd);
    const { rules } = compileFileRules(options.denyFiles, options.allowFiles);
    const shell = new LoginShell({ log: output.log, notNeeded: () => undefined });
    this.#agent = new Agent(
      { name: basename(options.command), command: options.command, args: options.args, env: {} },
      { name: basename(cwd), path: cwd, more: options.roots.map(folder) },
      {
        approvals: this.#approvals,
        editor: noEditor,
        log: output.log,
        clientVersion,
        policy: () => ({
          read: options.read,
          write: options.write,
          terminal: options.terminal,
          acknowledged: options.acknowledged,
          files: rules,
        }),
        passEnvironment: () => options.pass,
        ...(options.loginShell ? { baseEnvironment: () => shell.environment() } : {}),
        handshakeTimeoutMs: ({ command }) =>
          Math.min(options.handshakeTimeoutMs ?? defaultHandshakeTimeout(command), options.timeoutMs),
        isTrusted: () => true,
        onInitialized: ({ protocolVersion, agentInfo, capabilities, authMethods }) => {
          this.#print({ event: 'initialized', protocolVersion, agentInfo, capabilities, authMethods }, null);
        },
        onNoise: (line) => {
          this.#print({ event: 'noise', line }, idOf(this.#session));
        },
        ...(traffic === undefined ? {} : { recordTraffic: () => traffic }),
      },
    );
    this.#session = this.#newSession();
    this.#approvals.onDidChange(() => {
      // After the request's own event was printed and the code that asked has its promise.
      queueMicrotask(() => {
        this.#answerPending();
      });
    });
  }

  async run(actions: readonly Action[] | undefined): Promise<number> {
    const expired = (): void => {
      const { state } = this.#agent;
      if (state.state === 'starting' && state.phase === 'process') {
        // The handshake has the same limit and began later. Its failure says more, and comes in a moment.
        timeout = setTimeout(expired, 20);
        return;
      }
      this.#expire();
    };
    let timeout = setTimeout(expired, this.options.timeoutMs);
    try {
      if (await this.#open(this.options.load)) {
        for (const text of this.options.prompts) {
          await this.idle();
          this.prompt(text);
        }
        await this.idle();
        await play(actions ?? [], this, this.#timeline, this.#ended.signal);
        await this.idle();
      }
    } finally {
      clearTimeout(timeout);
      await this.#agent.settled(this.#session);
      this.#silent = true;
      // Answers that were just given are on their way to the agent's stdin.
      await new Promise((written) => setImmediate(written));
      await this.#agent.stop(true);
      processRegistry().killAllSync();
      if (this.options.traffic !== undefined && this.#traffic !== undefined) {
        writeFileSync(this.options.traffic, this.#traffic.export(), { mode: 0o600 });
      }
    }
    this.output.write({ ...transcriptLine(this.#session.transcript), ...this.#stamp(idOf(this.#session)) });
    return this.#status;
  }

  #expire(): void {
    const message = `The run took longer than ${String(this.options.timeoutMs / 1000)} s.`;
    this.failed(message);
    for (const session of this.#agent.sessions) {
      if (session.busy) {
        const notice = turnFailedNotice(session.agentName, message, session.transcript.edits.brokered, undefined);
        session.emit({ type: 'turnFailed', at: session.now(), reason: 'timeout', message, notice });
      }
    }
    this.#ended.abort();
  }

  prompt(text: string): void {
    if (!this.#agent.sessions.has(this.#session)) {
      this.failed('prompt: the session is closed');
    }
    this.#session.prompt(text);
  }

  cancel(): void {
    this.#session.cancel();
  }

  answer(action: Extract<Action, { do: 'answer' }>): boolean {
    const waiting = this.#approvals.pending.find(
      ({ approval }) =>
        approval.preparing !== true &&
        (action.approvalId === undefined || action.approvalId === approval.approvalId) &&
        (action.toolCallId === undefined || action.toolCallId === approval.toolCallId),
    );
    if (waiting === undefined) {
      return false;
    }
    const { approvalId } = waiting.approval;
    const done =
      action.optionId !== undefined
        ? this.#approvals.answer(approvalId, action.optionId)
        : this.#approvals.decide(approvalId, action.decision ?? 'reject_once');
    if (!done) {
      this.failed(`answer: the request ${approvalId} cannot be answered so`);
    }
    return true;
  }

  setMode(modeId: string): Promise<void> {
    return this.#session.setMode(modeId);
  }

  setConfigOption(configId: string, value: string | boolean): Promise<void> {
    return this.#session.setConfigOption(configId, value);
  }

  async newSession(): Promise<void> {
    this.#session = this.#newSession();
    await this.#open(undefined);
  }

  restart(): Promise<void> {
    return this.#agent.restart();
  }

  async close(): Promise<void> {
    await this.#agent.closeSession(this.#session);
  }

  killAgent(signal: NodeJS.Signals): void {
    const { process: running } = this.#agent;
    if (running !== null) {
      process.kill(running.pid, signal);
    }
  }

  progressed(left: readonly Action[]): void {
    this.#left = left;
    this.#answerPending();
  }

  approvalsChanged(signal: AbortSignal): Promise<void> {
    return new Promise((resolveChange) => {
      const subscription = this.#approvals.onDidChange(() => {
        subscription.dispose();
        resolveChange();
      });
      signal.addEventListener('abort', () => {
        subscription.dispose();
        resolveChange();
      });
    });
  }

  failed(what: string): void {
    this.output.log.warn(what);
    this.#status ||= 1;
  }

  #newSession(): AgentSession {
    const session = this.#agent.createSession();
    session.onEvent((event, transcript) => {
      // An agent that ends between turns failed none of them.
      if (event.type === 'turnFailed' || (event.type === 'agentExited' && transcript.turn.state === 'failed')) {
        this.#status ||= 1;
      }
      this.#print(eventLine(event, transcript), idOf(session));
      if (!running(transcript)) {
        for (const wake of [...this.#idleWaiters]) {
          wake();
        }
      }
    });
    return session;
  }

  /** Starts the agent and a session on it. False: it could not be, and the status says why. */
  async #open(load: string | undefined): Promise<boolean> {
    try {
      if (!(await this.#agent.open(this.#session, this.#ended.signal, load))) {
        this.failed('session/load: the agent refused, so a new session was opened');
      }
      return true;
    } catch (error) {
      const method = load === undefined ? 'session/new' : 'session/load';
      if (error instanceof StartError) {
        this.#startFailed(error.reason, error.message, error.nextStep);
      } else if (this.#ended.signal.aborted) {
        const { command, timeoutMs: ms } = this.options;
        const reason = 'handshake_timeout';
        const words = describeFailure({ reason, command, method, ms, noise: [] }, this.#agent.spec.name);
        this.#startFailed(reason, words.message, words.nextStep);
      } else {
        const { reason, message, data } = describeError(error);
        this.failed(`${method}: ${message}`);
        this.#print(turnFailedLine(reason, message, data), null);
      }
      return false;
    }
  }

  #startFailed(reason: string, message: string, nextStep: string): void {
    this.#print({ event: 'probe', reason, message, nextStep }, null);
    this.#status = isProbeReason(reason) ? probeStatus[reason] : 1;
  }

  /** Resolves when no turn runs and nothing that may be sent waits; also when the run has to end. */
  idle(): Promise<void> {
    return new Promise((done) => {
      const check = (): void => {
        if (
          this.#ended.signal.aborted ||
          [...this.#agent.sessions].every((session) => !session.busy && !session.willSend)
        ) {
          this.#idleWaiters.delete(check);
          done();
        }
      };
      this.#idleWaiters.add(check);
      this.#ended.signal.addEventListener('abort', check, { once: true });
      queueMicrotask(check);
    });
  }

  #answerPending(): void {
    for (const { approval } of [...this.#approvals.pending]) {
      const decision = this.#decisionFor(approval);
      if (decision === undefined) {
        continue;
      }
      if (!this.#approvals.decide(approval.approvalId, decision) && !leftToScript(this.#left, approval)) {
        // Several options allow it, or none does once: no rule may choose.
        this.#approvals.decide(approval.approvalId, 'reject_once');
      }
    }
  }

  #decisionFor(approval: Approval): ReturnType<Answers> {
    if (approval.preparing === true) {
      return undefined;
    }
    const decision = this.answers?.(approval);
    if (decision !== undefined) {
      return decision;
    }
    return leftToScript(this.#left, approval) ? undefined : 'reject_once';
  }

  #print(line: Line, sessionId: string | null): void {
    if (this.#silent) {
      return;
    }
    const stamped = { ...line, ...this.#stamp(sessionId) };
    this.output.write(stamped);
    this.#timeline.push(stamped);
  }

  #stamp(sessionId: string | null): { sessionId: string | null; at: number } {
    return { sessionId, at: Date.now() - this.#startedAt };
  }
}

function isProbeReason(reason: string): reason is ProbeReason {
  return Object.hasOwn(probeStatus, reason);
}

/** The agent's id; the last one where the agent is gone. */
function idOf({ sessionId, transcript }: AgentSession): string | null {
  return sessionId ?? transcript.sessionId;
}

function running(transcript: Transcript): boolean {
  return transcript.turn.state === 'running' || transcript.turn.state === 'cancelling';
}

function folder(path: string): string {
  const absolute = resolve(path);
  // A link stays as it was given: the jail takes paths in both spellings.
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true) {
    return absolute;
  }
  throw new UsageError(`The folder does not exist: ${path}`);
}
