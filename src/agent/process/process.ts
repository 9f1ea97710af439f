/** An agent's process: its environment built, its program found and started, its stderr drained and kept. */
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { ExitFacts, StartFailure } from '../../core/failures.js';
import { knownAgent } from '../agentTable.js';
import type { Log } from '../ports.js';
import { neverShow } from '../../core/text/redact.js';
import { buildEnvironment, secretValues, type BaseEnvironment } from './environment.js';
import { interpreterOf, resolveCommand, spawnArguments } from './launch.js';
import { newMarker, OwnedProcess, spawnFailure, type EndedBy, type StopBudget } from './ownedProcess.js';
import { resolveSecrets, type SecretLookup } from './secretReferences.js';
import { StderrRing } from './stderr.js';

export type AgentStart = {
  /** As configured: a name to find in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of the agent's settings; `null` takes one away. */
  readonly agentEnv: Readonly<Record<string, string | null>>;
  /** `acpHost.environment.pass`: further names to inherit. */
  readonly pass: readonly string[];
  readonly cwd: string;
  readonly log?: Log;
  /** Variables of the host's own, applied last. */
  readonly hostEnv?: Readonly<Record<string, string>>;
  readonly base?: BaseEnvironment;
  /** Where values of the form `${secret:NAME}` are looked up. */
  readonly secret?: SecretLookup;
};

export type StartResult =
  { readonly ok: true; readonly process: AgentProcess } | { readonly ok: false; readonly failure: StartFailure };

export interface AgentProcess {
  readonly pid: number;
  readonly marker: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Last lines of stderr, redacted over the whole of what is kept. */
  stderrTail(lines?: number): string[];
  /** Resolves after the exit and a drain of at most `limits.exitDrain` ms; never rejects. */
  readonly exited: Promise<ExitFacts>;
  /** null while it runs; set at the exit itself, before `exited` resolves. */
  exitFacts(): ExitFacts | null;
  /** Whether this side began to end it. */
  readonly endedByUs: boolean;
  /** What made it end, or null while it runs. */
  readonly endedBy: EndedBy | null;
  /** How many of its descendants still ran when it had ended; this side ended them then. */
  readonly outlivedBy: number;
  /** Names of the environment variables that it was given. */
  readonly passed: readonly string[];
  /** Ends it and all its descendants within the budget (`limits.stop`). Twice is safe. */
  stop(budget?: StopBudget): Promise<void>;
  /** The same with SIGKILL and at once. */
  killNow(): void;
}

/** Starts an agent, or says why it cannot be started. Never rejects; the process is in the registry when it resolves. */
export async function startAgent(start: AgentStart): Promise<StartResult> {
  const { command, args, cwd, log } = start;
  const failed = (failure: StartFailure): StartResult => ({ ok: false, failure });
  const own = await resolveSecrets(start.agentEnv, start.secret);
  if ('missing' in own) {
    return failed({ reason: 'spawn_error', detail: 'noSecret', command, secret: own.missing });
  }
  const { env, passed, notes } = buildEnvironment({
    pass: start.pass,
    agentNames: knownAgent(command, args)?.environment ?? [],
    agentEnv: own.env,
    marker: newMarker(),
    ...(start.hostEnv === undefined ? {} : { hostEnv: start.hostEnv }),
    ...(start.base === undefined ? {} : { base: start.base }),
  });
  const secrets = [...secretValues(env, own.env), ...own.secrets];
  neverShow(secrets);
  for (const note of notes) {
    log?.warn(note);
  }
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    return failed({ reason: 'spawn_error', detail: 'noFolder', command, folder: cwd });
  }
  const resolved = await resolveCommand(command, env);
  if ('reason' in resolved) {
    return failed(resolved);
  }
  const spawned = spawnArguments(resolved, args);
  if (spawned === undefined) {
    return failed({ reason: 'spawn_error', detail: 'batch', command });
  }
  const owned = await OwnedProcess.start({ file: resolved.file, ...spawned, cwd, env });
  if ('error' in owned) {
    const failure = spawnFailure(command, owned.error);
    const interpreter = failure.reason === 'missing_binary' ? await interpreterOf(resolved.file) : undefined;
    return failed(
      interpreter === undefined ? failure : { reason: 'missing_binary', detail: 'interpreter', command, interpreter },
    );
  }
  log?.info(`Started ${resolved.file} as process ${owned.pid}. It was given ${passed.join(', ')}.`);
  return { ok: true, process: new Agent(owned, new StderrRing(secrets), passed) };
}

class Agent implements AgentProcess {
  constructor(
    private readonly owned: OwnedProcess,
    private readonly ring: StderrRing,
    readonly passed: readonly string[],
  ) {
    owned.stderr.on('data', (chunk: Buffer) => ring.push(chunk));
  }

  get pid(): number {
    return this.owned.pid;
  }
  get marker(): string {
    return this.owned.marker;
  }
  get stdin(): Writable {
    return this.owned.stdin;
  }
  get stdout(): Readable {
    return this.owned.stdout;
  }
  get exited(): Promise<ExitFacts> {
    return this.owned.exited;
  }
  get endedByUs(): boolean {
    return this.owned.endedByUs;
  }
  get endedBy(): EndedBy | null {
    return this.owned.endedBy;
  }
  get outlivedBy(): number {
    return this.owned.outlivedBy;
  }
  stderrTail(lines?: number): string[] {
    return this.ring.tail(lines);
  }
  exitFacts(): ExitFacts | null {
    return this.owned.exitFacts();
  }
  stop(budget?: StopBudget): Promise<void> {
    return this.owned.stop(budget);
  }
  killNow(): void {
    this.owned.killNow();
  }
}
