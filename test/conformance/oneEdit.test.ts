import assert from 'node:assert/strict';
import type { Json, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, type Result } from './scenario.js';

const path = '{{cwd}}/a.txt';
const old = 'one\ntwo\nthree\n';
const edited = 'one\nTWO\nthree\n';

/** Announces an edit, asks for permission and goes on. */
const ask = (id: string, oldText: string | null, newText: string, file = path): readonly Step[] => [
  s.toolCall(id, { kind: 'edit', locations: [{ path: file }], content: [s.diff(file, oldText, newText)] }),
  s.permission(id, s.usualOptions, { id: `ask-${id}` }),
];

const run = (steps: readonly Step[], options: readonly string[] = [], files = { 'a.txt': old }): Promise<Result> =>
  scenario({
    agent: steps,
    files,
    options: ['--write', 'ask', ...(options.length > 0 ? options : ['--answers', 'allow_once'])],
    prompts: ['go'],
  });

const origins = (result: Result): unknown[] => result.events('approval').map((line) => line['origin']);
const marks = (result: Result, index: number): readonly string[] =>
  result.events('approval')[index]?.['marks'] as string[];
const provenance = (result: Result): Json => (result.events('fileWritten')[0]?.['provenance'] ?? null) as Json;

describe('one edit, one question', () => {
  cleanAfterEach();

  it('a whole-file diff that is then written exactly is asked once', async () => {
    const result = await run([...ask('e1', old, edited), s.writeFile(path, edited, { id: 'w' })]);
    assert.deepEqual(origins(result), ['agent']);
    assert.deepEqual(result.answerTo('w').result, {});
    assert.deepEqual(provenance(result), { by: 'above' });
    assert.equal(result.file('a.txt'), edited);
  });

  it('a snippet that stands once in the file is asked once', async () => {
    const result = await run([...ask('e1', 'two\n', 'TWO\n'), s.writeFile(path, edited)]);
    assert.deepEqual(origins(result), ['agent']);
    assert.equal(result.file('a.txt'), edited);
  });

  it('a new file is asked once', async () => {
    const file = '{{cwd}}/sub/new.txt';
    const result = await run([...ask('e1', null, 'text\n', file), s.writeFile(file, 'text\n')]);
    assert.deepEqual(origins(result), ['agent']);
    assert.equal(result.file('sub/new.txt'), 'text\n');
  });

  it('one byte more than shown is asked again, and says that it differs', async () => {
    for (const more of [`${edited}\n`, `${edited} `, edited.slice(0, -1), edited.replace('TWO', 'TW0')]) {
      const result = await run([...ask('e1', old, edited), s.writeFile(path, more)]);
      assert.deepEqual(origins(result), ['agent', 'host'], JSON.stringify(more));
      assert.ok(marks(result, 1).includes('differs'));
      assert.equal(result.file('a.txt'), more);
    }
  });

  it('a difference that is denied leaves the file alone, also where the first question was allowed', async () => {
    const result = await scenario({
      agent: [
        ...ask('e1', old, edited),
        s.toolUpdate('e1', { status: 'completed' }),
        s.writeFile(path, 'evil\n', { id: 'w' }),
      ],
      files: { 'a.txt': old },
      options: ['--write', 'ask'],
      answers: [{ match: { toolCallId: 'e1' }, decision: 'allow_once' }],
      prompts: ['go'],
    });
    assert.ok(result.answerTo('w').error);
    assert.equal(result.file('a.txt'), old);
    assert.equal(result.events('fileWritten')[0]?.['outcome'], 'refused');
  });

  it('an allowed edit is good for one write, and only for its own file', async () => {
    const result = await run([
      ...ask('e1', old, edited),
      s.writeFile('{{cwd}}/b.txt', edited),
      s.writeFile(path, edited),
      s.writeFile(path, old),
      s.writeFile(path, edited),
    ]);
    assert.deepEqual(origins(result), ['agent', 'host', 'host', 'host']);
  });

  it('it dies with the turn', async () => {
    const result = await scenario({
      agent: { prompts: [{ steps: ask('e1', old, edited) }, { steps: [s.writeFile(path, edited)] }] },
      files: { 'a.txt': old },
      options: ['--write', 'ask', '--answers', 'allow_once'],
      prompts: ['ask', 'write'],
    });
    assert.deepEqual(origins(result), ['agent', 'host']);
  });

  it('it is not made where a denial, a snippet found twice, or a file changed meanwhile leaves the result open', async () => {
    const denied = await run([...ask('e1', old, edited), s.writeFile(path, edited)], ['--answers', 'reject_once']);
    assert.deepEqual(origins(denied), ['agent', 'host']);
    assert.equal(denied.file('a.txt'), old);
    const twice = await run([...ask('e1', 'x\n', 'y\n'), s.writeFile(path, 'y\nx\n')], [], { 'a.txt': 'x\nx\n' });
    assert.deepEqual(origins(twice), ['agent', 'host']);
    const changed = await run([
      ...ask('e1', old, edited),
      { do: 'disk', path, text: 'somebody else was here\n' },
      s.writeFile(path, edited),
    ]);
    assert.deepEqual(origins(changed), ['agent', 'host'], 'the shown diff is not what would happen');
  });

  it('it is made for the change that the card shows, not for a second file of the same request', async () => {
    const result = await run([
      s.toolCall('e1', {
        kind: 'edit',
        content: [s.diff(path, old, edited), s.diff('{{cwd}}/b.txt', null, 'unseen\n')],
      }),
      s.permission('e1'),
      s.writeFile(path, edited),
      s.writeFile('{{cwd}}/b.txt', 'unseen\n'),
    ]);
    assert.deepEqual(origins(result), ['agent', 'host']);
  });

  it('it is not made by a question about something else than an edit', async () => {
    const result = await run([
      s.toolCall('e1', { kind: 'execute', rawInput: { command: 'npm test' }, content: [s.diff(path, old, edited)] }),
      s.permission('e1'),
      s.writeFile(path, edited),
    ]);
    assert.deepEqual(origins(result), ['agent', 'host']);
  });

  it('the question names the file whose change it shows, whatever locations the agent gives', async () => {
    const result = await run([
      s.toolCall('e1', {
        kind: 'edit',
        locations: [{ path: '{{cwd}}/README.md' }],
        content: [s.diff(path, old, edited)],
      }),
      s.permission('e1'),
    ]);
    const [asked] = result.events('approval');
    assert.equal(asked?.['title'], 'Edit a.txt?');
    assert.deepEqual(asked?.['paths'], [`${result.cwd}/a.txt`, `${result.cwd}/README.md`]);
  });

  it('it is never made for a path that is denied, and a session does not use another one’s', async () => {
    const file = '{{cwd}}/.git/hooks/pre-commit';
    const denied = await run([...ask('e1', null, 'x\n', file), s.writeFile(file, 'x\n', { id: 'w' })]);
    assert.ok(denied.answerTo('w').error);
    assert.equal(denied.exists('.git/hooks/pre-commit'), false);
    const result = await scenario({
      agent: {
        prompts: [
          { match: 'one', steps: [...ask('e1', old, edited), s.text('asked'), s.hang()] },
          { match: 'two', steps: [s.writeFile(path, edited)] },
        ],
      },
      files: { 'a.txt': old },
      options: ['--write', 'ask', '--answers', 'allow_once'],
      script: [
        { do: 'prompt', text: 'one' },
        { do: 'waitFor', event: 'messageChunk' },
        { do: 'newSession' },
        { do: 'prompt', text: 'two' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'killAgent' },
      ],
    });
    assert.deepEqual(origins(result), ['agent', 'host']);
  });

  it('writes without a question need both allow and the acknowledgement', async () => {
    const steps = [s.writeFile(path, edited)];
    for (const [options, count, text] of [
      [['--write', 'allow'], 1, old],
      [['--write', 'allow', '--acknowledge-unrestricted'], 0, edited],
      [['--write', 'ask', '--acknowledge-unrestricted'], 1, old],
    ] as const) {
      const result = await scenario({ agent: steps, files: { 'a.txt': old }, options, prompts: ['go'] });
      assert.deepEqual([result.events('approval').length, result.file('a.txt')], [count, text], options.join(' '));
    }
  });

  it('nothing is written without a question between turns', async () => {
    const result = await scenario({
      agent: [s.respond({ stopReason: 'end_turn' }), s.waitFor('session/set_mode'), s.writeFile(path, edited)],
      files: { 'a.txt': old },
      options: ['--write', 'allow', '--acknowledge-unrestricted'],
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'turnEnded' },
        { do: 'setMode', modeId: 'x' },
        { do: 'waitFor', event: 'approvalSettled' },
      ],
    });
    assert.deepEqual(origins(result), ['host']);
    assert.equal(result.file('a.txt'), old);
  });
});
