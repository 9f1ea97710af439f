import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTestCommand, testPrompt } from '../../src/agent/testTurn.js';
import { runProbe, type ProbeResult } from '../../src/agent/probe.js';
import { parseProbeArguments, probeText } from '../../src/agent/headless/probeMain.js';
import { processRegistry } from '../../src/agent/process/registry.js';
import { HostError } from '../../src/core/errors.js';
import { probeMarkdown } from '../../src/core/probeReport.js';
import type { TestTurn } from '../../src/core/testTurn.js';
import { fakeAgent, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import type { FakeAgentScript, Step } from '../support/fakeAgentScript.js';
import {
  createTerminal,
  permission,
  readFile,
  terminal,
  text,
  toolCall,
  toolUpdate,
  writeFile,
} from '../support/fakeAgentSteps.js';

const inFolder = (name: string): string => `{{cwd}}/${name}`;
const blue = 'colour = blue\n';
const ran: readonly Step[] = [
  createTerminal('sh', { args: ['-c', `echo done > ${inFolder('ran.txt')}`] }, { as: 'run' }),
  terminal('wait_for_exit', 'run'),
];

describe('a test turn of the probe', () => {
  const agents: FakeAgent[] = [];
  // A folder of its own for temporary ones: other runs on this machine make theirs.
  const own = mkdtempSync(join(tmpdir(), 'test-turns-'));
  const tmp = process.env['TMPDIR'];
  const folders = (): readonly string[] => readdirSync(own).filter((name) => name.startsWith('acp-test-turn-'));

  const probed = async (
    prompt: readonly Step[],
    script: FakeAgentScript = {},
    signal?: AbortSignal,
  ): Promise<ProbeResult & { readonly turn: TestTurn; readonly agent: FakeAgent }> => {
    const agent = fakeAgent({ prompts: [{ steps: prompt }], ...script });
    agents.push(agent);
    const result = await runProbe({
      agentName: 'Fake',
      ...{ command: agent.command, args: agent.args, agentEnv: {}, pass: [] },
      ...{ cwd: process.cwd(), timeoutMs: 10_000, clientVersion: '0.1.0', testTurn: true },
      ...(signal === undefined ? {} : { signal }),
    });
    assert.ok(result.report.testTurn !== null, result.report.message);
    return { ...result, turn: result.report.testTurn, agent };
  };

  before(() => {
    process.env['TMPDIR'] = own;
  });

  after(() => {
    if (tmp === undefined) {
      delete process.env['TMPDIR'];
    } else {
      process.env['TMPDIR'] = tmp;
    }
    rmSync(own, { recursive: true });
  });

  afterEach(async () => {
    for (const agent of agents.splice(0)) {
      await waitUntilGone(await agent.agentPids(), 2_000);
      await agent.dispose();
    }
    assert.deepEqual(processRegistry().list(), []);
    assert.deepEqual(folders(), [], 'its folder is taken away');
  });

  it('shows an agent that does all through the host, and who asked', async () => {
    const { turn, report, facts } = await probed([
      readFile(inFolder('word.txt'), {}, { as: 'word' }),
      permission({
        toolCallId: 'e',
        title: 'Edit colour.txt',
        kind: 'edit',
        locations: [{ path: inFolder('colour.txt') }],
      }),
      writeFile(inFolder('colour.txt'), blue),
      ...ran,
      text('{{word.result.content}}'),
    ]);
    assert.deepEqual(turn.steps.read, { doneBy: 'host', askedBy: 'nobody' });
    assert.equal(turn.steps.edit.doneBy, 'host');
    assert.ok(['agent', 'both'].includes(turn.steps.edit.askedBy), turn.steps.edit.askedBy);
    assert.deepEqual(turn.steps.command, { doneBy: 'host', askedBy: 'host' });
    assert.deepEqual([turn.outcome, turn.message, turn.denied, turn.mode], ['end_turn', null, 0, null]);
    assert.deepEqual([turn.exitsOnEnd, turn.leftovers], [true, 0]);
    assert.ok((turn.memory?.bytes ?? 0) > 10_000_000 && turn.memory!.processes >= 1, JSON.stringify(turn.memory));
    const markdown = probeMarkdown(report, { ...facts, folder: '~', platform: 'test' });
    assert.match(markdown, /\| Read a file \| through VS Code \| not asked \|/);
    assert.match(markdown, /\| Run a command \| through VS Code \| asked by VS Code \|/);
    assert.match(markdown, /The probe sent one prompt, in a folder of its own\./);
    assert.match(probeText({ report, facts }), /Test turn {3}Run a command: through the host, asked by the host\./);
  });

  it('shows an agent that does all by itself, asks nothing and says so in its mode', async () => {
    const { turn } = await probed(
      [
        toolCall('r', { kind: 'read', title: 'Read word.txt', status: 'completed' }),
        { do: 'disk', path: inFolder('colour.txt'), text: blue },
        { do: 'disk', path: inFolder('ran.txt'), text: 'done\n' },
        toolUpdate('r', { status: 'completed' }),
      ],
      {
        session: {
          modes: { currentModeId: 'yolo', availableModes: [{ id: 'yolo', name: 'YOLO', description: 'Never asks' }] },
        },
      },
    );
    for (const step of ['read', 'edit', 'command'] as const) {
      assert.deepEqual(turn.steps[step], { doneBy: 'agent', askedBy: 'nobody' }, step);
    }
    assert.deepEqual(turn.mode, { name: 'YOLO', asksNothing: true });
  });

  it('calls nothing done that was only said', async () => {
    const { turn } = await probed([
      toolCall('r', { kind: 'read', title: 'Read word.txt', status: 'failed' }),
      toolCall('e', { kind: 'edit', title: 'Edit colour.txt', status: 'completed' }),
      text('All three are done. The word is amber-1.'),
    ]);
    for (const step of ['read', 'edit', 'command'] as const) {
      assert.deepEqual(turn.steps[step], { doneBy: 'nobody', askedBy: 'nobody' }, step);
    }
  });

  it('denies what the prompt did not ask for, to the agent and in the host', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    try {
      const other = join(outside, 'other.txt');
      const { turn, agent } = await probed([
        permission({ toolCallId: 'a', title: 'Edit', kind: 'edit', locations: [{ path: other }] }, undefined, {
          as: 'a',
        }),
        writeFile(other, 'x', { as: 'b' }),
        createTerminal('sh', { args: ['-c', `touch ${other}; echo done > ${inFolder('ran.txt')}`] }, { as: 'c' }),
        permission(
          {
            toolCallId: 'd',
            title: 'Run',
            kind: 'execute',
            rawInput: { command: `echo done > ${inFolder('ran.txt')}; touch ${other}` },
          },
          undefined,
          { as: 'd' },
        ),
        { do: 'note', value: '{{a.result.outcome.optionId}} {{d.result.outcome.optionId}}' },
      ]);
      assert.equal(existsSync(other), false);
      assert.equal(turn.steps.command.doneBy, 'nobody');
      assert.ok(turn.denied >= 3, String(turn.denied));
      const notes = (await agent.events()).filter((line) => line.event === 'note');
      assert.deepEqual(
        notes.map((note) => note.value),
        ['no no'],
      );
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('chooses between several ways to allow for nobody', async () => {
    const { turn } = await probed([
      permission({ toolCallId: 'e', title: 'Edit', kind: 'edit', locations: [{ path: inFolder('colour.txt') }] }, [
        { optionId: 'a', name: 'Allow', kind: 'allow_once' },
        { optionId: 'b', name: 'Allow and switch the mode', kind: 'allow_once' },
        { optionId: 'n', name: 'No', kind: 'reject_once' },
      ]),
    ]);
    assert.deepEqual([turn.unclear, turn.denied], [1, 0]);
    assert.deepEqual(turn.steps.edit, { doneBy: 'nobody', askedBy: 'agent' });
  });

  it('tells of a child that was left and of an end of input that did not end it', async () => {
    const { turn } = await probed([
      { do: 'ignore', what: ['eof'] },
      { do: 'spawn', detached: true, ignoreEof: true },
    ]);
    assert.equal(turn.exitsOnEnd, false);
    assert.equal(turn.leftovers, 1);
  });

  it('tells of a turn that fails and of an agent that ends', async () => {
    const failed = await probed([{ do: 'respond', error: { code: -32603, message: 'Out of money' } }]);
    assert.deepEqual([failed.turn.outcome, failed.turn.message], ['failed', 'Out of money']);
    const ended = await probed([{ do: 'exit', code: 3 }]);
    assert.equal(ended.turn.outcome, 'failed');
  });

  it('sends no prompt where no session was opened, and says so', async () => {
    const agent = fakeAgent({
      on: { 'session/new': [{ do: 'respond', error: { code: -32603, message: 'No model' } }] },
    });
    agents.push(agent);
    const { report, facts } = await runProbe({
      agentName: 'Fake',
      ...{ command: agent.command, args: agent.args, agentEnv: {}, pass: [] },
      ...{ cwd: process.cwd(), timeoutMs: 10_000, clientVersion: '0.1.0', testTurn: true },
    });
    assert.equal(report.testTurn, null);
    assert.equal(await agent.count('session/prompt'), 0);
    assert.match(probeMarkdown(report, { ...facts, folder: '~', platform: 'test' }), /The test turn was not run/);
  });

  it('leaves nothing when it is cancelled in the middle', async () => {
    const abort = new AbortController();
    const agent = fakeAgent({
      prompts: [
        {
          steps: [
            { do: 'spawn', detached: true },
            { do: 'hang', until: 'never' },
          ],
        },
      ],
    });
    agents.push(agent);
    const running = runProbe({
      agentName: 'Fake',
      ...{ command: agent.command, args: agent.args, agentEnv: {}, pass: [] },
      ...{ cwd: process.cwd(), timeoutMs: 10_000, clientVersion: '0.1.0', testTurn: true, signal: abort.signal },
    });
    await agent.waitForEvent(({ event }) => event === 'spawned');
    abort.abort();
    await assert.rejects(running, (error) => error instanceof HostError && error.reason === 'cancelled');
  });

  it('knows its own command behind a shell, and no other', () => {
    const folder = '/tmp/acp-test-turn-x';
    const command = /3\. Run this shell command: (.*)/.exec(testPrompt(folder))?.[1] ?? '';
    for (const line of [
      command,
      `/bin/bash -c '${command}'`,
      `bash -lc "${command}"`,
      `/bin/bash -c 'cd '\\''${folder}'\\'' && ${command}'`,
      `cd ${folder} && ${command}`,
    ]) {
      assert.equal(isTestCommand(line, folder), true, line);
    }
    for (const line of [
      `${command}; rm x`,
      `cd / && ${command}`,
      `bash -c '${command} && x'`,
      `x && ${command}`,
      '',
      command.slice(1),
    ]) {
      assert.equal(isTestCommand(line, folder), false, line);
    }
  });

  it('is asked for by a flag of the command line only', () => {
    const parsed = (argv: readonly string[]): unknown => {
      const result = parseProbeArguments(argv, '/');
      return typeof result === 'string' ? result : result.testTurn;
    };
    assert.equal(parsed(['--', 'agent']), false);
    assert.equal(parsed(['--json', '--test-turn', '--', 'agent', '--test-turn']), true);
    assert.equal(parsed(['--', 'agent', '--test-turn']), false);
  });
});
