import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAnswers } from '../../src/agent/headless/answers.js';
import { parseOptions, UsageError } from '../../src/agent/headless/options.js';
import { eventLine } from '../../src/agent/headless/print.js';
import { includes, leftToScript, parseAction, Timeline } from '../../src/agent/headless/script.js';
import { emptyTranscript, type Approval } from '../../src/core/transcript/model.js';

const line = (event: string, fields: object = {}): { event: string } => ({ event, ...fields });
const never = new AbortController().signal;

describe('headless: command line', () => {
  it('has the defaults of the contract', () => {
    assert.deepEqual(parseOptions(['--cwd', '/ws', '--', 'agent', '--flag', '--', 'x']), {
      cwd: '/ws',
      roots: [],
      prompts: [],
      script: undefined,
      read: true,
      write: 'off',
      terminal: 'off',
      acknowledged: false,
      answers: undefined,
      timeoutMs: 60_000,
      handshakeTimeoutMs: undefined,
      load: undefined,
      pass: [],
      denyFiles: [],
      allowFiles: [],
      loginShell: false,
      traffic: undefined,
      command: 'agent',
      args: ['--flag', '--', 'x'],
    });
  });

  it('takes every option, repeated ones in order, and values after an equals sign', () => {
    const given =
      '--cwd=/ws --root /a --root=/b --prompt=one --prompt two=2 --script s --read off --write ask --terminal allow ' +
      '--acknowledge-unrestricted --login-shell --answers cancel --timeout 1.5 --load ID -- agent';
    const options = parseOptions(given.split(' '));
    assert.deepEqual(
      [options.roots, options.prompts],
      [
        ['/a', '/b'],
        ['one', 'two=2'],
      ],
    );
    assert.deepEqual([options.read, options.write, options.terminal], [false, 'ask', 'allow']);
    assert.deepEqual([options.acknowledged, options.answers, options.timeoutMs], [true, 'cancel', 1_500]);
    assert.deepEqual([options.script, options.load, options.loginShell], ['s', 'ID', true]);
  });

  it('refuses what it does not know', () => {
    for (const argv of [
      [],
      ['--cwd', '/ws'],
      ['--cwd', '/ws', '--'],
      ['--cwd', '/ws', '--', ''],
      ['--', 'agent'],
      ['--cwd', '/ws', '--verbose', '--', 'agent'],
      ['--cwd', '/ws', '--acknowledge-unrestricted=yes', '--', 'agent'],
      ['--cwd', '/ws', '--login-shell=no', '--', 'agent'],
      ['--cwd', '/ws', '--timeout', 'NaN', '--', 'agent'],
    ]) {
      assert.throws(() => parseOptions(argv), UsageError, argv.join(' '));
    }
  });
});

describe('headless: answers and scripts', () => {
  const approval: Approval = {
    approvalId: 'a1',
    toolCallId: 't1',
    origin: 'agent',
    verb: 'edit',
    title: 'Edit?',
    paths: ['/ws/src/a.ts'],
    command: 'npm test',
    options: [],
    marks: [],
    state: 'waiting',
  };

  it('takes the first rule that matches in all that it names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'answers-'));
    try {
      const file = join(folder, 'answers');
      const decide = (...rules: object[]): unknown => {
        writeFileSync(file, rules.map((rule) => JSON.stringify(rule)).join('\n\n'));
        return loadAnswers(file)?.(approval);
      };
      assert.equal(decide({ match: { path: 'src/a.ts' }, decision: 'cancel' }, { decision: 'allow_once' }), 'cancel');
      assert.equal(
        decide({ match: { path: '/ws/src/a.ts', command: 'npm test' }, decision: 'allow_once' }),
        'allow_once',
      );
      assert.equal(decide({ match: { path: '/ws/src/a.ts', command: 'npm' }, decision: 'allow_once' }), undefined);
      assert.equal(decide({ match: { path: 's' }, decision: 'allow_once' }), undefined);
      assert.equal(decide({ match: { toolCallId: 't1' }, decision: 'reject_once' }), 'reject_once');
      assert.equal(decide(), undefined);
      assert.throws(() => decide({ match: { toolCallID: 't2' }, decision: 'allow_once' }), UsageError);
      assert.throws(() => decide({ match: { path: 7 }, decision: 'allow_once' }), UsageError);
      assert.throws(() => decide({ decision: 'always' }), UsageError);
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.equal(loadAnswers('allow_once')?.(approval), 'allow_once');
    assert.equal(loadAnswers(undefined), undefined);
  });

  it('names the line of an action that is none', () => {
    for (const action of [7, {}, { do: 'prompt', text: 1 }, { do: 'waitFor' }, { do: 'setMode' }, { do: 'answer' }]) {
      assert.throws(() => parseAction(action, 4), /Line 5 of the script/);
    }
    assert.deepEqual(parseAction({ do: 'cancel' }, 0), { do: 'cancel', afterMs: 0 });
    assert.deepEqual(parseAction({ do: 'killAgent' }, 0), { do: 'killAgent', signal: 'SIGKILL' });
  });

  it('a wait finds what came before it, once, and matches at any depth', async () => {
    const timeline = new Timeline();
    timeline.push(line('a', { x: 1 }));
    timeline.push(line('b', { y: { z: [1, 2], more: 0 } }));
    assert.deepEqual(
      await timeline.waitFor('b', { y: { z: [1, 2] } }, never),
      line('b', { y: { z: [1, 2], more: 0 } }),
    );
    const next = timeline.waitFor('a', {}, never);
    timeline.push(line('a', { x: 2 }));
    assert.deepEqual(await next, line('a', { x: 2 }));
    const ended = new AbortController();
    const rejected = assert.rejects(timeline.waitFor('a', {}, ended.signal));
    ended.abort();
    await rejected;
    assert.equal(includes({ a: { b: 1 } }, { a: { b: 2 } }), false);
    assert.equal(includes({ a: null }, { a: null }), true);
  });

  it('leaves a question to the script where a later action answers it, and else not', () => {
    const answer = parseAction({ do: 'answer', toolCallId: 't1', decision: 'allow_once' }, 0);
    const other = parseAction({ do: 'answer', toolCallId: 't2', decision: 'allow_once' }, 0);
    const waits = parseAction({ do: 'waitFor', event: 'turnEnded' }, 0);
    const cancel = parseAction({ do: 'cancel' }, 0);
    assert.equal(leftToScript([waits, answer], approval), true);
    assert.equal(leftToScript([waits, other], approval), false);
    assert.equal(leftToScript([cancel], approval), true);
    assert.equal(leftToScript([], approval), false);
  });
});

describe('headless: lines', () => {
  it('prints the data of an error as the value that it was, or as the text that is left of it', () => {
    const notice = { code: 'turn', severity: 'error', what: '', why: '', actions: [] } as const;
    const data = (text?: string): unknown =>
      eventLine(
        { type: 'turnFailed', at: 1, reason: 'r', message: 'm', notice, ...(text === undefined ? {} : { data: text }) },
        emptyTranscript,
      )['data'];
    assert.deepEqual(data('{"a":[1]}'), { a: [1] });
    assert.equal(data('{"a":[1'), '{"a":[1');
    assert.equal(data('12'), '12');
    assert.equal(data(), null);
  });
});
