/** What one scripted turn showed of an agent: who does the work, who is asked, and what is left of it. */
import { plainLine } from './text/quote.js';

/** The three things that the turn asks for. */
export const testSteps = ['read', 'edit', 'command'] as const;
export type TestStep = (typeof testSteps)[number];

/** Who did it: the host for the agent, the agent with its own tools, or nobody as far as could be seen. */
export type DoneBy = 'host' | 'agent' | 'nobody';
/** Who asked a person first: the agent with a request for permission, the host for its own part, both, or nobody. */
export type AskedBy = 'agent' | 'host' | 'both' | 'nobody';

export type TestStepFacts = { readonly doneBy: DoneBy; readonly askedBy: AskedBy };

export type TestTurn = {
  /** The stop reason, or `failed`, `timed_out`, `not_started`. */
  readonly outcome: string;
  /** Why, where it failed. */
  readonly message: string | null;
  /** From the prompt to the end of the turn, milliseconds. */
  readonly ms: number;
  readonly steps: Readonly<Record<TestStep, TestStepFacts>>;
  /** Requests for something else than the three steps; they were denied. */
  readonly denied: number;
  /** Requests for the three steps that offered no single way to allow once; they were denied too. */
  readonly unclear: number;
  /** The mode that it started in, where it has modes. */
  readonly mode: { readonly name: string; readonly asksNothing: boolean } | null;
  /** The most that its processes held, bytes. */
  readonly memory: { readonly bytes: number; readonly processes: number } | null;
  /** Whether it ended by itself when its input ended; null where it had ended before. */
  readonly exitsOnEnd: boolean | null;
  /** Processes that it had started and that still ran when it had ended. */
  readonly leftovers: number;
};

const stepTitles: Readonly<Record<TestStep, string>> = {
  read: 'Read a file',
  edit: 'Change a file',
  command: 'Run a command',
};

/** One line for each step: what, who did it, who asked. `host` is what the host is called there. */
export function testStepRows(turn: TestTurn, host: string): readonly (readonly [string, string, string])[] {
  return testSteps.map((step) => {
    const { doneBy, askedBy } = turn.steps[step];
    const askedWords: Readonly<Record<AskedBy, string>> = {
      agent: 'asked by the agent',
      host: `asked by ${host}`,
      both: `asked by the agent and by ${host}`,
      nobody: 'not asked',
    };
    const done = doneBy === 'host' ? `through ${host}` : doneBy === 'agent' ? 'by itself' : 'not done';
    return [stepTitles[step], done, doneBy === 'nobody' && askedBy === 'nobody' ? '' : askedWords[askedBy]];
  });
}

/** The other facts, one sentence each, without Markdown. */
export function testTurnSentences(turn: TestTurn): readonly string[] {
  const { outcome, message, ms, denied, unclear, mode, memory } = turn;
  const asks = testSteps.some((step) => turn.steps[step].askedBy === 'agent' || turn.steps[step].askedBy === 'both');
  const seconds = (ms / 1000).toFixed(1);
  const ends: Readonly<Record<string, string>> = {
    end_turn: `The turn ended after ${seconds} s.`,
    failed: `The turn failed: “${plainLine(message ?? '', 500)}”.`,
    timed_out: `The turn was stopped: it had not ended after ${seconds} s.`,
    not_started: `The turn did not start: “${plainLine(message ?? '', 500)}”.`,
  };
  return [
    ends[outcome] ?? `The turn ended after ${seconds} s with ${plainLine(outcome, 100)}.`,
    ...(mode?.asksNothing === true && !asks
      ? [`It started in its mode “${plainLine(mode.name, 100)}”, which asks nothing.`]
      : []),
    ...(denied === 0 ? [] : [`${requests(denied)} for something else, and denied.`]),
    ...(unclear === 0 ? [] : [`${requests(unclear)} denied, because more than one answer, or none, allows it once.`]),
    ...(memory === null ? [] : [`It held ${memoryWords(memory)} at most.`]),
    ...(turn.exitsOnEnd === false ? ['It did not end when its input ended, so it was ended by a signal.'] : []),
    ...(turn.leftovers === 0
      ? []
      : [`${processWords(turn.leftovers)} still ran when it had ended and had to be ended.`]),
  ];
}

/** "398 MB in 2 processes" */
export function memoryWords({ bytes, processes: count }: NonNullable<TestTurn['memory']>): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB in ${processWords(count)}`;
}

/** "1 process" */
export function processWords(count: number): string {
  return `${count} ${count === 1 ? 'process' : 'processes'}`;
}

function requests(count: number): string {
  return count === 1 ? 'One request was' : `${count} requests were`;
}
