/** Ends of turns and of agents: stopped in a text, the end of its input; and what the probe says. */
import assert from 'node:assert/strict';
import { testStepRows, type TestTurn } from '../../../../src/core/testTurn.js';
import { run as runProgram } from '../../../../scripts/run.js';
import { endsWithItsInput } from '../realRun.js';
import { kept, needsModel, stopReasons, type Scenario, type Subject } from '../subject.js';

export const ends: readonly Scenario[] = [
  {
    row: 'stopped in a text',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.drive([
        { do: 'prompt', text: '[[mock:slow n=2000 delay=60]]' },
        { do: 'waitFor', event: 'messageChunk', match: { text: 'tick ' } },
        { do: 'cancel' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'prompt', text: '[[mock:text]]' },
      ]);
      assert.deepEqual(stopReasons(run), ['cancelled', 'end_turn']);
      assert.match(kept(run, 'assistant'), /tick [^]*Hello from the mock model\./);
      return '`cancelled`, the next prompt is answered';
    },
  },
  {
    row: 'its input ends',
    run: async ({ agent, place }) => ((await endsWithItsInput(agent, place)) ? 'exits' : 'runs on'),
  },
  {
    row: 'probe',
    run: async (subject) => {
      const report = await probe(subject);
      assert.equal(report['reason'], 'ok');
      assert.equal(report['protocolVersion'], 1);
      assert.deepEqual(report['noise'], []);
      await subject.place.noProcessLeft();
      const info = report['agentInfo'] as { name: string; version: string } | null;
      return `\`ok\`${info === null ? ', no name' : `: ${info.name} ${info.version}`}`;
    },
  },
  {
    row: 'probe without a key',
    lacks: needsModel,
    run: async (subject) => {
      const report = await probe(subject.withKey(undefined));
      await subject.place.noProcessLeft();
      const signIn = report['authRequired'] === true ? ', a sign-in is asked for' : '';
      return `\`${String(report['reason'])}\`${signIn}`;
    },
  },
  {
    row: 'probe with a test turn',
    run: async (subject) => {
      const report = await probe(subject, ['--test-turn']);
      await subject.place.noProcessLeft();
      const turn = report['testTurn'] as TestTurn;
      assert.equal(turn.outcome, 'end_turn', turn.message ?? '');
      assert.ok(turn.memory !== null && turn.memory.bytes > 0);
      const steps = testStepRows(turn, 'the host').map(
        ([step, ...words]) => `${step.toLowerCase()}: ${words.filter(Boolean).join(', ')}`,
      );
      return [...steps, ...(turn.denied > 0 ? ['something else is denied'] : [])].join('; ');
    },
  },
];

async function probe(subject: Subject, flags: readonly string[] = []): Promise<Record<string, unknown>> {
  const { agent, place } = subject;
  const names = Object.keys(agent.env).flatMap((name) => ['--pass', name]);
  const args = [
    '--json',
    ...flags,
    '--timeout',
    '120',
    '--cwd',
    place.folder,
    ...names,
    '--',
    agent.command,
    ...agent.args,
  ];
  const { output } = await runProgram('npm', ['run', '-s', 'probe', '--', ...args], {
    env: { ...process.env, ...place.env, ...agent.env },
  });
  return JSON.parse(output.split('\n').find((text) => text.startsWith('{')) ?? '{}') as Record<string, unknown>;
}
