/** Commands, and how they end. */
import assert from 'node:assert/strict';
import type { HeadlessRun } from '../../headless.js';
import {
  isDenied,
  needsModel,
  questions,
  stopReasons,
  stoppedTools,
  tools,
  type Scenario,
  type Subject,
} from '../subject.js';

const COMMAND = 'echo to-stdout; echo to-stderr >&2; touch made; exit 3';
const shell = (command: string): string => `[[mock:shell command=${JSON.stringify(command)}]]`;
const LONG = shell('echo begin; touch begun; sleep 600 & sleep 600; echo end');
/** Until everything is gone that a killed host had started, ms: a few seconds, also on a busy machine. */
const HOST_KILLED_MS = 5_000;
const asking = ['--terminal', 'ask'];
const allowing = [...asking, '--answers', 'allow_once'];

const runner = (run: HeadlessRun): string =>
  run.events('terminalStarted').some(({ origin }) => origin !== 'agent') ? 'run through the host' : 'runs itself';

/** Whether a person can see the output and how it ended. The command itself, in a title or a question, is no output. */
const shown = (run: HeadlessRun): string => {
  const [terminal] = (run.transcript['terminals'] ?? []) as { tail: string; exit?: { code: number | null } }[];
  const contents = run.entries.filter(({ kind }) => kind === 'tool').map((entry) => entry['content']);
  const text = JSON.stringify([terminal?.tail, contents]);
  // Two pipes have no order between them. In the command itself a semicolon or a blank follows these words.
  const output = ['to-stdout', 'to-stderr'].every((line) => new RegExp(`${line}(?![; ])`).test(text));
  const code = terminal?.exit?.code;
  return `${output ? 'output shown' : 'no output shown'}${typeof code === 'number' ? `, exit code ${String(code)}` : ''}`;
};

export const commands: readonly Scenario[] = [
  {
    row: 'command, allowed',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(shell(COMMAND), allowing);
      assert.ok(subject.place.has('made'));
      const asked = run.events('approval').map(({ command, agentWords }) => `${String(command)} ${String(agentWords)}`);
      assert.ok(asked.length === 0 || asked.some((text) => text.includes('touch made')), 'the command is shown');
      return `${questions(run)}, ${runner(run)}, ${shown(run)}, ${tools(run)}`;
    },
  },
  {
    row: 'command, denied',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(shell(COMMAND), [...asking, '--answers', 'reject_once']);
      assert.ok(!subject.place.has('made'), 'nothing ran');
      isDenied(run);
      return `${questions(run)}, ${tools(run)}, \`${String(stopReasons(run)[0])}\``;
    },
  },
  {
    row: 'command, stopped while it runs',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.drive([...started(subject), { do: 'cancel' }], allowing);
      assert.deepEqual(stopReasons(run), ['cancelled']);
      return `\`cancelled\`, ${stoppedTools(run)}`;
    },
  },
  {
    row: 'killed while a command runs',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.drive([...started(subject), { do: 'killAgent', signal: 'SIGKILL' }], allowing, 1);
      assert.equal(run.events('agentExited').length, 1);
      await subject.place.noProcessLeft();
      return `told as an end of the agent, ${stoppedTools(run)}, nothing is left running`;
    },
  },
  {
    row: 'killed while a command runs, started by its launcher',
    lacks: ({ launcher }) => (launcher === undefined ? 'it has no launcher' : undefined),
    run: async (subject) => {
      const launched = subject.with({ [subject.traits.launcher ?? '']: undefined });
      let most = 0;
      await launched.drive([...started(launched), { do: 'killAgent', signal: 'SIGKILL' }], allowing, 1, () => {
        most = Math.max(most, launched.place.agents());
      });
      assert.ok(most >= 2, `a launcher and the agent behind it: ${most} processes seen`);
      await launched.place.noProcessLeft();
      return 'nothing is left running';
    },
  },
  {
    row: 'closed while a command runs',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.drive([...started(subject), { do: 'close' }], allowing);
      await subject.place.noProcessLeft();
      return `${stoppedTools(run)}, nothing is left running`;
    },
  },
  {
    row: 'host killed while a command runs',
    lacks: needsModel,
    run: async (subject) => {
      const never = { do: 'waitForFile', path: subject.place.file('never') };
      await subject.killHost([...started(subject), never], allowing, 'begun');
      await subject.place.noProcessLeft(HOST_KILLED_MS);
      return 'nothing is left running';
    },
  },
];

/** A prompt whose command runs, with a child, when the next action comes. */
function started(subject: Subject): Record<string, unknown>[] {
  return [
    { do: 'prompt', text: LONG },
    { do: 'waitForFile', path: subject.place.file('begun') },
  ];
}
