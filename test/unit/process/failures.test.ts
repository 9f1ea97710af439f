import assert from 'node:assert/strict';
import { describeFailure, probeStatus, signInStep, type StartFailure } from '../../../src/core/failures.js';

const exit = (code: number): { code: number; signal: null } => ({ code, signal: null });
const died = (code: number, ...stderrTail: string[]): StartFailure => ({
  reason: 'spawn_error',
  detail: 'exited',
  command: 'agent',
  exit: exit(code),
  during: 'initialize',
  stderrTail,
});
const silent = (command: string, ...noise: string[]): StartFailure => ({
  reason: 'handshake_timeout',
  command,
  method: 'initialize',
  ms: 30_000,
  noise,
});

/** Every failure: its title, its reason in words, and the next step. */
const table: readonly (readonly [StartFailure, RegExp, RegExp, RegExp])[] = [
  [
    { reason: 'missing_binary', detail: 'notFound', command: 'agent', folders: 9 },
    /^“agent” was not found$/,
    /^VS Code looked for it in the 9 folders of PATH on this machine\.$/,
    /full path/,
  ],
  [
    { reason: 'missing_binary', detail: 'notFound', command: '/no/such/agent', folders: 0 },
    /^“\/no\/such\/agent” was not found$/,
    /ENOENT/,
    /full path/,
  ],
  [
    { reason: 'missing_binary', detail: 'notFound', command: 'npx', folders: 9 },
    /“npx”/,
    /Node\.js/,
    /Install Node\.js/,
  ],
  [{ reason: 'missing_binary', detail: 'notFound', command: 'uvx', folders: 9 }, /“uvx”/, /9 folders/, /Install uv/],
  [
    { reason: 'missing_binary', detail: 'interpreter', command: '/x/a', interpreter: '/usr/bin/node' },
    /“\/x\/a” cannot start/,
    /“\/usr\/bin\/node”, which was not found/,
    /Node\.js/,
  ],
  [
    {
      reason: 'missing_binary',
      detail: 'exit127',
      command: 'agent',
      exit: exit(127),
      stderrTail: ['env: node: No such file or directory'],
    },
    /could not start/,
    /127.*env: node/,
    /PATH/,
  ],
  [{ reason: 'spawn_error', detail: 'notExecutable', command: '/x/a' }, /may not be run/, /EACCES/, /executable/],
  [{ reason: 'spawn_error', detail: 'directory', command: '/tmp' }, /is a folder/, /program/, /path of a program/],
  [{ reason: 'spawn_error', detail: 'relative', command: './a' }, /relative/, /every folder/, /full path/],
  [{ reason: 'spawn_error', detail: 'batch', command: 'a.cmd' }, /batch file/, /safely/, /node/],
  [
    { reason: 'spawn_error', detail: 'noSecret', command: 'a', secret: 'K' },
    /needs the secret “K”/,
    /not stored/,
    /Set Secret/,
  ],
  [
    { reason: 'spawn_error', detail: 'noFolder', command: 'a', folder: '/gone' },
    /no folder/,
    /“\/gone”/,
    /Open a folder/,
  ],
  [
    { reason: 'spawn_error', detail: 'system', command: 'a', system: 'E2BIG' },
    /could not be started/,
    /E2BIG/,
    /arguments/,
  ],
  [died(1, 'npm error 403 blocked by policy'), /stopped unexpectedly/, /Exit code 1/, /stderr/],
  [died(134), /stopped unexpectedly/, /134 \(SIGABRT\)/, /stderr/],
  [
    died(1, "SyntaxError: The requested module 'node:fs' does not provide an export named 'glob'", 'Node.js v20.20.2'),
    /Node\.js is too old for Agent/,
    /newer Node\.js than 20\.20\.2/,
    /Install Node\.js 22 or newer/,
  ],
  [
    died(
      1,
      'npm warn EBADENGINE Unsupported engine {',
      "npm warn EBADENGINE   required: { node: '>=22.19' },",
      "npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '10.8.2' }",
    ),
    /too old/,
    /than 20\.20\.2/,
    /Install Node\.js >=22\.19/,
  ],
  [died(1, 'Not logged in · Please run /login'), /Sign in to Agent/, /nobody is signed in/, /Sign in/],
  [silent('agent'), /did not answer/, /^No answer to `initialize` within 30 s\.$/, /ACP agent/],
  [silent('npx'), /did not answer/, /30 s/, /downloads/],
  [silent('agent', 'Welcome to the REPL!'), /did not answer/, /does not speak ACP.*“Welcome to the REPL”/, /--acp/],
  [silent('agent', '{', '  "jsonrpc": "2.0",'), /did not answer/, /over several lines/, /--acp/],
  [
    { reason: 'incompatible_protocol', command: 'agent', offered: 3 },
    /^Agent speaks another protocol version$/,
    /^It offers version 3; this extension speaks 1\.$/,
    /version 1/,
  ],
  [{ reason: 'incompatible_protocol', command: 'agent', offered: 'x' }, /another protocol/, /no version/, /version 1/],
  [
    { reason: 'unauthenticated', methods: [], message: 'Authentication required' },
    /^Sign in to Agent$/,
    /nobody is signed in/,
    /command line of Agent/,
  ],
  [
    { reason: 'unauthenticated', methods: [{ id: 'k', name: 'API key', type: 'env_var' }], message: '' },
    /Sign in/,
    /nobody is signed in/,
    /“env” setting/,
  ],
  [
    { reason: 'handshake_error', command: 'a', method: 'initialize', code: -32603, message: 'Internal error.' },
    /refused to start/,
    /\(-32603\): “Internal error”\.$/,
    /documentation/,
  ],
];

describe('failures in words', () => {
  for (const [failure, what, why, next] of table) {
    const name = `${failure.reason}${'detail' in failure ? ` (${failure.detail})` : ''} of ${failure.command ?? 'an agent'}`;
    it(`says what, why and what next: ${name}, ${what.source}`, () => {
      const { message, nextStep, notice } = describeFailure(failure, 'Agent');
      assert.match(notice.what, what);
      assert.match(notice.why, why);
      assert.match(nextStep, next);
      for (const text of [notice.why, message, nextStep]) {
        const sentences = text.replace(/“[^”]*”|`[^`]*`|\d\.\d|Node\.js/g, 'x').match(/[.!?](\s|$)/g) ?? [];
        assert.ok(sentences.length >= 1 && sentences.length <= 2, `${sentences.length} sentences: ${text}`);
        assert.doesNotMatch(text, /\bat .*:\d+:\d+|\n/);
      }
      assert.ok(notice.actions.length > 0 && notice.actions.length <= 3);
    });
  }

  it('B21 tells the exit code and the last lines of stderr', () => {
    const { message, notice } = describeFailure(
      died(1, 'npm error code E403', 'npm error 403 blocked by policy'),
      'Agent',
    );
    assert.match(message, /exit code 1 .*“npm error 403 blocked by policy”/);
    assert.deepEqual(notice.tail, ['npm error code E403', 'npm error 403 blocked by policy']);
    assert.deepEqual(notice.actions, ['retry', 'showLog', 'copyDetails']);
  });

  it('B24 tells both versions', () => {
    const { message } = describeFailure({ reason: 'incompatible_protocol', command: 'a', offered: 2 }, 'Agent');
    assert.match(message, /version 2; .* speaks 1/);
  });

  it('quotes an agent in one bounded, printable line', () => {
    const noise = `\u001b[31m${'a'.repeat(5_000)}\n\u202e`;
    const { message } = describeFailure(silent('agent', noise), 'Agent');
    assert.ok(message.length < 400);
    assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
  });

  it('names another machine', () => {
    const failure: StartFailure = { reason: 'missing_binary', detail: 'notFound', command: 'a', folders: 2 };
    assert.match(describeFailure(failure, 'A', { machine: 'SSH: box' }).notice.why, /on this machine \(SSH: box\)/);
  });

  it('says how to sign in', () => {
    const methods = [
      { id: 'a', name: 'Account', type: 'agent' },
      { id: 'b', name: 'Key', type: 'env_var' },
    ];
    assert.match(signInStep(methods, 'Agent'), /“Account”/);
    assert.doesNotMatch(signInStep(methods, 'Agent'), /Key/);
    assert.equal(signInStep(methods, 'Agent', 'Run x.'), 'Run x.');
  });

  it('has the exit statuses of the contract', () => {
    assert.deepEqual(probeStatus, {
      ok: 0,
      missing_binary: 127,
      spawn_error: 126,
      handshake_timeout: 124,
      incompatible_protocol: 65,
      unauthenticated: 77,
      handshake_error: 76,
    });
  });
});
