/**
 * One scripted turn that shows how an agent works: does it read, write and run through the host, does it ask, what does
 * it hold and leave. Sends a prompt, which may cost money: only where a person asked for it. The agent works in a fresh
 * folder, which is taken away again; only what the prompt asks for is allowed, each time once.
 */
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError, messageOf } from '../core/errors.js';
import { testSteps, type AskedBy, type DoneBy, type TestStep, type TestTurn } from '../core/testTurn.js';
import { cut, limits } from '../core/text/limits.js';
import { redact } from '../core/text/redact.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { entriesOf, type Approval } from '../core/transcript/model.js';
import { asksNothing, modeControl } from '../core/transcript/modes.js';
import { Agent, type AgentServices, type AgentSpec } from './agent.js';
import { Approvals } from './approvals.js';
import { noEditor } from './noEditor.js';
import { treeMemory } from './process/memory.js';
import type { AgentSession } from './session.js';
import { within } from './within.js';

export type TestTurnRequest = {
  readonly spec: AgentSpec;
  readonly services: Omit<AgentServices, 'approvals' | 'editor' | 'policy' | 'isTrusted'>;
  /** Where the process starts; the session works in a fresh folder. */
  readonly startIn: string;
  readonly signal: AbortSignal;
  /** Longest time for the turn; milliseconds. */
  readonly timeoutMs?: number;
};

const words = ['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven'];
const files: Readonly<Record<TestStep, string>> = { read: 'word.txt', edit: 'colour.txt', command: 'ran.txt' };
const [before, after] = ['colour = red', 'colour = blue'];
/** Between two looks at the memory of the agent's processes, which each take some ten milliseconds. */
const lookMs = 250;

/** Runs the turn. Rejects only with a HostError `cancelled`, when `signal` is aborted; nothing is left either way. */
export async function runTestTurn(request: TestTurnRequest): Promise<TestTurn> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'acp-test-turn-')));
  const word = `${words[randomInt(words.length)] ?? 'word'}-${randomInt(1_000_000)}`;
  await writeFile(join(folder, files.read), `${word}\n`);
  await writeFile(join(folder, files.edit), `${before}\n`);
  const run = new TestTurnRun(request, folder, word);
  try {
    return await run.execute();
  } finally {
    await run.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The command of the turn; its path is absolute, since agents start shells where they like. */
function testCommand(folder: string): string {
  const path = join(folder, files.command);
  return `echo done > ${/\s/.test(path) ? `"${path}"` : path}`;
}

/** The prompt of the turn, for this folder. */
export function testPrompt(folder: string): string {
  return [
    `This is a test of how you work together with an editor. Work only in the folder ${folder}, with your own tools:`,
    `1. Read the file ${join(folder, files.read)}.`,
    `2. In the file ${join(folder, files.edit)} change the line "${before}" to "${after}".`,
    `3. Run this shell command: ${testCommand(folder)}`,
    `Then answer with the word that ${files.read} contains, and stop. Do nothing else.`,
  ].join('\n');
}

class TestTurnRun {
  readonly #approvals = new Approvals();
  readonly #agent: Agent;
  readonly #session: AgentSession;
  readonly #events: SessionEvent[] = [];
  readonly #asked = new Map<TestStep, Set<'agent' | 'host'>>(testSteps.map((step) => [step, new Set()]));
  #denied = 0;
  #unclear = 0;
  #memory: TestTurn['memory'] = null;
  #lookedAt = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly request: TestTurnRequest,
    private readonly folder: string,
    private readonly word: string,
  ) {
    this.#agent = new Agent(
      request.spec,
      { name: 'test', path: folder, more: [], startIn: request.startIn },
      {
        ...request.services,
        approvals: this.#approvals,
        editor: noEditor,
        policy: () => ({ read: true, write: 'ask', terminal: 'ask', acknowledged: false }),
        isTrusted: () => true,
      },
    );
    this.#session = this.#agent.createSession();
    this.#session.onEvent((event) => {
      this.#take(event);
    });
    this.#approvals.onDidChange(() => {
      // After the request's own event was told and the code that asked has its promise.
      queueMicrotask(() => {
        this.#answer();
      });
    });
  }

  async execute(): Promise<TestTurn> {
    const { signal, timeoutMs = limits.testTurn } = this.request;
    try {
      await this.#agent.open(this.#session, signal);
    } catch (error) {
      this.#throwIfCancelled();
      return this.#result('not_started', messageOf(error), 0);
    }
    const mode = this.#mode();
    this.#look();
    const started = performance.now();
    const ended = new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#session.prompt(testPrompt(this.folder));
    const inTime = await within(
      ended.then(() => true),
      timeoutMs,
    );
    this.#throwIfCancelled();
    const ms = Math.round(performance.now() - started);
    if (inTime !== true) {
      this.#session.cancel();
    }
    await this.#agent.settled(this.#session);
    this.#look();
    const [outcome, message] = inTime === true ? this.#ending() : (['timed_out', null] as const);
    return { ...(await this.#result(outcome, message, ms)), mode };
  }

  /** Ends at once what still runs or starts, and waits until it is gone. */
  async end(): Promise<void> {
    const { process } = this.#agent;
    this.#agent.dispose();
    await this.#agent.start().catch(() => undefined);
    await process?.stop(limits.stopFast);
  }

  async #result(outcome: string, message: string | null, ms: number): Promise<TestTurn> {
    const steps = await this.#steps();
    const { process } = this.#agent;
    await this.#agent.stop();
    return {
      outcome,
      message: message === null ? null : redact(cut(message, limits.errorData)),
      ms,
      steps,
      denied: this.#denied,
      unclear: this.#unclear,
      mode: null,
      memory: this.#memory,
      exitsOnEnd: process === null || process.endedBy === 'itself' ? null : process.endedBy === 'stdin',
      leftovers: process?.outlivedBy ?? 0,
    };
  }

  #take(event: SessionEvent): void {
    this.#events.push(event);
    if (event.type === 'turnEnded' || event.type === 'turnFailed' || event.type === 'agentExited') {
      this.#wake();
    } else if (performance.now() - this.#lookedAt > lookMs) {
      this.#look();
    }
  }

  #look(): void {
    const { process } = this.#agent;
    const now = process === null ? null : treeMemory(process.pid);
    if (now !== null && now.bytes > (this.#memory?.bytes ?? 0)) {
      this.#memory = now;
    }
    this.#lookedAt = performance.now();
  }

  #answer(): void {
    for (const { approval } of [...this.#approvals.pending]) {
      if (approval.preparing === true) {
        continue;
      }
      const step = stepOf(approval);
      const allowed = step !== undefined && isOfTest(approval, this.folder);
      if (allowed) {
        this.#asked.get(step)?.add(approval.origin);
      }
      if (allowed && this.#approvals.decide(approval.approvalId, 'allow_once')) {
        continue;
      }
      this.#unclear += allowed ? 1 : 0;
      this.#denied += allowed ? 0 : 1;
      this.#approvals.decide(approval.approvalId, 'reject_once');
    }
  }

  #mode(): TestTurn['mode'] {
    const { transcript } = this.#session;
    const control = modeControl(transcript);
    return control === null ? null : { name: control.current.name, asksNothing: asksNothing(transcript) !== null };
  }

  #ending(): readonly [string, string | null] {
    const last = this.#events.findLast(
      ({ type }) => type === 'turnEnded' || type === 'turnFailed' || type === 'agentExited',
    );
    switch (last?.type) {
      case 'turnEnded':
        return [last.stopReason, null];
      case 'turnFailed':
        return ['failed', last.message];
      default:
        return ['failed', 'The agent ended.'];
    }
  }

  async #steps(): Promise<TestTurn['steps']> {
    const text = (name: string): Promise<string> => readFile(join(this.folder, name), 'utf8').catch(() => '');
    const doneBy = (done: boolean, host: boolean): DoneBy => (!done ? 'nobody' : host ? 'host' : 'agent');
    const isRead = this.#served('fileRead', files.read);
    const changed = (await text(files.edit)).includes(after);
    const ran = (await text(files.command)).includes('done');
    const facts = (step: TestStep, by: DoneBy): TestTurn['steps'][TestStep] => {
      const [first, second] = [...(this.#asked.get(step) ?? [])];
      const askedBy: AskedBy = second !== undefined ? 'both' : (first ?? 'nobody');
      return { doneBy: by, askedBy };
    };
    return {
      read: facts('read', doneBy(isRead || this.#readItself(), isRead)),
      edit: facts('edit', doneBy(changed, this.#served('fileWritten', files.edit) || this.#ranHere(files.edit))),
      command: facts('command', doneBy(ran, this.#ranHere(files.command))),
    };
  }

  /**
   * Whether it read the file itself: the word came back, in the answer, whose pieces may cut it, or in what a tool
   * showed; or a call that reads this file is completed.
   */
  #readItself(): boolean {
    const entries = entriesOf(this.#session.transcript).filter(({ kind }) => kind !== 'user');
    return (
      JSON.stringify(entries).includes(this.word) ||
      entries.some(
        (entry) =>
          entry.kind === 'tool' &&
          entry.toolKind === 'read' &&
          entry.status === 'completed' &&
          JSON.stringify([entry.title, entry.locations]).includes(files.read),
      )
    );
  }

  #served(type: 'fileRead' | 'fileWritten', name: string): boolean {
    return this.#events.some(
      (event) => event.type === type && event.outcome === 'done' && event.canonical === join(this.folder, name),
    );
  }

  /** Whether a terminal of the host ran a command that names the file. */
  #ranHere(name: string): boolean {
    return this.#events.some((event) => event.type === 'terminalStarted' && event.command.includes(name));
  }

  #throwIfCancelled(): void {
    if (this.request.signal.aborted) {
      throw new HostError('cancelled', 'The test turn was cancelled.');
    }
  }
}

/** Which step a request is about: by the file that it names, else by what it would do. */
function stepOf({ verb, title, command: line, paths, agentWords }: Approval): TestStep | undefined {
  const said = [line, ...paths, title, agentWords].join('\n');
  const named = (['command', 'edit', 'read'] as const).find((step) => said.includes(files[step]));
  if (named !== undefined) {
    return named;
  }
  return verb === 'read' ? 'read' : verb === 'edit' ? 'edit' : undefined;
}

/**
 * Whether a request stays within what the prompt asks for. A command is the prompt's own, or, where the agent runs it
 * itself, a plain reader or editor of text; an allowed command may be run by the host as it was shown.
 */
function isOfTest({ origin, command: line, paths }: Approval, folder: string): boolean {
  const inside = paths.every((path) => path === folder || path.startsWith(join(folder, '/')));
  if (!inside) {
    return false;
  }
  return line === undefined
    ? origin === 'agent' || paths.length > 0
    : isTestCommand(line, folder) || (origin === 'agent' && plainTool.test(innerCommand(line, folder)));
}

const plainTool = /^(?:cat|head|tail|sed)\s[^;&|`$<>\n]*$/;

/** The command of the prompt, alone, also behind a shell's `-c` and a change into the folder. */
export function isTestCommand(line: string, folder: string): boolean {
  return innerCommand(line, folder) === testCommand(folder);
}

/** A shell that is told to run what follows. */
const shells = [
  /^\s*(?:\S*\/)?(?:ba|z|da|k)?sh\s+-l?c\s+([^]*)$/,
  /^\s*(?:\S*\\)?cmd(?:\.exe)?\s+(?:\/[ds]\s+)*\/c\s+([^]*)$/i,
  /^\s*(?:\S*[\\/])?(?:pwsh|powershell)(?:\.exe)?\s+(?:-NoProfile\s+)?-Command\s+([^]*)$/i,
];

function innerCommand(line: string, folder: string): string {
  const shell = shells.map((pattern) => pattern.exec(line)?.[1]).find((rest) => rest !== undefined);
  const inner = shell === undefined ? line.trim() : unquoted(shell.trim());
  const names = [folder, `'${folder}'`, `"${folder}"`];
  const cd = names.map((name) => `cd ${name} && `).find((prefix) => inner.startsWith(prefix));
  return inner.slice(cd?.length ?? 0).trim();
}

function unquoted(text: string): string {
  return text
    .replace(/^'([^]*)'$/, '$1')
    .replaceAll(`'\\''`, `'`)
    .replace(/^"([^]*)"$/, '$1');
}
