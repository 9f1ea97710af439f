/** One real agent under test, and what every scenario may ask of it. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { HeadlessRun, PrintedEntry } from '../headless.js';
import { startMockModel, type MockModel } from '../mockModel/server.js';
import type { AgentName } from './install.js';
import { testTurnSteps } from './testTurnSteps.js';
import { launch, type RealAgent } from './launch.js';
import { makePlace, runReal, type Place, type RealRun } from './realRun.js';

export const BEFORE = 'export function add(a, b) {\n  return a - b;\n}\n';
export const AFTER = 'export function add(a, b) {\n  return a + b;\n}\n';
export const SECRET_LINE = 'second line of the notes';
const FILES = { 'src/add.js': BEFORE, 'notes.txt': `first line\n${SECRET_LINE}\n` };

export type Traits = {
  /** Why it cannot be told by a prompt what to do. */
  readonly noModel?: string;
  /** Why it publishes no plan. */
  readonly noPlan?: string;
  /** The variable without which a launcher starts a second process. */
  readonly launcher?: string;
  /** What is set before the first prompt: some start in a mode that asks nothing. */
  readonly prelude: readonly Record<string, unknown>[];
  /** What no scenario shows, for the document. */
  readonly note?: string;
};

export type Scenario = {
  /** The row in the document. */
  readonly row: string;
  /** Why this agent does not offer it, or undefined. */
  readonly lacks?: (traits: Traits) => string | undefined;
  /** A folder under Git. */
  readonly git?: true;
  /** Asserts what holds for every agent, and resolves with what this one did, in a few words. */
  readonly run: (subject: Subject) => Promise<string>;
};

export const needsModel = ({ noModel }: Traits): string | undefined => noModel;

/** An agent in one scenario: a fresh home, a fresh folder, a model that counts from the start. */
export class Subject {
  private constructor(
    readonly name: AgentName,
    readonly traits: Traits,
    readonly agent: RealAgent,
    readonly place: Place,
    readonly model: MockModel,
  ) {}

  static async make(name: AgentName, traits: Traits, git: boolean): Promise<Subject> {
    const model = await startMockModel(testTurnSteps);
    const agent = await launch(name, model.url);
    return new Subject(name, traits, agent, makePlace(FILES, { git, home: agent.home }), model);
  }

  /** The same with another key, or without some of its variables. */
  with(env: Readonly<Record<string, string | undefined>>): Subject {
    const kept = Object.entries({ ...this.agent.env, ...env }).filter((pair): pair is [string, string] => !!pair[1]);
    const agent = { ...this.agent, env: Object.fromEntries(kept) };
    return new Subject(this.name, this.traits, agent, this.place, this.model);
  }

  /** The same with another key, or with none. */
  withKey(key: string | undefined): Subject {
    const keys = Object.entries(this.agent.env).filter(([, value]) => value.startsWith('mock-key'));
    return this.with(Object.fromEntries(keys.map(([name]) => [name, key])));
  }

  /** The same as a person gets it who sets nothing before the first prompt. */
  untouched(): Subject {
    return new Subject(this.name, { ...this.traits, prelude: [] }, this.agent, this.place, this.model);
  }

  /** Runs the host with these actions after what this agent needs first. */
  async drive(
    script: RealRun['script'],
    options: readonly string[] = [],
    status: number | 'any' = 0,
    onLine: () => void = () => undefined,
  ): Promise<HeadlessRun> {
    const actions = [...this.traits.prelude, ...(script ?? [])];
    const run = await runReal(this.agent, this.place, { script: actions, options, onLine });
    if (status !== 'any') {
      assert.equal(run.status, status, `${run.stderr}\n${JSON.stringify(run.lines.slice(-5), null, 1)}`);
    }
    assert.deepEqual(run.events('noise'), []);
    assert.deepEqual(open(run), [], 'every tool call is settled');
    assert.deepEqual(wronglyMarked(run), [], 'a change that nobody was asked for is marked, and no other');
    return run;
  }

  /** Kills the host with SIGKILL when the file is there; what it had started has to go by itself. */
  async killHost(script: RealRun['script'], options: readonly string[], file: string): Promise<void> {
    let host: number | undefined;
    const run = runReal(this.agent, this.place, {
      script: [...this.traits.prelude, ...(script ?? [])],
      options,
      onLine: (_line, pid) => (host = pid),
    });
    const ended = run.then(({ status, stderr }) => ({ status, stderr }));
    while (!this.place.has(file) && (await Promise.race([ended, delay(20)])) === undefined) {
      // The next look at it.
    }
    if (host === undefined || !this.place.has(file)) {
      assert.fail(`the host ended before: ${JSON.stringify(await ended)}`);
    }
    process.kill(host, 'SIGKILL');
    assert.equal((await ended).status, null, 'it ended by a signal');
  }

  prompt(text: string, options: readonly string[] = [], status = 0): Promise<HeadlessRun> {
    return this.drive([{ do: 'prompt', text }], options, status);
  }

  get edit(): string {
    return `[[mock:edit path=${this.place.file('src/add.js')} old="  return a - b;" new="  return a + b;"]]`;
  }

  /** Rejects where a process of it is left. */
  async dispose(): Promise<void> {
    await this.model.close();
    await this.place.noProcessLeft().finally(() => this.place.dispose());
  }
}

const open = (run: HeadlessRun): readonly PrintedEntry[] =>
  run.entries.filter(({ kind, status }) => kind === 'tool' && (status === 'pending' || status === 'in_progress'));

/** Cards whose mark `didNotAsk` does not say what the run says: done, and neither asked nor served by the host. */
function wronglyMarked(run: HeadlessRun): readonly string[] {
  const asked = new Set(run.events('approval').map(({ toolCallId }) => toolCallId));
  return run.entries
    .filter((entry) => {
      const changes = ['edit', 'delete', 'move', 'execute'].includes(String(entry['toolKind']));
      const done = entry['status'] === 'completed' && entry['provenance'] === undefined;
      return (changes && done && !asked.has(entry['toolCallId'])) !== (entry['didNotAsk'] === true);
    })
    .map(({ title, toolKind }) => `${String(toolKind)}: ${String(title)}`);
}

/** The texts of one kind of entry, one after the other. */
export const kept = (run: HeadlessRun, kind: string): string =>
  run.entries
    .filter((entry) => entry.kind === kind)
    .map(({ text }) => text ?? '')
    .join('\n');

export const stopReasons = (run: HeadlessRun): unknown[] => run.events('turnEnded').map(({ stopReason }) => stopReason);

/** Fails where nobody was asked and said No. */
export function isDenied(run: HeadlessRun): void {
  assert.ok(
    run.events('approvalSettled').some(({ outcome }) => outcome === 'denied'),
    'somebody was asked',
  );
}

/** How often a person was asked, and by whom. */
export function questions(run: HeadlessRun): string {
  const from = run.events('approval').map(({ origin }) => (origin === 'agent' ? "the agent's" : "the host's"));
  const [first = '', ...more] = from;
  if (more.length === 0) {
    return first === '' ? 'no question' : `one question, ${first}`;
  }
  return `${from.length} questions, ${[...new Set(from)].join(' and ')}`;
}

/** How a path was written: through the host, by the agent itself, or not. */
export function writer(run: HeadlessRun): string {
  return run.events('fileWritten').some(({ outcome }) => outcome === 'done')
    ? 'written through the host'
    : 'writes itself';
}

/** The last states of the tool calls in order of the transcript, those of the same kind once. */
export function tools(run: HeadlessRun): string {
  const seen = run.entries
    .filter(({ kind }) => kind === 'tool')
    .map((entry) => `${String(entry['toolKind'])} ${String(entry['status'])}`);
  return seen.length === 0 ? 'no tool call' : [...new Set(seen)].join(', ');
}

/**
 * The same for a turn that was stopped: whether the agent still says `failed` before its turn ends, or the host settles
 * the call, is a race in some of them (kimi, measured).
 */
export function stoppedTools(run: HeadlessRun): string {
  return tools(run).replaceAll(/ (failed|cancelled)\b/g, ' ended without a result');
}
