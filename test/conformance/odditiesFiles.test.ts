/** Groups 15 and 21 of the oddities of real agents: how they read and write files, and what they replay on a load. */
import assert from 'node:assert/strict';
import type { Json, RpcErrorShape, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { askToWrite, assistantText, cleanAfterEach, outline, scenario, type Result } from './scenario.js';

const loading = { capabilities: { loadSession: true } };
const load = ['--load', 'OLD'] as const;
const replayed = (...steps: readonly Step[]): Promise<Result> =>
  scenario({ agent: { ...loading, on: { 'session/load': steps } }, options: load });
const users = (run: Result): readonly unknown[] =>
  run.entries.filter(({ kind }) => kind === 'user').map(({ text }) => text);

describe('oddities of real agents: files', () => {
  cleanAfterEach();

  it('oddity 15: many reads for one edit, with a limit and no line, are each answered and say nothing to the person', async () => {
    const reads = Array.from({ length: 14 }, (_, i) =>
      s.readFile('{{cwd}}/a.txt', { limit: 1000 }, { id: `r${String(i)}` }),
    );
    const run = await scenario({
      files: { 'a.txt': 'one\ntwo\n' },
      agent: [...reads, s.readFile('{{cwd}}/a.txt', { line: null, limit: null }, { id: 99 }), s.text('read')],
      prompts: ['go'],
    });
    for (const id of ['r0', 'r13', 99]) {
      assert.deepEqual(run.answerTo(id).result, { content: 'one\ntwo\n' });
    }
    assert.equal(run.events('fileRead').length, 15);
    assert.deepEqual(outline(run), ['user:go', 'assistant:read']);
  });

  it('oddity 15: a file outside the folder and one that is missing are errors, and the agent goes on', async () => {
    const run = await scenario({
      agent: [
        s.readFile('/home/user/.agent/sessions/plan.md', {}, { id: 'out' }),
        s.readFile('{{cwd}}/none.txt', {}, { id: 'none' }),
        s.text('anyway'),
      ],
      prompts: ['go'],
    });
    assert.deepEqual(
      ['out', 'none'].map((id) => run.answerTo(id).error?.code),
      [-32602, -32002],
    );
    assert.deepEqual([assistantText(run), run.status], ['anyway', 0]);
  });

  it('oddity 15: a write that was refused is an error, also where the agent then writes the disk itself', async () => {
    const run = await scenario({
      options: askToWrite,
      answers: [{ match: {}, decision: 'reject_once' }],
      files: { 'a.txt': 'old\n' },
      agent: [
        s.toolCall('w', { kind: 'edit', title: 'a.txt', locations: [{ path: '{{cwd}}/a.txt' }] }),
        s.writeFile('{{cwd}}/a.txt', 'new\n', { id: 1 }),
        { do: 'disk', path: '{{cwd}}/a.txt', text: 'mine\n' },
        s.toolUpdate('w', { status: 'completed' }),
      ],
      prompts: ['go'],
    });
    assert.equal(run.answerTo(1).error?.code, -32603);
    assert.deepEqual(
      run.events('fileWritten').map(({ outcome }) => outcome),
      ['refused'],
    );
    assert.equal(run.file('a.txt'), 'mine\n');
    assert.equal(run.entries.find(({ toolCallId }) => toolCallId === 'w')?.['status'], 'completed');
  });
});

describe('oddities of real agents: replay', () => {
  cleanAfterEach();

  it('oddity 21: a prompt in parts is one entry, and what the agent wrapped into it stands on a line of its own', async () => {
    const run = await replayed(
      s.userText('first '),
      s.userText('message'),
      s.userText('<system-reminder>\nToday is Monday.\n</system-reminder>'),
      s.text('Reading.'),
      s.toolCall('1:call', { kind: 'read', status: 'in_progress' }),
      s.toolUpdate('1:call', { status: 'completed' }),
      s.text('Read.'),
    );
    assert.deepEqual(users(run), ['first message\n<system-reminder>\nToday is Monday.\n</system-reminder>']);
    assert.deepEqual(outline(run).slice(1), ['assistant:Reading.', 'tool:1:call', 'assistant:Read.']);
    assert.deepEqual([run.sentOf('session/load').length, run.sentOf('session/new').length], [1, 0]);
  });

  it('oddity 21: two prompts in a row stay two where an id or an entry tells them apart', async () => {
    const byId = await replayed(s.userText('a', 'u1'), s.userText('b', 'u1'), s.userText('c', 'u2'), s.text('x', 'm'));
    assert.deepEqual(users(byId), ['ab', 'c']);
    const byEntry = await replayed(s.userText('a'), s.toolCall('t', { status: 'completed' }), s.userText('b'));
    assert.deepEqual(users(byEntry), ['a', 'b']);
    // Nothing tells these from the parts of one prompt.
    const neither = await replayed(s.userText('a'), s.userText('b'));
    assert.deepEqual(users(neither), ['ab']);
  });

  it('oddity 21: a call that is completed twice is one quiet card, with what the second brought', async () => {
    const run = await replayed(
      s.userText('go'),
      s.toolCall('c', { title: 'exec', status: 'completed', rawInput: null }),
      s.toolUpdate('c', { status: 'completed', content: [s.textContent('hello')], rawOutput: 'out' }),
    );
    const cards = run.entries.filter(({ kind }) => kind === 'tool');
    assert.equal(cards.length, 1);
    assert.deepEqual(
      [cards[0]?.['status'], JSON.stringify(cards[0]?.['content']).includes('hello')],
      ['completed', true],
    );
    assert.deepEqual(run.events('approval'), []);
  });

  it('oddity 21: the mode of a loaded session is the one the agent restores', async () => {
    const modes = { currentModeId: 'plan', availableModes: ['auto', 'plan'].map((id) => ({ id, name: id })) };
    const run = await replayed(s.userText('go'), s.respond({ modes, sessionId: 'OLD' }));
    assert.equal((run.transcript['mode'] as { id: string }).id, 'plan');
    assert.equal(run.sentOf('session/set_mode').length, 0);
  });

  it('oddity 21: B37 a load that is answered with nothing keeps the id that was asked for', async () => {
    for (const result of [null, {}, { modes: null, configOptions: null }] as readonly Json[]) {
      const run = await scenario({
        agent: { ...loading, on: { 'session/load': [s.respond(result)] } },
        options: load,
        prompts: ['go'],
      });
      assert.equal((run.sentOf('session/prompt')[0]?.params as { sessionId: string }).sessionId, 'OLD');
      assert.deepEqual([run.sentOf('session/new').length, run.status], [0, 0]);
    }
  });

  const refusals: readonly RpcErrorShape[] = [
    { code: -32002, message: 'Resource not found' },
    { code: -32602, message: 'Invalid params', data: 'Unknown sessionId: OLD' },
    { code: -32603, message: 'Internal error', data: { details: 'No previous sessions found for this project.' } },
    { code: -32601, message: 'Method not found' },
    { code: 1001, message: 'thread gone' },
  ];
  for (const error of refusals) {
    it(`oddity 21: a load that is refused with ${String(error.code)} is told, tried once, and a new session opens`, async () => {
      const run = await scenario({
        agent: {
          ...loading,
          on: { 'session/load': [s.userText('part of it'), s.fail(error)] },
          prompts: [{ steps: [{ ...s.text('stray'), sessionId: 'OLD' } as never, s.text('hello')] }],
        },
        options: load,
        prompts: ['go'],
      });
      assert.deepEqual([run.sentOf('session/load').length, run.sentOf('session/new').length], [1, 1]);
      assert.notEqual((run.sentOf('session/prompt')[0]?.params as { sessionId: string }).sessionId, 'OLD');
      assert.deepEqual(outline(run), [
        'user:part of it',
        'notice:node cannot reload what was said before, and starts without memory of it.',
        'user:go',
        'assistant:hello',
      ]);
      // The script asked for the old conversation and did not get it.
      assert.equal(run.status, 1);
    });
  }

  it('oddity 21: a load that is refused because nobody is signed in opens no new session', async () => {
    const run = await scenario({
      agent: { ...loading, on: { 'session/load': [s.fail({ code: -32000, message: 'Authentication required' })] } },
      options: load,
      prompts: ['go'],
    });
    assert.deepEqual([run.sentOf('session/load').length, run.sentOf('session/new').length], [1, 0]);
    assert.deepEqual([run.sentOf('session/prompt').length, run.status], [0, 77]);
  });
});
