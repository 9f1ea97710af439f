import assert from 'node:assert/strict';
import type { FakeAgentScript } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { probeAgent } from './probe.js';
import { cleanAfterEach, indexOf, scenario, type Result } from './scenario.js';

/** The fields of each event that scripts may rely on, besides `sessionId` and `at`. */
const contract: Readonly<Record<string, readonly string[]>> = {
  initialized: ['protocolVersion', 'agentInfo', 'capabilities', 'authMethods'],
  sessionStarted: ['modes', 'configOptions'],
  promptSent: ['text'],
  messageChunk: ['role', 'text'],
  toolChanged: ['toolCallId', 'kind', 'status', 'title'],
  planChanged: ['entries'],
  fileRead: ['path', 'canonical', 'outcome', 'reason'],
  fileWritten: ['path', 'canonical', 'outcome', 'reason'],
  approval: ['approvalId', 'toolCallId', 'origin', 'verb', 'paths', 'command', 'options'],
  approvalSettled: ['approvalId', 'outcome', 'by'],
  turnEnded: ['stopReason'],
  turnFailed: ['reason', 'message', 'data'],
  agentExited: ['code', 'signal', 'stderrTail'],
  noise: ['line'],
  probe: ['reason', 'message', 'nextStep'],
  transcript: ['transcript'],
};

function checkLines(run: Result): void {
  let last = 0;
  for (const line of run.lines) {
    const missing = (contract[line.event] ?? []).filter((field) => !(field in line));
    assert.deepEqual(missing, [], `${line.event} lacks fields`);
    assert.ok('sessionId' in line, `${line.event} has no sessionId`);
    assert.ok(line.at >= last, `${line.event} goes back in time`);
    last = line.at;
  }
  assert.equal(run.lines.at(-1)?.event, 'transcript');
  assert.equal(run.events('transcript').length, 1);
}

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const everything: FakeAgentScript = {
  start: [s.noise('booting')],
  capabilities: { loadSession: true },
  authMethods: [{ id: 'key', name: 'Key' }],
  session: { modes },
  prompts: [
    {
      steps: [
        s.thought('hm'),
        s.text('hello'),
        s.plan({ content: 'one', status: 'in_progress', priority: 'high' }),
        s.toolCall('t1', { kind: 'edit', title: 'Edit', locations: [{ path: '{{cwd}}/a.txt' }] }),
        s.readFile('{{cwd}}/a.txt'),
        s.writeFile('{{cwd}}/a.txt', 'b\n'),
        s.writeFile('{{cwd}}/.git/config', 'x'),
        s.toolUpdate('t1', { status: 'completed' }),
        s.permission({ toolCallId: 't2', title: 'rm -r x', kind: 'execute', rawInput: { command: 'rm -r x' } }),
      ],
    },
    { steps: [s.fail({ code: -32603, message: 'Internal error', data: { details: 'quota' } })] },
  ],
};

describe('headless host: events', () => {
  cleanAfterEach();

  it('prints each event with the fields of the contract, in order, on stdout alone', async () => {
    const run = await scenario({
      agent: everything,
      files: { 'a.txt': 'a\n' },
      options: ['--write', 'ask', '--answers', 'allow_once'],
      prompts: ['go', 'again'],
    });
    checkLines(run);
    assert.equal(run.status, 1, 'the second turn failed');
    const [initialized] = run.events('initialized');
    assert.equal(initialized?.['protocolVersion'], 1);
    assert.deepEqual(initialized['agentInfo'], { name: 'fake-agent', version: '1.0.0' });
    assert.deepEqual(initialized['capabilities'], { loadSession: true });
    assert.deepEqual(run.events('sessionStarted')[0]?.['modes'], modes);
    assert.deepEqual(
      run.events('promptSent').map((line) => line['text']),
      ['go', 'again'],
    );
    assert.deepEqual(
      run.events('messageChunk').map((line) => [line['role'], line['text']]),
      [
        ['thought', 'hm'],
        ['assistant', 'hello'],
      ],
    );
    assert.deepEqual(run.events('planChanged')[0]?.['entries'], [
      { content: 'one', priority: 'high', status: 'in_progress' },
    ]);
    assert.equal(run.events('noise')[0]?.['line'], 'booting');
    const path = `${run.cwd}/a.txt`;
    const [read] = run.events('fileRead');
    assert.deepEqual(
      [read?.['path'], read?.['canonical'], read?.['outcome'], read?.['reason']],
      [path, path, 'done', null],
    );
    assert.deepEqual(
      run.events('fileWritten').map((line) => [line['path'], line['outcome'], line['reason']]),
      [
        [path, 'done', null],
        [`${run.cwd}/.git/config`, 'refused', 'denied'],
      ],
    );
    assert.equal(run.file('a.txt'), 'b\n');
    for (const line of run.lines.slice(1, -1)) {
      assert.equal(line.sessionId, line.event === 'noise' || line.event === 'initialized' ? null : 'S1', line.event);
    }
    assert.equal(run.lines.at(-1)?.sessionId, 'S1');
  });

  it('prints approvals with what is asked and how it settled', async () => {
    const run = await scenario({
      agent: everything,
      files: { 'a.txt': 'a\n' },
      options: ['--write', 'ask'],
      prompts: ['go'],
      answers: [{ match: { command: 'rm -r x' }, decision: 'reject_once' }, { decision: 'allow_once' }],
    });
    const [write, command] = run.events('approval');
    assert.deepEqual(
      [write?.['origin'], write?.['verb'], write?.['toolCallId'], write?.['command']],
      ['host', 'edit', 't1', null],
    );
    assert.deepEqual(write?.['paths'], [`${run.cwd}/a.txt`]);
    assert.deepEqual(write['options'], [
      { optionId: 'allow_once', name: 'Allow Once', kind: 'allow_once' },
      { optionId: 'reject_once', name: 'Deny', kind: 'reject_once' },
    ]);
    assert.deepEqual(
      [command?.['origin'], command?.['verb'], command?.['toolCallId'], command?.['command']],
      ['agent', 'execute', 't2', 'rm -r x'],
    );
    assert.deepEqual(command?.['options'], s.usualOptions);
    assert.deepEqual(
      run.events('approvalSettled').map((line) => [line['approvalId'], line['outcome'], line['by']]),
      [
        [write['approvalId'], 'allowed', 'person'],
        [command['approvalId'], 'denied', 'person'],
      ],
    );
    assert.ok(indexOf(run, 'approvalSettled') < indexOf(run, 'fileWritten'));
    assert.equal(run.status, 0);
  });

  it('ends with the transcript: entries, plan, turn and modes', async () => {
    const run = await scenario({
      agent: everything,
      files: { 'a.txt': 'a\n' },
      options: ['--write', 'ask', '--answers', 'allow_once'],
      prompts: ['go'],
    });
    assert.deepEqual(
      run.entries.map(({ id, kind }) => [typeof id, kind]),
      [
        ['string', 'user'],
        ['string', 'thought'],
        ['string', 'assistant'],
        ['string', 'tool'],
        ['string', 'tool'],
      ],
    );
    assert.equal(new Set(run.entries.map(({ id }) => id)).size, 5);
    const tool = run.entries.find(({ toolCallId }) => toolCallId === 't1');
    assert.equal(tool?.['status'], 'completed');
    assert.deepEqual(run.transcript['plan'], [{ content: 'one', priority: 'high', status: 'in_progress' }]);
    assert.deepEqual(run.transcript['modes'], modes);
    assert.equal((run.transcript['turn'] as { state: string }).state, 'idle');
    const bare = await scenario({ prompts: ['hi'] });
    assert.equal('modes' in bare.transcript, false);
    assert.deepEqual(bare.transcript['plan'], []);
  });

  it('B58 prints the data of a failed turn as it was sent', async () => {
    const run = await scenario({ agent: everything, files: { 'a.txt': 'a\n' }, prompts: ['one', 'two'] });
    const [failed] = run.events('turnFailed');
    assert.deepEqual(failed?.['data'], { details: 'quota' });
    assert.match(String(failed['message']), /quota/);
  });

  it('prints how the agent ended in mid-turn, once, and says nothing of a connection', async () => {
    for (const [how, code, signal] of [
      [3, 3, null],
      [0, 0, null],
      ['SIGKILL', null, 'SIGKILL'],
    ] as const) {
      const run = await scenario({ agent: [s.text('a'), s.stderr('last words\n'), s.exit(how)], prompts: ['go'] });
      checkLines(run);
      const [exited] = run.events('agentExited');
      assert.deepEqual([exited?.['code'], exited?.['signal']], [code, signal]);
      assert.deepEqual(exited?.['stderrTail'], ['last words']);
      assert.equal(exited.sessionId, 'S1');
      assert.equal(run.events('turnFailed').length, 0);
      assert.equal(run.events('agentExited').length, 1);
      assert.equal(run.entries.filter(({ kind }) => kind === 'notice').length, 1);
      assert.equal((run.transcript['turn'] as { state: string }).state, 'failed');
      assert.equal(run.status, 1);
    }
  });

  it('B30 probes with a process of its own: no prompt, no sign-in, nothing left', async () => {
    const agents: [FakeAgentScript, string][] = [
      [{ authMethods: [{ id: 'key', name: 'Key' }] }, 'ok'],
      [{ on: { initialize: [s.hang('never')] } }, 'handshake_timeout'],
      [{ start: [s.noise('hello'), s.noise('world')], on: { initialize: [s.noResponse()] } }, 'handshake_timeout'],
      [{ protocolVersion: 2 }, 'incompatible_protocol'],
    ];
    const check = async ([script, reason]: (typeof agents)[number]): Promise<void> => {
      const { report, sent } = await probeAgent(script, reason === 'handshake_timeout' ? ['--timeout', '3'] : []);
      assert.equal(report['reason'], reason);
      const methods = sent.map(({ method }) => method);
      assert.equal(methods[0], 'initialize');
      assert.ok(!methods.includes('authenticate') && !methods.includes('session/prompt'));
      assert.ok(methods.filter((method) => method === 'session/new').length <= 1);
    };
    await Promise.all(agents.map(check));
  });
});
