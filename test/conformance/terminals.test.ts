import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, temporaryFolder, type Result } from './scenario.js';

const free = ['--terminal', 'allow', '--acknowledge-unrestricted'] as const;
type Output = { output: string; truncated: boolean; exitStatus?: { exitCode: number | null; signal: string | null } };
const output = (run: Result, id: string): Output => run.answerTo(id).result as Output;
const node = process.execPath;

/** True where a process runs that has this word among its arguments. */
function runs(word: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}

describe('terminals', () => {
  cleanAfterEach();

  it('item 73 item 75 runs a command with its arguments, environment and folder to its exit', async () => {
    const show = 'console.log(JSON.stringify([process.argv.slice(1), process.env.X, process.cwd()]));process.exit(3)';
    const argv = ['a b', '$HOME', "it's", 'naïve 🙂', ''];
    const run = await scenario({
      agent: [
        s.createTerminal(
          node,
          { args: ['-e', show, ...argv], env: [{ name: 'X', value: 'y z' }], cwd: '{{cwd}}/sub' },
          { id: 'c', as: 't' },
        ),
        s.terminal('wait_for_exit', 't', { id: 'w1', wait: false }),
        s.terminal('wait_for_exit', 't', { id: 'w2' }),
        s.terminal('output', 't', { id: 'o' }),
        s.terminal('release', 't', { id: 'r' }),
        s.terminal('output', 't', { id: 'gone' }),
      ],
      files: { 'sub/x': '' },
      options: free,
      prompts: ['go'],
    });
    assert.deepEqual(JSON.parse(output(run, 'o').output), [argv, 'y z', `${run.cwd}/sub`]);
    assert.deepEqual(output(run, 'o').exitStatus, { exitCode: 3, signal: null });
    assert.equal(output(run, 'o').truncated, false);
    for (const id of ['w1', 'w2']) {
      assert.deepEqual(run.answerTo(id).result, { exitCode: 3, signal: null });
    }
    assert.deepEqual(run.answerTo('r').result, {});
    assert.equal(run.answerTo('gone').error?.code, -32602);
    assert.equal(run.events('terminalStarted').length, 1);
    assert.equal(run.events('terminalExited')[0]?.['code'], 3);
  });

  it('asks with the values that its environment adds, and with the codes of what does not show in them', async () => {
    const run = await scenario({
      agent: [
        s.createTerminal('true', { env: [{ name: 'LD_PRELOAD', value: '/x.so' }] }),
        s.createTerminal('true', { env: [{ name: 'A\nB', value: '1' }] }),
        s.createTerminal('true', { env: [{ name: 'PAGER', value: 'cat' }] }),
      ],
      options: ['--terminal', 'ask', '--answers', 'reject_once'],
      prompts: ['go'],
    });
    const [loads, broken, plain] = run.events('approval');
    assert.deepEqual([loads?.['environment'], loads?.['marks']], [['LD_PRELOAD=/x.so'], ['variables']]);
    assert.deepEqual([plain?.['environment'], plain?.['marks']], [['PAGER=cat'], []]);
    assert.deepEqual([broken?.['environment'], broken?.['marks']], [['A\nB=1'], ['hidden']]);
  });

  it('item 75 item 76 kills with everything that it started, and stays valid until it is released', async () => {
    const word = `marker-${String(process.pid)}-${String(Date.now())}`;
    const run = await scenario({
      agent: [
        s.createTerminal('sh', { args: ['-c', `echo up; sleep 300 & exec sleep 301`, word] }, { as: 't' }),
        s.createTerminal(node, { args: ['-e', `console.log('x');setInterval(()=>{},1e6)`, word] }, { as: 'u' }),
        s.terminal('output', 't', { id: 'early' }),
        s.terminal('kill', 't', { id: 'k' }),
        s.terminal('wait_for_exit', 't', { id: 'w' }),
        s.terminal('output', 't', { id: 'o' }),
        s.terminal('release', 't', { id: 'r' }),
        s.terminal('release', 'u', { id: 'r2' }),
        s.terminal('release', 'u', { id: 'r3' }),
      ],
      options: free,
      prompts: ['go'],
    });
    assert.equal(output(run, 'early').exitStatus, undefined);
    assert.deepEqual(run.answerTo('k').result, {});
    assert.deepEqual(run.answerTo('w').result, { exitCode: null, signal: 'SIGKILL' });
    assert.deepEqual(output(run, 'o').exitStatus, { exitCode: null, signal: 'SIGKILL' });
    assert.deepEqual(run.answerTo('r2').result, {});
    assert.equal(run.answerTo('r3').error?.code, -32602);
    assert.equal(runs(word), false);
  });

  it('item 74 keeps the end of the output within the limit, cut between two characters', async () => {
    const print = (text: string): string => `process.stdout.write(${JSON.stringify(text)})`;
    const run = await scenario({
      agent: [
        s.createTerminal(node, { args: ['-e', print('abc€€€€')], outputByteLimit: 10 }, { as: 'a' }),
        s.terminal('wait_for_exit', 'a'),
        s.terminal('output', 'a', { id: 'euro' }),
        s.createTerminal(node, { args: ['-e', print('🙂🙂🙂')], outputByteLimit: 6 }, { as: 'b' }),
        s.terminal('wait_for_exit', 'b'),
        s.terminal('output', 'b', { id: 'face' }),
        s.createTerminal(node, { args: ['-e', print('abc')], outputByteLimit: 3 }, { as: 'c' }),
        s.terminal('wait_for_exit', 'c'),
        s.terminal('output', 'c', { id: 'fits' }),
        s.createTerminal(node, { args: ['-e', print('abc')], outputByteLimit: 0 }, { as: 'd' }),
        s.terminal('wait_for_exit', 'd'),
        s.terminal('output', 'd', { id: 'none' }),
      ],
      options: free,
      prompts: ['go'],
    });
    assert.deepEqual([output(run, 'euro').output, output(run, 'euro').truncated], ['€€€', true]);
    assert.deepEqual([output(run, 'face').output, output(run, 'face').truncated], ['🙂', true]);
    assert.deepEqual([output(run, 'fits').output, output(run, 'fits').truncated], ['abc', false]);
    assert.equal(output(run, 'none').output, '');
  });

  it('a whole line without arguments goes through the shell, and says so; arguments never do', async () => {
    const run = await scenario({
      agent: [
        s.createTerminal('echo one && echo two > made.txt', {}, { as: 'a' }),
        s.terminal('wait_for_exit', 'a', { id: 'wa' }),
        s.terminal('output', 'a', { id: 'line' }),
        s.createTerminal('echo', { args: ['x > other.txt && y'] }, { as: 'b' }),
        s.terminal('wait_for_exit', 'b'),
        s.terminal('output', 'b', { id: 'args' }),
      ],
      options: ['--terminal', 'ask', '--answers', 'allow_once'],
      prompts: ['go'],
    });
    assert.equal(output(run, 'line').output, 'one\n');
    assert.equal(run.file('made.txt'), 'two\n');
    assert.equal(output(run, 'args').output, 'x > other.txt && y\n');
    assert.equal(run.exists('other.txt'), false);
    const [line, args] = run.events('approval');
    assert.deepEqual([line?.['origin'], line?.['verb'], line?.['toolCallId']], ['host', 'execute', null]);
    assert.equal(line?.['command'], 'echo one && echo two > made.txt');
    assert.ok((line['marks'] as string[]).includes('shell'));
    assert.equal(args?.['command'], `echo 'x > other.txt && y'`);
    assert.ok(!(args['marks'] as string[]).includes('shell'));
  });

  it('item 78 refuses a folder outside, a command that is not there, and nonsense, without a question', async () => {
    const outside = temporaryFolder();
    const run = await scenario({
      agent: [
        s.createTerminal('touch', { args: ['x'], cwd: outside }, { id: 'outside' }),
        s.createTerminal('touch', { args: ['x'], cwd: '{{cwd}}/../' }, { id: 'above' }),
        s.createTerminal('no-such-command-anywhere', {}, { id: 'missing' }),
        s.createTerminal('', {}, { id: 'empty' }),
        s.createTerminal(7 as never, {}, { id: 'number' }),
        s.createTerminal('echo', { args: [1] }, { id: 'args' }),
        s.createTerminal('echo', { cwd: 5 }, { id: 'cwd' }),
        s.createTerminal('echo\u0000x', {}, { id: 'nul' }),
        s.request('terminal/create', { sessionId: 'S9', command: 'ls' }, { id: 'session' }),
        s.request('terminal/output', { sessionId: '{{sessionId}}', terminalId: 't99' }, { id: 'bad' }),
        s.request('terminal/kill', { sessionId: '{{sessionId}}', terminalId: 1 }, { id: 'bad2' }),
        s.request('terminal/wait_for_exit', { sessionId: '{{sessionId}}' }, { id: 'bad3' }),
      ],
      options: ['--terminal', 'ask', '--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const { id, error } of run.sent.filter(({ method }) => method === undefined)) {
      assert.ok(error !== undefined && [-32602, -32002].includes(error.code), `${String(id)} ${JSON.stringify(error)}`);
    }
    assert.equal(run.sent.filter(({ method }) => method === undefined).length, 12);
    assert.equal(run.events('approval').length, 0);
    assert.deepEqual(readdirSync(outside), []);
  });

  it('a denied command does not run, and allow without the acknowledgement asks', async () => {
    for (const mode of ['ask', 'allow']) {
      const run = await scenario({
        agent: [s.createTerminal('touch', { args: ['made'] }, { id: 'c' })],
        options: ['--terminal', mode],
        prompts: ['go'],
      });
      assert.ok(run.answerTo('c').error);
      assert.equal(run.exists('made'), false);
      assert.equal(run.events('approval').length, 1);
      assert.equal(run.events('terminalStarted').length, 0);
    }
  });

  it('item 77 commands that were never released end with their agent, and with a cancel', async () => {
    const word = `marker-${String(process.pid)}-${String(Date.now())}`;
    const start = s.createTerminal(node, { args: ['-e', 'setInterval(()=>{},1e6)', word] }, { as: 't' });
    const died = await scenario({ agent: [start, s.exit(1)], options: free, prompts: ['go'] });
    assert.equal(died.status, 1);
    assert.equal(runs(word), false);
    const stopped = await scenario({
      agent: [
        start,
        s.text('up'),
        s.terminal('wait_for_exit', 't', { id: 'w' }),
        s.respond({ stopReason: 'cancelled' }),
      ],
      options: free,
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'messageChunk' }, { do: 'cancel' }],
    });
    assert.deepEqual(stopped.answerTo('w').result, { exitCode: null, signal: 'SIGKILL' });
    assert.equal(runs(word), false);
  });

  it('a command that is allowed after its turn was cancelled is not started', async () => {
    const run = await scenario({
      agent: [s.createTerminal('touch', { args: ['made'] }, { id: 'c' })],
      options: ['--terminal', 'ask'],
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'approval' },
        { do: 'cancel' },
        { do: 'answer', approvalId: 'a1', decision: 'allow_once' },
      ],
    });
    assert.ok(run.answerTo('c').error);
    assert.equal(run.exists('made'), false);
  });
});
