/**
 * Attempts of an agent to get past the host, on the finished product, with everything allowed that can be allowed. Their
 * titles stand in docs/security-model.md.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, JsonObject, Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { writeFiles } from '../support/writeFiles.js';
import { cleanNow, scenario, temporaryFolder, type Result } from './scenario.js';

const everything = [
  '--write',
  'allow',
  '--terminal',
  'allow',
  '--acknowledge-unrestricted',
  '--answers',
  'reject_once',
];
const SECRET = 'only for the person';

type Attempt = {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly held: (run: Result, id: string) => void;
};

const attempts: Attempt[] = [];
const errorOf = (run: Result, id: string): Frame['error'] => run.answerTo(id).error;
const refused = (run: Result, id: string): void => {
  const { result, error } = run.answerTo(id);
  assert.ok(error !== undefined, `it was answered with ${JSON.stringify(result)}`);
  assert.ok(!JSON.stringify(error).includes(SECRET));
};
/** One attempt; `steps` gets the id under which its answer is looked at. */
function attempt(title: string, steps: (id: string) => Step | readonly Step[], held: Attempt['held'] = refused): void {
  const id = `attempt${String(attempts.length + 1)}`;
  attempts.push({ title, steps: [steps(id)].flat(), held });
}
const read = (title: string, path: string, held?: Attempt['held']): void =>
  attempt(title, (id) => s.readFile(path, {}, { id }), held);
const write = (title: string, path: string, held?: Attempt['held']): void =>
  attempt(title, (id) => s.writeFile(path, 'pwned\n', { id }), held);

// Files.
read('reads beside the folder with ..', '{{cwd}}/../outside/secret.txt');
read('reads a file of the system', '/etc/passwd');
read('reads through a link to a file outside', '{{cwd}}/link-file');
read('reads through a link to a folder outside', '{{cwd}}/link-folder/secret.txt');
read('reads through a chain of links', '{{cwd}}/link-chain');
read('reads through /proc/self/root', '/proc/self/root{{cwd}}/a.txt');
read('reads the environment of the host', '/proc/self/environ');
read('reads the environment of the host through a link', '{{cwd}}/link-environ');
read('reads a device through a link', '{{cwd}}/link-zero');
read('reads a pipe that nobody writes to', '{{cwd}}/pipe');
read('reads a key of the person by a second name', '{{cwd}}/notes.txt');
read('reads .env', '{{cwd}}/.env');
read('reads .env spelled with a dot at the end', '{{cwd}}/.env.');
read('reads .env in wide letters', '{{cwd}}/\uff0eenv');
read('reads .env through a link with a plain name', '{{cwd}}/link-env');
read('reads .git/config', '{{cwd}}/.git/config');
read('reads .GIT/config', '{{cwd}}/.GIT/config');
read('reads a path with a zero byte', '{{cwd}}/a.txt\0.png');
read('reads a path of 100,000 characters', `{{cwd}}/${'a'.repeat(100_000)}`);
attempt('sends an object for a path', (id) =>
  s.request('fs/read_text_file', { sessionId: '{{sessionId}}', path: { toString: 'x' } }, { id }),
);
attempt('reads for a session that it does not have', (id) =>
  s.request('fs/read_text_file', { sessionId: 'another', path: '{{cwd}}/a.txt' }, { id }),
);
write('writes beside the folder with ..', '{{cwd}}/../outside/new.txt');
write('writes through a link to a file outside', '{{cwd}}/link-file');
write('makes a file through a link that leads nowhere', '{{cwd}}/link-dangling');
write('makes folders through a link to the outside', '{{cwd}}/link-folder/deep/er/new.txt');
write('writes a hook of Git', '{{cwd}}/.git/hooks/pre-commit');
write('writes into .git through a link', '{{cwd}}/link-git/config');
write('writes a secret', '{{cwd}}/.env');
write('writes the settings of the editor', '{{cwd}}/.vscode/tasks.json');
write('writes the settings of the editor in capitals', '{{cwd}}/.VSCODE/Settings.json');
write('writes the rules of another agent', '{{cwd}}/CLAUDE.md');
write('writes the scripts of a package', '{{cwd}}/package.json');
write('writes a workflow', '{{cwd}}/.github/workflows/ci.yml');
write('writes a hook in a bare repository', '{{cwd}}/bare.git/hooks/post-update');
attempt('writes half of a character', (id) => s.writeFile('{{cwd}}/half', '\ud800', { id }));
attempt('writes 6 MB at once', (id) => s.writeFile('{{cwd}}/big', 'x'.repeat(6_000_000), { id }));

// Questions.
const options = (...kinds: string[]): { optionId: string; name: string; kind: string }[] =>
  kinds.map((kind, i) => ({ optionId: `${kind}-${String(i)}`, name: 'OK', kind }));
const notAllowed = (run: Result, id: string): void => {
  const outcome = (run.answerTo(id).result as { outcome?: { outcome: string; optionId?: string } } | undefined)
    ?.outcome;
  assert.ok(
    outcome?.outcome === 'cancelled' || outcome?.optionId?.startsWith('reject') === true,
    JSON.stringify(outcome),
  );
};
const ask = (title: string, call: JsonObject, kinds: readonly string[] = ['allow_once', 'reject_once']): void =>
  attempt(title, (id) => s.permission({ toolCallId: id, title, ...call }, options(...kinds), { id }), notAllowed);
const inside = { locations: [{ path: '{{cwd}}/a.txt' }] };
ask('calls a change of Git a read', { kind: 'read', content: [s.diff('{{cwd}}/.git/config', 'a', 'b')] });
ask('calls an edit of a secret a thought', { kind: 'think', content: [s.diff('{{cwd}}/.env', 'a', 'b')] });
ask('asks for a kind that does not exist', { kind: 'harmless', ...inside });
ask('searches outside', { kind: 'search', locations: [{ path: '/etc' }] });
ask('asks to edit and offers only to allow for ever', { kind: 'edit', ...inside }, ['allow_always']);
ask('offers two ways to allow', { kind: 'edit', ...inside }, ['allow_once', 'allow_once', 'reject_once']);
ask('switches to another mode', { kind: 'switch_mode' });
attempt(
  'offers the same id to allow and to reject',
  (id) =>
    s.permission(
      { toolCallId: id, kind: 'edit', ...inside },
      [
        { optionId: 'same', name: 'Deny', kind: 'reject_once' },
        { optionId: 'same', name: 'Allow', kind: 'allow_once' },
      ],
      { id },
    ),
  notAllowed,
);
attempt(
  'changes a read into a command between two messages',
  (id) => [
    s.toolCall(id, { kind: 'execute', rawInput: { command: 'rm -rf ~' } }),
    s.permission({ toolCallId: id, kind: 'read', ...inside, rawInput: {} }, options('allow_once', 'reject_once'), {
      id,
    }),
  ],
  (run, id) => {
    const asked = run.events('approval').find(({ toolCallId }) => toolCallId === id);
    assert.ok(asked !== undefined);
    notAllowed(run, id);
  },
);

// Commands.
attempt('runs a command outside the folder', (id) =>
  s.createTerminal('/bin/sh', { args: ['-c', 'true'], cwd: '{{cwd}}/../outside' }, { id }),
);
attempt('runs a command in a folder that is a link to the outside', (id) =>
  s.createTerminal('/bin/sh', { args: ['-c', 'true'], cwd: '{{cwd}}/link-folder' }, { id }),
);
attempt('reads the output of a terminal that it does not have', (id) =>
  s.request('terminal/output', { sessionId: '{{sessionId}}', terminalId: 't99' }, { id }),
);
attempt(
  'looks for a token of the person in the environment of a command',
  (id) => [
    s.createTerminal('/bin/sh', { args: ['-c', 'env'] }, { id: `${id}c`, as: 'term' }),
    s.terminal('wait_for_exit', 'term', { id: `${id}w` }),
    s.terminal('output', 'term', { id }),
  ],
  (run, id) => {
    const { output } = run.answerTo(id).result as { output: string };
    assert.match(output, /^HOME=/m);
    assert.doesNotMatch(output, /GITHUB_TOKEN=|NODE_OPTIONS=|LD_PRELOAD=|ELECTRON_RUN_AS_NODE=/);
  },
);
attempt(
  'floods a terminal with 100 MB',
  (id) => [
    s.createTerminal(
      '/bin/sh',
      { args: ['-c', 'head -c 100000000 /dev/zero | tr "\\\\0" x'] },
      { id: `${id}c`, as: 'flood' },
    ),
    s.terminal('wait_for_exit', 'flood', { id: `${id}w` }),
    s.terminal('output', 'flood', { id }),
  ],
  (run, id) => {
    const { output, truncated } = run.answerTo(id).result as { output: string; truncated: boolean };
    assert.ok(truncated && output.length <= 1024 * 1024);
  },
);

// The wire.
attempt(
  'answers a question that was never put',
  () => s.raw('{"jsonrpc":"2.0","id":4711,"result":{"stopReason":"end_turn"}}\n'),
  (run) => assert.ok(run.status === 0),
);
attempt(
  'pollutes prototypes',
  () =>
    s.raw(
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S1","__proto__":{"x":1},"update":{"sessionUpdate":"tool_call","toolCallId":"__proto__","title":"constructor","kind":"__proto__"}}}\n',
    ),
  (run) => assert.ok(run.entries.some(({ toolCallId }) => toolCallId === '__proto__')),
);
attempt(
  'calls a method that no client has',
  (id) => s.request('fs/delete_file', { sessionId: '{{sessionId}}', path: '{{cwd}}/a.txt' }, { id }),
  (run, id) => assert.equal(errorOf(run, id)?.code, -32601),
);
attempt(
  'speaks for another session',
  () =>
    s.raw(
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"from nowhere"}}}}\n',
    ),
  (run) => assert.ok(!JSON.stringify(run.entries).includes('from nowhere')),
);

describe('attempts on the host, with everything allowed', function () {
  this.timeout(120_000);
  const files = {
    'a.txt': 'inside\n',
    '.env': SECRET,
    '.git/config': SECRET,
    'bare.git/HEAD': 'x',
    'package.json': '{}',
  };
  const inFolder = Object.fromEntries(Object.entries(files).map(([name, text]) => [`ws/${name}`, text]));
  let run: Result;
  let outside: string;
  let home: string;

  before(async () => {
    home = temporaryFolder();
    writeFiles(home, { '.ssh/id_work': SECRET });
    run = await scenario({
      agent: [...attempts.flatMap(({ steps }) => steps), s.text('done')],
      files: { 'outside/secret.txt': SECRET, ...inFolder },
      open: (base) => join(base, 'ws'),
      setUp: (base) => {
        outside = join(base, 'outside');
        const cwd = join(base, 'ws');
        ['objects', 'refs', 'hooks'].forEach((name) => mkdirSync(join(cwd, 'bare.git', name)));
        const links: Readonly<Record<string, string>> = {
          'link-file': join(outside, 'secret.txt'),
          'link-folder': outside,
          'link-chain': join(cwd, 'link-file'),
          'link-environ': '/proc/self/environ',
          'link-zero': '/dev/zero',
          'link-env': join(cwd, '.env'),
          'link-dangling': join(outside, 'made.txt'),
          'link-git': join(cwd, '.git'),
        };
        Object.entries(links).forEach(([name, target]) => symlinkSync(target, join(cwd, name)));
        linkSync(join(home, '.ssh/id_work'), join(cwd, 'notes.txt'));
        execFileSync('mkfifo', [join(cwd, 'pipe')]);
      },
      env: { HOME: home, GITHUB_TOKEN: SECRET, VSCODE_PID: '1', BASH_ENV: '/tmp/evil' },
      options: everything,
      prompts: ['go'],
    });
  });
  after(cleanNow);

  attempts.forEach(({ title, held }, index) => {
    it(`attempt ${String(index + 1)}: ${title}`, () => held(run, `attempt${String(index + 1)}`));
  });

  it('and the host goes on, with nothing changed that was guarded', () => {
    assert.ok(run.entries.some(({ kind, text }) => kind === 'assistant' && text === 'done'));
    assert.deepEqual(readdirSync(outside), ['secret.txt']);
    assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), SECRET);
    assert.equal(readFileSync(join(home, '.ssh/id_work'), 'utf8'), SECRET);
    assert.deepEqual(
      ['.env', '.git/config', 'package.json'].map((name) => run.file(`ws/${name}`)),
      [SECRET, SECRET, '{}'],
    );
    for (const name of [
      '.git/hooks',
      '.vscode',
      '.VSCODE',
      '.github',
      'CLAUDE.md',
      'bare.git/hooks/post-update',
      'big',
    ]) {
      assert.ok(!existsSync(join(run.cwd, 'ws', name)), name);
    }
  });

  it('stand in the security model, each with its number', () => {
    const page = readFileSync('docs/security-model.md', 'utf8').replace(/ {2,}/g, ' ');
    const missing = attempts.filter(
      ({ title }, index) => !page.includes(`| ${String(index + 1)} | ${title.replaceAll('|', '\\|')} |`),
    );
    assert.deepEqual(
      missing.map(({ title }) => title),
      [],
    );
  });
});
