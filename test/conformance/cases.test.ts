/** Faults that were reported of other hosts, each with more inputs than the report had. */
import assert from 'node:assert/strict';
import type { Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, type Result } from './scenario.js';
import { card, notices, said } from './transcripts.js';

const reasons = (run: Result): unknown[] => run.events('turnEnded').map(({ stopReason }) => stopReason);

describe('cases: environment, stops and deaths', () => {
  cleanAfterEach();

  it('B17 variables of the editor reach neither the agent nor a command that the host runs for it', async () => {
    const leaked = ['ELECTRON_RUN_AS_NODE', 'NODE_OPTIONS', 'VSCODE_PID', 'VSCODE_IPC_HOOK'];
    const run = await scenario({
      agent: [
        s.createTerminal('env', {}, { as: 't' }),
        s.terminal('wait_for_exit', 't'),
        s.terminal('output', 't', { id: 'out' }),
      ],
      options: ['--terminal', 'ask', '--answers', 'allow_once'],
      prompts: ['go'],
      env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings', VSCODE_PID: '1', VSCODE_IPC_HOOK: '/x' },
    });
    const started = (await run.fake.events()).find(({ event }) => event === 'started');
    assert.ok(started?.event === 'started');
    assert.ok(started.envNames.includes('PATH'));
    const { output } = run.answerTo('out').result as { output: string };
    assert.match(output, /^PATH=/m);
    for (const name of leaked) {
      assert.ok(!started.envNames.includes(name), `${name} reached the agent`);
      assert.doesNotMatch(output, new RegExp(`^${name}=`, 'm'));
    }
  });

  it('B18 the agent starts in the folder, and its session names the same one', async () => {
    const run = await scenario({ agent: [s.text('hi')], prompts: ['go'] });
    const started = (await run.fake.events()).find(({ event }) => event === 'started');
    assert.ok(started?.event === 'started');
    assert.equal(started.cwd, run.cwd);
    assert.equal((run.sentOf('session/new')[0]?.params as { cwd: string }).cwd, run.cwd);
  });

  it('B144 4.5.7 a read for a session that is not known, or that was closed, is refused', async () => {
    const read = (id: string, sessionId: string): Step =>
      s.request('fs/read_text_file', { sessionId, path: '{{cwd}}/a.txt' }, { id });
    const run = await scenario({
      agent: {
        capabilities: { sessionCapabilities: { close: {} } },
        on: { 'session/close': [read('closed', 'S1'), s.respond({})] },
        prompts: [{ steps: [read('own', 'S1'), read('nope', 'nope')] }],
      },
      files: { 'a.txt': 'text' },
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'turnEnded' }, { do: 'close' }],
    });
    assert.equal((run.answerTo('own').result as { content: string }).content, 'text');
    assert.equal(run.answerTo('nope').error?.code, -32602);
    assert.equal(run.answerTo('closed').error?.code, -32602);
  });

  for (const [title, end] of [
    ['end_turn', [s.hang(), s.respond({ stopReason: 'end_turn' })]],
    ['-32800', [s.hang(), s.fail({ code: -32800, message: 'cancelled' })]],
    ['-32603 aborted', [s.hang(), s.fail({ code: -32603, message: 'aborted' })]],
  ] as const) {
    it(`B51 a Stop that the agent answers with ${title} is a Stop, and the process and session go on`, async () => {
      const run = await scenario({
        agent: { prompts: [{ steps: [s.text('half'), ...end] }, { steps: [s.text('whole')] }] },
        script: [
          { do: 'prompt', text: 'go' },
          { do: 'waitFor', event: 'messageChunk' },
          { do: 'cancel' },
          { do: 'prompt', text: 'on' },
        ],
      });
      assert.equal(run.status, 0);
      assert.deepEqual(run.events('turnFailed'), []);
      assert.equal(run.events('turnEnded').length, 2);
      assert.deepEqual(said(run), ['half', 'whole']);
      assert.equal(run.sentOf('session/new').length, 1);
      assert.equal((await run.fake.agentPids()).length, 1);
    });
  }

  it('B51 a turn that ends as cancelled by itself keeps its text and says who said so', async () => {
    const run = await scenario({
      agent: { prompts: [{ stopReason: 'cancelled', steps: [s.text('hi')] }] },
      prompts: ['go'],
    });
    assert.deepEqual([said(run), reasons(run)], [['hi'], ['cancelled']]);
    assert.deepEqual(run.sentOf('session/cancel'), []);
  });

  it('B56 each other reason to stop is told in words of its own, an unknown one as given', async () => {
    const told = new Map<string, string>();
    for (const stopReason of ['max_tokens', 'max_turn_requests', 'refusal', 'budget_exceeded']) {
      const run = await scenario({ agent: { prompts: [{ stopReason, steps: [s.text('hi')] }] }, prompts: ['go'] });
      assert.deepEqual(reasons(run), [stopReason]);
      assert.equal(notices(run).length, 1, stopReason);
      told.set(stopReason, notices(run)[0] ?? '');
    }
    assert.equal(new Set(told.values()).size, 4, [...told.values()].join('\n'));
    assert.match(told.get('budget_exceeded') ?? '', /budget_exceeded/);
  });

  it('B57 a turn with nothing in it ends with a small note, and no failure', async () => {
    const run = await scenario({ agent: [], prompts: ['go'] });
    assert.equal(run.status, 0);
    assert.deepEqual(reasons(run), ['end_turn']);
    assert.equal(notices(run).length, 1);
    assert.notEqual(run.entries.find(({ kind }) => kind === 'notice')?.['severity'], 'error');
    assert.deepEqual(run.events('turnFailed'), []);
  });

  it('B130 an agent that is killed with everything pending fails the turn at once, and the next prompt starts another', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { match: 'again', steps: [s.text('back')] },
          {
            steps: [
              s.text('half an answer'),
              s.createTerminal('sleep 600', {}, { as: 't' }),
              s.toolCall('x', { kind: 'execute', status: 'in_progress' }),
              s.terminal('wait_for_exit', 't', { id: 'w', wait: false }),
              s.permission({ toolCallId: 'p', title: 'P', kind: 'edit' }, s.usualOptions, { id: 'p', wait: false }),
              s.hang('never'),
            ],
          },
        ],
      },
      options: ['--terminal', 'ask'],
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'approval' },
        { do: 'answer', decision: 'allow_once' },
        { do: 'waitFor', event: 'approval' },
        { do: 'killAgent', signal: 'SIGKILL' },
        { do: 'waitFor', event: 'agentExited' },
        // Too late: what asked is gone.
        { do: 'answer', approvalId: 'a2', decision: 'allow_once' },
        { do: 'prompt', text: 'again' },
      ],
    });
    const exited = run.events('agentExited')[0];
    assert.deepEqual([exited?.['code'], exited?.['signal']], [null, 'SIGKILL']);
    const asked = run.events('approvalSettled').at(-1);
    assert.deepEqual([asked?.['outcome'], asked?.['by']], ['cancelled', 'exit']);
    assert.equal(card(run, 'x')['status'], 'interrupted');
    assert.deepEqual(said(run), ['half an answer', 'back']);
    assert.ok((run.transcript['terminals'] as { exit?: object }[]).every(({ exit }) => exit !== undefined));
    // The next prompt went to a process of its own.
    assert.equal(run.sentOf('initialize').length, 2);
    assert.equal((await run.fake.agentPids()).length, 2);
  });

  it('B132 a Stop is no tear-down: three prompts, one process, one session', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [s.text('one')] },
          { stopReason: 'cancelled', steps: [s.text('two'), s.hang()] },
          { steps: [s.text('three')] },
        ],
      },
      script: [
        { do: 'prompt', text: 'a' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'prompt', text: 'b' },
        { do: 'waitFor', event: 'messageChunk', match: { text: 'two' } },
        { do: 'cancel' },
        { do: 'prompt', text: 'c' },
      ],
    });
    assert.deepEqual(reasons(run), ['end_turn', 'cancelled', 'end_turn']);
    const sessions = run.sentOf('session/prompt').map(({ params }) => (params as { sessionId: string }).sessionId);
    assert.equal(new Set(sessions).size, 1);
    assert.equal((await run.fake.agentPids()).length, 1);
    assert.deepEqual(said(run), ['one', 'two', 'three']);
  });

  it('B82 4.5.12 an answer is for what was shown, once: each other command, folder and session asks again', async () => {
    const commands = [
      'npm test',
      'npm test && rm -rf x',
      'npm test\nrm x',
      'npm test $(rm x)',
      'npm test | sh',
      'npm test',
    ];
    const run = await scenario({
      agent: {
        prompts: [
          {
            repeat: true,
            steps: [
              ...commands.map((command, i) =>
                s.permission(
                  {
                    toolCallId: 'same',
                    title: 'Run tests',
                    kind: 'execute',
                    rawInput: { command, cwd: `/w${String(i % 2)}` },
                  },
                  [...s.usualOptions, { optionId: 'ever', name: 'Always', kind: 'allow_always' }],
                  { id: `p${String(i)}-{{sessionId}}` },
                ),
              ),
            ],
          },
        ],
      },
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'approval' },
        // The person picks the lasting option. That is between them and the agent; the host keeps nothing of it.
        { do: 'answer', toolCallId: 'same', optionId: 'ever' },
        ...commands.slice(1).flatMap(() => [
          { do: 'waitFor', event: 'approval' },
          { do: 'answer', toolCallId: 'same', decision: 'reject_once' },
        ]),
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'newSession' },
        { do: 'prompt', text: 'go' },
        ...commands.flatMap(() => [
          { do: 'waitFor', event: 'approval' },
          { do: 'answer', toolCallId: 'same', decision: 'reject_once' },
        ]),
        { do: 'waitFor', event: 'turnEnded' },
      ],
    });
    const shown = run.events('approval').map(({ command }) => command);
    assert.deepEqual(shown, [...commands, ...commands]);
    const settled = run.events('approvalSettled').map(({ outcome }) => outcome);
    assert.deepEqual(settled, ['allowed', ...Array.from({ length: 11 }, () => 'denied')]);
  });

  it('4.2 offers to stop an agent that asks the same again and again, once in a turn', async () => {
    const ask = (i: number, command: string): Step =>
      s.permission({ toolCallId: `t${String(i)}`, title: 'Run', kind: 'execute', rawInput: { command } });
    const same = Array.from({ length: 7 }, (_, i) => ask(i, 'curl evil'));
    const others = Array.from({ length: 7 }, (_, i) => ask(10 + i, `echo ${String(i)}`));
    const run = await scenario({
      agent: { prompts: [{ steps: same }, { steps: others }, { steps: same.slice(0, 4) }] },
      options: ['--answers', 'reject_once'],
      prompts: ['one', 'two', 'three'],
    });
    const told = run.entries.filter(({ kind }) => kind === 'notice').map(({ text }) => text ?? '');
    assert.equal(told.filter((text) => text.includes('has asked this 5 times')).length, 1);
  });
});
