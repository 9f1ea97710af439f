/**
 * The probe: does this command start an agent, does it speak the protocol, can it open a session, and if not, why.
 * It uses a process of its own, never signs in, prompts only in a test turn that was asked for, and leaves nothing
 * behind.
 */
import { HostError, messageOf } from '../core/errors.js';
import {
  canSignIn,
  describeFailure,
  protocolVersion,
  signInStep,
  type ExitFacts,
  type StartFailure,
} from '../core/failures.js';
import { exitWords } from '../core/notices.js';
import type { ProbeFacts, ProbePhase, ProbeReport } from '../core/probeReport.js';
import { processWords, type TestTurn } from '../core/testTurn.js';
import { cut, limits } from '../core/text/limits.js';
import { plainLine } from '../core/text/quote.js';
import { redact } from '../core/text/redact.js';
import { knownAgent } from './agentTable.js';
import { showArguments } from './commandOf.js';
import { exitFailure, handshake, type Initialized } from './handshake.js';
import type { Log } from './ports.js';
import { startAgent, type AgentProcess, type AgentStart } from './process/process.js';
import { openJail } from './files/jail.js';
import type { PinStrength } from './files/pin.js';
import { treeMemory, type TreeMemory } from './process/memory.js';
import { processTable } from './process/processTable.js';
import type { SecretLookup } from './process/secretReferences.js';
import { runTestTurn } from './testTurn.js';
import { loadSdk, type Connection } from './wire/connection.js';
import { isRecord } from './wire/framing.js';
import { agentError, authRequired } from './wire/wireErrors.js';

export type ProbeOptions = {
  readonly agentName: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly agentEnv: Readonly<Record<string, string | null>>;
  readonly pass: readonly string[];
  readonly cwd: string;
  /** For the answer to `initialize`; milliseconds. */
  readonly timeoutMs: number;
  /** For the answer to `session/new`; the same by default. */
  readonly sessionTimeoutMs?: number;
  readonly clientVersion: string;
  readonly signal?: AbortSignal;
  readonly log?: Log;
  readonly hostEnv?: Readonly<Record<string, string>>;
  readonly base?: AgentStart['base'];
  readonly secret?: SecretLookup;
  /** Sends one prompt in a folder of its own, after the rest: only where a person asked for it, for it may cost. */
  readonly testTurn?: boolean;
};

export type ProbeResult = {
  readonly report: ProbeReport;
  /** For the report that a person reads; the caller knows the folder's short name and the platform. */
  readonly facts: Omit<ProbeFacts, 'folder' | 'platform'>;
};

/** For each of the calls that give the probe's session back. */
const giveBackMs = 1_000;

/** The time limit of a handshake for a command that may first download what it runs. Milliseconds. */
export function defaultHandshakeTimeout(command: string): number {
  return /(^|[\\/])(npx|uvx|bunx)(\.\w+)?$/.test(command) ? limits.handshakeDownload : limits.handshake;
}

/** Probes an agent. Rejects only with a HostError `cancelled`, when `signal` is aborted; then too nothing is left. */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  return (await runProbe(options)).report;
}

/** The same with what the report for a person tells beside it. */
export async function runProbe(options: ProbeOptions): Promise<ProbeResult> {
  const run = new ProbeRun(options);
  try {
    await run.execute();
  } finally {
    await run.stop();
  }
  if (options.signal?.aborted === true) {
    throw new HostError('cancelled', 'The probe was cancelled.');
  }
  return run.result(options.testTurn === true && run.opened ? await testTurn(options) : null);
}

function testTurn(options: ProbeOptions): Promise<TestTurn> {
  const { agentName, command, args, agentEnv, pass, cwd, timeoutMs, clientVersion, signal } = options;
  return runTestTurn({
    spec: { name: agentName, command, args, env: agentEnv },
    services: {
      log: options.log ?? { info: () => undefined, warn: () => undefined },
      clientVersion,
      passEnvironment: () => pass,
      baseEnvironment: () => Promise.resolve(options.base),
      ...(options.secret === undefined ? {} : { secret: options.secret }),
      handshakeTimeoutMs: () => timeoutMs,
    },
    startIn: cwd,
    signal: signal ?? new AbortController().signal,
  });
}

class ProbeRun {
  readonly #phases: { name: ProbePhase; ms: number }[] = [];
  #process: AgentProcess | undefined;
  #connection: Connection | undefined;
  #initialized: Initialized | undefined;
  #failure: StartFailure | undefined;
  /** What `session/new` was refused with, where that is no failure of its own. */
  #refusal: { readonly code: number; readonly message: string } | undefined;
  #sessionId: string | undefined;
  #session = 'not tried';
  #memory: TreeMemory | null = null;
  #ownExit: ExitFacts | null = null;
  #stopped = 'not started';
  #processLeft = false;
  #jail: PinStrength | null = null;

  constructor(private readonly options: ProbeOptions) {}

  async execute(): Promise<void> {
    const { options } = this;
    // Our own loading is no time of the agent's.
    await loadSdk();
    this.#jail = await openJail([options.cwd]).then(
      ({ strength }) => strength,
      () => null,
    );
    const started = await this.#timed('start', () => startAgent(options));
    if (!started.ok) {
      this.#failure = started.failure;
      return;
    }
    this.#process = started.process;
    const { process } = started;
    const shaken = await this.#timed('initialize', () =>
      handshake(process, {
        command: options.command,
        timeoutMs: options.timeoutMs,
        clientVersion: options.clientVersion,
        advertised: { read: false, write: false, terminal: false },
        sink: {
          served: {},
          onUpdate: () => undefined,
          onPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
          onNoise: () => undefined,
        },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    );
    this.#connection = shaken.connection;
    if (shaken.ok) {
      this.#initialized = shaken.initialized;
      await this.#timed('session/new', () => this.#newSession(process, shaken.connection, shaken.initialized));
    } else {
      this.#failure = this.#asRefusal(shaken.failure);
    }
  }

  async stop(): Promise<void> {
    const process = this.#process;
    if (process === undefined) {
      return;
    }
    this.#ownExit = process.endedByUs ? null : process.exitFacts();
    this.#memory = treeMemory(process.pid);
    await this.#timed('stop', async () => {
      await this.#giveBack();
      this.#connection?.close();
      await process.stop(limits.stopFast);
    });
    const exit = process.exitFacts();
    this.#processLeft = exit === null || processTable.marked(process.marker).length > 0;
    const words = exit === null ? 'it did not end' : exitWords(exit.code, exit.signal).replace(/^E/, 'e');
    const itself = process.endedBy === 'itself' || process.endedBy === 'stdin';
    const ended = itself && exit?.signal === null ? `ended by itself, ${words}` : words;
    const left =
      process.outlivedBy === 0 ? '' : `; ${processWords(process.outlivedBy)} of its own still ran and had to be ended`;
    this.#stopped = `${ended}${this.#exitsOnEnd() === false ? ', did not end with its input' : ''}${left}`;
  }

  /** Whether a session was opened, so that a prompt can be sent. */
  get opened(): boolean {
    return this.#failure === undefined && this.#sessionId !== undefined;
  }

  result(turn: TestTurn | null): ProbeResult {
    const { options } = this;
    const initialized = this.#initialized;
    const methods = (initialized?.authMethods ?? []).map((method) => redactStrings(method));
    const noise = this.#connection?.noise;
    const words = this.#words(methods);
    const offered = this.#failure?.reason === 'incompatible_protocol' ? this.#failure.offered : undefined;
    const report: ProbeReport = {
      reason: this.#failure?.reason ?? 'ok',
      authRequired: this.#failure?.reason === 'unauthenticated' || this.#refused() || methods.length > 0,
      exitCode: this.#ownExit?.code ?? null,
      signal: this.#ownExit?.signal ?? null,
      protocolVersion: initialized?.protocolVersion ?? (typeof offered === 'number' ? offered : null),
      agentInfo: initialized?.agentInfo ? redactStrings(initialized.agentInfo) : null,
      capabilities: initialized === undefined ? null : bounded(initialized.capabilities),
      authMethods: methods,
      phases: this.#phases,
      noise: (noise?.lines ?? []).map((line) => redact(line)),
      stderrTail: this.#process?.stderrTail() ?? [],
      memory: this.#memory,
      exitsOnEnd: this.#exitsOnEnd(),
      leftovers: this.#process?.outlivedBy ?? 0,
      testTurn: turn,
      ...words,
    };
    const facts = {
      agentName: options.agentName,
      commandLine: redact(showArguments([options.command, ...options.args])),
      pid: this.#process?.pid ?? null,
      session: this.#session,
      stop: this.#stopped,
      noiseCount: noise?.count ?? 0,
      processLeft: this.#processLeft,
      jail: this.#jail,
      variables: this.#process?.passed ?? [],
      testTurnWanted: options.testTurn === true,
    };
    return { report, facts };
  }

  /** null where it ended before its input did, or never ran. */
  #exitsOnEnd(): boolean | null {
    const by = this.#process?.endedBy ?? 'itself';
    return by === 'itself' ? null : by === 'stdin';
  }

  async #newSession(process: AgentProcess, connection: Connection, initialized: Initialized): Promise<void> {
    const { command, cwd, signal } = this.options;
    const timeoutMs = this.options.sessionTimeoutMs ?? this.options.timeoutMs;
    const answer = await Promise.race([
      connection
        .request('session/new', { cwd, mcpServers: [] }, { timeoutMs, ...(signal === undefined ? {} : { signal }) })
        .then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        ),
      process.exited.then(() => ({ exited: true })),
    ]);
    if ('result' in answer) {
      const id = isRecord(answer.result) ? answer.result['sessionId'] : undefined;
      this.#sessionId = typeof id === 'string' && id.length > 0 ? id : undefined;
      this.#session = this.#sessionId === undefined ? 'answered without a session id' : 'opened';
      return;
    }
    const refusal = 'error' in answer ? agentError(answer.error) : undefined;
    if (refusal !== undefined) {
      const message = redact(cut(refusal.message, limits.errorData));
      this.#refusal = { code: refusal.code, message };
      const signIn = refusal.code === authRequired;
      this.#session = signIn ? `refused: sign in first (${refusal.code})` : `refused: ${message} (${refusal.code})`;
      if (signIn && !initialized.authMethods.some(canSignIn)) {
        const methods = initialized.authMethods;
        this.#failure = { reason: 'unauthenticated', command, method: 'session/new', message, methods };
      }
      return;
    }
    if (process.exitFacts() !== null || 'exited' in answer || (await this.#exitsSoon(process))) {
      this.#session = 'the agent ended';
      this.#failure = exitFailure(process, command, await process.exited, 'session/new');
      return;
    }
    this.#session = 'no answer';
    this.#failure = {
      reason: 'handshake_timeout',
      command,
      method: 'session/new',
      ms: timeoutMs,
      noise: connection.noise.lines,
      stderrTail: process.stderrTail(),
    };
  }

  /** A pipe that broke is heard of before the exit that broke it. */
  async #exitsSoon(process: AgentProcess): Promise<boolean> {
    if (this.#connection?.reason === undefined) {
      return false;
    }
    const patience = new Promise((resolve) => setTimeout(resolve, limits.exitDrain * 4));
    await Promise.race([process.exited, patience]);
    return process.exitFacts() !== null;
  }

  /** `initialize` itself may be refused until somebody signs in. */
  #asRefusal(failure: StartFailure): StartFailure {
    if (failure.reason !== 'handshake_error' || failure.code !== authRequired) {
      return failure;
    }
    const { command, message, method } = failure;
    return { reason: 'unauthenticated', command, method, message, methods: [] };
  }

  /** Closes and deletes the session where that is offered, so that it stands in no list. */
  async #giveBack(): Promise<void> {
    const { can } = this.#initialized ?? {};
    if (this.#sessionId === undefined || this.#connection === undefined || can === undefined) {
      return;
    }
    const methods = [...(can.close ? ['session/close'] : []), ...(can.delete ? ['session/delete'] : [])];
    for (const method of methods) {
      await this.#connection
        .request(method, { sessionId: this.#sessionId }, { timeoutMs: giveBackMs })
        .catch((error: unknown) => this.options.log?.info(`${method}: ${plainLine(messageOf(error))}`));
    }
  }

  #refused(): boolean {
    return this.#refusal?.code === authRequired;
  }

  #words(methods: Initialized['authMethods']): { readonly message: string; readonly nextStep: string } {
    const { agentName, command, args } = this.options;
    if (this.#failure !== undefined) {
      const { message, nextStep } = describeFailure(this.#failure, agentName);
      return { message: redact(message), nextStep: redact(nextStep) };
    }
    const howToSignIn = signInStep(methods, agentName, knownAgent(command, args)?.signIn);
    if (this.#refused()) {
      return {
        message: 'Works, after signing in. The agent starts and answers correctly; nobody is signed in yet.',
        nextStep: howToSignIn,
      };
    }
    if (this.#refusal !== undefined || this.#sessionId === undefined) {
      const { code, message } = this.#refusal ?? { code: 'no session id', message: 'an answer without a session' };
      return {
        message: `The agent starts and answers \`initialize\`. It opened no session: “${plainLine(message)}” (${code}).`,
        nextStep: `Look up this answer in the documentation of ${agentName}, then probe again.`,
      };
    }
    if (methods.length > 0) {
      return {
        message: 'Works, after signing in. It opened a session already, so you may be signed in.',
        nextStep: `If it refuses a prompt: ${howToSignIn}`,
      };
    }
    return {
      message: `Works. The agent speaks protocol version ${protocolVersion} and opened a session.`,
      nextStep: 'Choose it in the chat panel and send a prompt.',
    };
  }

  async #timed<T>(name: ProbePhase, action: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await action();
    } finally {
      this.#phases.push({ name, ms: Math.round(performance.now() - started) });
    }
  }
}

/** A copy whose strings are redacted; not deep. */
function redactStrings<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      name,
      typeof field === 'string' ? redact(field) : field,
    ]),
  ) as T;
}

/** Capabilities as sent, unless they are absurdly large. */
function bounded(capabilities: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.stringify(capabilities).length > limits.redact ? {} : capabilities;
}
