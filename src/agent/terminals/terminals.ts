/**
 * `terminal/*`: commands that the host runs for an agent, after a person allowed them. Arguments are data; a whole
 * command line without arguments goes through `/bin/sh -c`, and the card says so. Each command leads its own process
 * group and ends with its session.
 * https://agentclientprotocol.com/protocol/terminals
 */
import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { HostError } from '../../core/errors.js';
import { decide } from '../../core/policy/decide.js';
import { changesPrograms } from '../../core/text/cardNotes.js';
import { cut, limits } from '../../core/text/limits.js';
import { visible, visibleName } from '../../core/text/visible.js';
import type { ApprovalMark } from '../../core/transcript/model.js';
import { showArguments } from '../commandOf.js';
import { hostOptions } from '../files/questions.js';
import type { WorkingFolder } from '../files/workingFolder.js';
import type { ApprovalGate, Decision, Log, ServePolicy } from '../ports.js';
import { markerName } from '../process/environment.js';
import { resolveCommand, spawnArguments } from '../process/launch.js';
import { OwnedProcess } from '../process/ownedProcess.js';
import type { AgentSession } from '../session.js';
import { isRecord } from '../wire/framing.js';
import { OutputRing } from './outputRing.js';

export type TerminalDeps = {
  readonly session: AgentSession;
  readonly cwd: string;
  readonly gate: ApprovalGate;
  readonly log: Log;
  policy(): ServePolicy;
  /** Holds the folder of a command while a person decides. */
  pinFolder(path: string): Promise<WorkingFolder>;
  /** The agent's environment with additions, for a command. */
  environment(overlay: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
};

type Terminal = {
  readonly process: OwnedProcess;
  readonly ring: OutputRing;
  exit: { readonly exitCode: number | null; readonly signal: string | null } | null;
  timer: NodeJS.Timeout | undefined;
};
type Spawn = {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
  readonly line: string;
  readonly shell: boolean;
};

/** How often the view hears of new output, in ms. */
const outputEvery = 50;

export class Terminals {
  #next = 1;
  #beingMade = 0;
  readonly #live = new Map<string, Terminal>();

  constructor(private readonly deps: TerminalDeps) {}

  /** `signal` ends with the request, the turn and the agent's process: a command that comes too late is not left. */
  async create(params: Record<string, unknown>, signal: AbortSignal): Promise<{ terminalId: string }> {
    const request = readRequest(params);
    if (this.#live.size + this.#beingMade >= limits.terminals) {
      throw new HostError('refused', `At most ${String(limits.terminals)} terminals may be open. Release some first.`);
    }
    this.#beingMade += 1;
    try {
      return await this.#create(request, signal);
    } finally {
      this.#beingMade -= 1;
    }
  }

  async #create(request: Request, signal: AbortSignal): Promise<{ terminalId: string }> {
    const folder = await this.deps.pinFolder(request.cwd ?? this.deps.cwd);
    try {
      return await this.#run(request, folder, signal);
    } finally {
      await folder.close();
    }
  }

  async #run(request: Request, folder: WorkingFolder, signal: AbortSignal): Promise<{ terminalId: string }> {
    const { session } = this.deps;
    const cwd = folder.canonical;
    const env = this.deps.environment(request.env);
    const spawn = await toSpawn(request, env);
    await this.#allow(spawn, cwd, additionsOf(request.env, env), signal);
    await folder.refuseMoved();
    const { file, args, verbatim } = spawn;
    const started = await OwnedProcess.start({ file, args, verbatim, cwd: folder.path, env });
    if ('error' in started) {
      throw new HostError('io', `The command could not be started: ${started.error.message}`);
    }
    if (signal.aborted) {
      started.killNow();
      throw new HostError('cancelled', 'The request was cancelled.');
    }
    const terminalId = `t${String(this.#next++)}`;
    const terminal: Terminal = {
      process: started,
      ring: new OutputRing(request.byteLimit),
      exit: null,
      timer: undefined,
    };
    this.#live.set(terminalId, terminal);
    session.emit({ type: 'terminalStarted', at: session.now(), terminalId, command: spawn.line, cwd });
    // A command that waits for input would wait for ever.
    started.stdin.end();
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        terminal.ring.push(chunk);
        this.#announce(terminalId, terminal);
      });
    }
    void started.exited.then(({ code, signal: by }) => {
      terminal.ring.end();
      terminal.exit = { exitCode: code, signal: by };
      this.#flush(terminalId, terminal);
      session.emit({ type: 'terminalExited', at: session.now(), terminalId, code, signal: by });
    });
    return { terminalId };
  }

  output(params: Record<string, unknown>): Promise<unknown> {
    const terminal = this.#find(params);
    return Promise.resolve({
      output: terminal.ring.text(),
      truncated: terminal.ring.truncated,
      ...(terminal.exit === null ? {} : { exitStatus: terminal.exit }),
    });
  }

  async waitForExit(params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const terminal = this.#find(params);
    await Promise.race([
      terminal.process.exited,
      new Promise((_resolve, reject) => {
        signal.addEventListener(
          'abort',
          () => {
            reject(new HostError('cancelled', 'Cancelled.'));
          },
          { once: true },
        );
      }),
    ]);
    const facts = terminal.process.exitFacts();
    return { exitCode: facts?.code ?? null, signal: facts?.signal ?? null };
  }

  async kill(params: Record<string, unknown>): Promise<Record<string, never>> {
    const terminal = this.#find(params);
    terminal.process.killNow();
    await terminal.process.exited;
    return {};
  }

  async release(params: Record<string, unknown>): Promise<Record<string, never>> {
    const terminal = this.#find(params);
    this.#live.delete(String(params['terminalId']));
    if (terminal.process.exitFacts() === null) {
      terminal.process.killNow();
      await terminal.process.exited;
    }
    return {};
  }

  /** The turn was cancelled: its commands end, their output stays. */
  stopRunning(): void {
    for (const { process } of this.#live.values()) {
      if (process.exitFacts() === null) {
        process.killNow();
      }
    }
  }

  releaseAll(): void {
    this.stopRunning();
    this.#live.clear();
  }

  #find(params: Record<string, unknown>): Terminal {
    const { terminalId } = params;
    const terminal = typeof terminalId === 'string' ? this.#live.get(terminalId) : undefined;
    if (terminal === undefined) {
      throw new HostError('badParams', 'No such terminal.');
    }
    return terminal;
  }

  async #allow(spawn: Spawn, cwd: string, environment: readonly string[], signal: AbortSignal): Promise<void> {
    const { gate } = this.deps;
    const verdict = decide({ by: 'host', act: 'terminal' }, this.deps.policy(), { interactive: true, trusted: true });
    if (verdict.verdict === 'deny') {
      throw new HostError('off', 'Running commands is switched off here.');
    }
    if (verdict.verdict === 'allow') {
      return;
    }
    const marks: ApprovalMark[] = [];
    if (visible(spawn.line).hidden || [cwd, ...environment].some((text) => visibleName(text).hidden)) {
      marks.push('hidden');
    }
    if (environment.some(changesPrograms)) {
      marks.push('variables');
    }
    if (spawn.shell) {
      marks.push('shell');
    }
    const decision = await gate.ask({
      origin: 'host',
      verb: 'execute',
      title: 'Run a command?',
      paths: [],
      command: spawn.line,
      cwd,
      environment,
      options: hostOptions,
      marks,
      signal,
    });
    refuse(decision);
  }

  #announce(terminalId: string, terminal: Terminal): void {
    terminal.timer ??= setTimeout(() => {
      this.#flush(terminalId, terminal);
    }, outputEvery);
  }

  #flush(terminalId: string, terminal: Terminal): void {
    clearTimeout(terminal.timer);
    terminal.timer = undefined;
    const { session } = this.deps;
    const { ring } = terminal;
    const tail = ring.text().slice(-limits.terminalTail);
    session.emit({
      type: 'terminalOutput',
      at: session.now(),
      terminalId,
      tail,
      lines: ring.lines,
      truncated: ring.truncated,
    });
  }
}

function refuse(decision: Decision): void {
  if (decision.outcome === 'denied') {
    const comment = decision.comment === undefined ? '' : ` They said: ${decision.comment}`;
    throw new HostError('refused', `The person did not allow this command.${comment}`);
  }
  if (decision.outcome === 'cancelled') {
    throw new HostError('cancelled', 'The request was cancelled.');
  }
}

type Request = {
  readonly command: string;
  readonly args: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly byteLimit: number;
};

function readRequest(params: Record<string, unknown>): Request {
  const { command, args, cwd, outputByteLimit } = params;
  if (
    typeof command !== 'string' ||
    command.length === 0 ||
    command.length > limits.command ||
    command.includes('\0')
  ) {
    throw new HostError('badParams', 'The command must be a text.');
  }
  if (args !== undefined && args !== null && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
    throw new HostError('badParams', 'The arguments must be texts.');
  }
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') {
    throw new HostError('badParams', 'The cwd must be a text.');
  }
  const limit =
    typeof outputByteLimit === 'number' && outputByteLimit >= 0 ? Math.floor(outputByteLimit) : limits.terminalBytes;
  return {
    command,
    args: (args as readonly string[] | null | undefined) ?? undefined,
    env: readEnv(params['env']),
    cwd: cwd ?? undefined,
    byteLimit: Math.min(limit, limits.terminalBytes),
  };
}

function readEnv(value: unknown): Record<string, string> {
  if (!Array.isArray(value)) {
    return {};
  }
  const pairs = value.slice(0, 100).flatMap((item): [string, string][] => {
    if (!isRecord(item)) {
      return [];
    }
    const { name, value: text } = item;
    const usable =
      typeof name === 'string' && typeof text === 'string' && /^[^=\0]+$/.test(name) && !text.includes('\0');
    return usable ? [[cut(name, limits.path), text]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The additions that count, as a person should see them: what a variable holds can decide what a command does. */
function additionsOf(wanted: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>): string[] {
  return Object.keys(wanted)
    .filter((name) => name !== markerName && (wanted[name] === '' || Object.hasOwn(env, name)))
    .map((name) => cut(`${name}=${Object.hasOwn(env, name) ? (env[name] ?? '') : ''}`, limits.title));
}

/** What is run for a request. Without arguments and with a blank in it, the command is a line for the shell. */
async function toSpawn(request: Request, env: Readonly<Record<string, string>>): Promise<Spawn> {
  const { command, args } = request;
  if ((args === undefined || args.length === 0) && /\s|[|&;<>()$`"'*?#~]/.test(command) && !isFile(command)) {
    return { file: '/bin/sh', args: ['-c', command], verbatim: false, line: command, shell: true };
  }
  const line = showArguments([command, ...(args ?? [])]);
  const resolved = await resolveCommand(command, env);
  if ('reason' in resolved) {
    throw new HostError('notFound', `The command was not found: ${cut(command, 200)}`);
  }
  const spawned = spawnArguments(resolved, args ?? []);
  if (spawned === undefined) {
    throw new HostError(
      'badParams',
      'A batch file cannot take an argument with a quote, a percent sign or a line end.',
    );
  }
  return { file: resolved.file, ...spawned, line, shell: false };
}

function isFile(path: string): boolean {
  if (!isAbsolute(path)) {
    return false;
  }
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
