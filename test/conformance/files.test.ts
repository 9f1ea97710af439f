import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { writeFiles } from '../support/writeFiles.js';
import { cleanAfterEach, scenario, temporaryFolder } from './scenario.js';

const unrestricted = ['--write', 'allow', '--acknowledge-unrestricted'] as const;

describe('files', () => {
  cleanAfterEach();

  it('B84 item 69 gives exactly the lines of a window', async () => {
    const windows: readonly [number | null, number | null, string | number][] = [
      [1, 1, 'l1\n'],
      [2, 1, 'l2\n'],
      [2, null, 'l2\nl3\n'],
      [null, 2, 'l1\nl2\n'],
      [3, 10, 'l3\n'],
      [4, 1, ''],
      [1, 0, ''],
      [1, 2 ** 31, 'l1\nl2\nl3\n'],
      [-1, 1, -32602],
      [1.5, 1, -32602],
      [1, -1, -32602],
    ];
    const run = await scenario({
      agent: [
        ...windows.map(([line, limit], index) =>
          s.readFile('{{cwd}}/a.txt', { line, limit }, { id: `r${String(index)}` }),
        ),
        s.readFile('{{cwd}}/a.txt', { line: 99, limit: 1 }, { id: 'past' }),
        s.readFile('{{cwd}}/a.txt', { line: '2' }, { id: 'text' }),
        s.readFile('{{cwd}}/crlf.txt', { line: 2 }, { id: 'crlf' }),
      ],
      files: { 'a.txt': 'l1\nl2\nl3\n', 'crlf.txt': 'a\r\nb\r\nc' },
      prompts: ['go'],
    });
    for (const [index, [, , expected]] of windows.entries()) {
      const { result, error } = run.answerTo(`r${String(index)}`);
      if (typeof expected === 'number') {
        assert.equal(error?.code, expected, `window ${String(index)}`);
      } else {
        assert.deepEqual(result, { content: expected }, `window ${String(index)}`);
      }
    }
    const past = run.answerTo('past');
    assert.ok(past.error?.code === -32602 || (past.result as { content: string }).content === '');
    assert.equal(run.answerTo('text').error?.code, -32602);
    assert.deepEqual(run.answerTo('crlf').result, { content: 'b\r\nc' });
  });

  it('B86 reads the disk where nothing is open, anew each time, also through a link inside', async () => {
    const run = await scenario({
      agent: [
        s.readFile('{{cwd}}/a.ts', {}, { id: 'r1' }),
        s.readFile('{{cwd}}/link.ts', {}, { id: 'r2' }),
        { do: 'disk', path: '{{cwd}}/a.ts', text: 'new\n' },
        s.readFile('{{cwd}}/a.ts', {}, { id: 'r3' }),
        s.writeFile('{{cwd}}/a.ts', 'written\n'),
        s.readFile('{{cwd}}/a.ts', {}, { id: 'r4' }),
      ],
      files: { 'a.ts': 'old\n' },
      setUp: (cwd) => {
        symlinkSync('a.ts', join(cwd, 'link.ts'));
      },
      options: [...unrestricted, '--answers', 'allow_once'],
      prompts: ['go'],
    });
    const contents = ['r1', 'r2', 'r3', 'r4'].map((id) => (run.answerTo(id).result as { content: string }).content);
    assert.deepEqual(contents, ['old\n', 'old\n', 'new\n', 'written\n']);
  });

  it('B89 item 71 keeps the mark, the line ends and every line that was not edited; a new file is taken to the byte', async () => {
    const bom = Buffer.from([0xef, 0xbb, 0xbf]);
    for (const end of ['\r\n', '\n']) {
      const run = await scenario({
        agent: [
          s.readFile('{{cwd}}/a.txt', {}, { id: 'r' }),
          s.writeFile('{{cwd}}/a.txt', `a${end}B${end}`),
          s.writeFile('{{cwd}}/new/deep/n.txt', 'x\r\ny\nz', { id: 'w' }),
        ],
        files: { 'a.txt': Buffer.concat([bom, Buffer.from('a\r\nb\r\n')]) },
        options: unrestricted,
        prompts: ['go'],
      });
      assert.deepEqual(run.answerTo('r').result, { content: 'a\r\nb\r\n' });
      assert.deepEqual(run.bytes('a.txt'), Buffer.concat([bom, Buffer.from('a\r\nB\r\n')]));
      assert.equal(run.file('new/deep/n.txt'), 'x\r\ny\nz');
      assert.deepEqual(run.answerTo('w').result, {});
    }
  });

  it('B94 item 70 tells a missing file, a folder and a binary apart, without a stack or mojibake', async () => {
    const run = await scenario({
      agent: [
        s.readFile('{{cwd}}/none', {}, { id: 'missing' }),
        s.readFile('{{cwd}}/dir', {}, { id: 'folder' }),
        s.readFile('{{cwd}}/p.png', {}, { id: 'binary' }),
        s.readFile('{{cwd}}/latin1', {}, { id: 'latin' }),
        s.readFile('a.txt', {}, { id: 'relative' }),
        s.readFile('', {}, { id: 'empty' }),
        s.readFile('{{cwd}}/nul\u0000.txt', {}, { id: 'nul' }),
        s.readFile(`{{cwd}}/${'x'.repeat(300)}`, {}, { id: 'long' }),
        s.readFile('{{cwd}}/huge.txt', {}, { id: 'huge' }),
        s.readFile(7 as never, {}, { id: 'number' }),
        s.request('fs/read_text_file', { path: '/etc/passwd' }, { id: 'noSession' }),
        s.request('fs/read_text_file', { sessionId: 'S9', path: '/etc/passwd' }, { id: 'otherSession' }),
        s.request('fs/read_text_file', [1], { id: 'list' }),
        s.writeFile('{{cwd}}/new/deep/f.txt', 'made', { id: 'write' }),
        s.writeFile('{{cwd}}/dir', 'x', { id: 'overFolder' }),
        s.writeFile('{{cwd}}/big.txt', 'x'.repeat(6_000_000), { id: 'big' }),
        s.writeFile('{{cwd}}/n.txt', null as never, { id: 'null' }),
      ],
      files: {
        'dir/x': '',
        'p.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]),
        latin1: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
        'huge.txt': 'line\n'.repeat(1_400_000),
      },
      options: unrestricted,
      prompts: ['go'],
    });
    assert.equal(run.answerTo('missing').error?.code, -32002);
    for (const id of [
      'relative',
      'empty',
      'nul',
      'long',
      'number',
      'noSession',
      'otherSession',
      'list',
      'null',
      'big',
    ]) {
      assert.ok(
        [-32602, -32002].includes(run.answerTo(id).error?.code ?? 0),
        `${id} ${JSON.stringify(run.answerTo(id).error)}`,
      );
    }
    for (const id of ['folder', 'binary', 'latin', 'huge', 'overFolder']) {
      const { error } = run.answerTo(id);
      assert.ok(error !== undefined, id);
      assert.ok(error.code !== -32000 && error.message.length > 10, id);
    }
    for (const { error } of run.sent) {
      assert.doesNotMatch(JSON.stringify(error ?? ''), /\bat [\w.]+ \(|node:internal|�/);
    }
    assert.deepEqual(run.answerTo('write').result, {});
    assert.equal(run.file('new/deep/f.txt'), 'made');
    assert.equal(run.exists('big.txt'), false);
    assert.equal(run.entries.filter(({ kind }) => kind === 'notice').length, 1, 'only that the agent said nothing');
    assert.equal(run.status, 0);
  });

  it('B136 neither reads nor writes through links and paths that lead out', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret'), 'outside');
    const ways: readonly string[] = [
      '{{cwd}}/leak',
      '{{cwd}}/d/secret',
      '{{cwd}}/chain/secret',
      `{{cwd}}/../${outside.split('/').at(-1) ?? ''}/secret`,
      `${outside}/secret`,
      '{{cwd}}/sub/../../x/../../etc/hostname',
      '/proc/self/environ',
      '/proc/self/cwd/package.json',
      '/dev/stdin',
      'file:///etc/hostname',
      '~/.ssh/id_rsa',
    ];
    const run = await scenario({
      agent: [
        ...ways.map((path, index) => s.readFile(path, {}, { id: `r${String(index)}` })),
        ...ways.map((path, index) => s.writeFile(path, 'overwritten', { id: `w${String(index)}` })),
        s.writeFile('{{cwd}}/d/x', 'new', { id: 'new1' }),
        s.writeFile('{{cwd}}/d/new/deep.txt', 'new', { id: 'new2' }),
        s.writeFile('{{cwd}}/dangling', 'new', { id: 'new3' }),
      ],
      files: { 'sub/x': '' },
      setUp: (cwd) => {
        symlinkSync(join(outside, 'secret'), join(cwd, 'leak'));
        symlinkSync(outside, join(cwd, 'd'));
        symlinkSync('d', join(cwd, 'chain'));
        symlinkSync(join(outside, 'made'), join(cwd, 'dangling'));
      },
      options: [...unrestricted, '--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const { id, error } of run.sent.filter(({ method }) => method === undefined)) {
      assert.ok(error !== undefined, `${String(id)} was served`);
    }
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'outside');
    for (const name of ['x', 'new', 'made']) {
      assert.throws(() => readFileSync(join(outside, name)), /ENOENT/);
    }
    assert.ok(run.events('fileWritten').every((line) => line['outcome'] !== 'done'));
    assert.ok(run.events('fileRead').every((line) => line['outcome'] !== 'done'));
  });

  it('B136 a workspace that is opened through a link takes paths in both spellings', async () => {
    const links = temporaryFolder();
    const run = await scenario({
      agent: [
        s.readFile(`${links}/link/a.txt`, {}, { id: 'link' }),
        s.readFile('{{cwd}}/a.txt', {}, { id: 'real' }),
        s.writeFile(`${links}/link/b.txt`, 'x', { id: 'write' }),
      ],
      files: { 'a.txt': 'a' },
      open: (cwd) => {
        mkdirSync(links, { recursive: true });
        symlinkSync(cwd, join(links, 'link'));
        return join(links, 'link');
      },
      options: unrestricted,
      prompts: ['go'],
    });
    const content: Json = { content: 'a' };
    assert.deepEqual(run.answerTo('real').result, content);
    assert.deepEqual(run.answerTo('link').result, content);
    assert.deepEqual(run.answerTo('write').result, {});
    assert.equal(run.file('b.txt'), 'x');
  });

  it('a write that waits for a person when its agent dies, or the turn is cancelled, does not happen', async () => {
    const write = s.writeFile('{{cwd}}/a.txt', 'new', { id: 'w', wait: false });
    const died = await scenario({
      agent: [write, s.waitFor('session/prompt'), s.wait(150), s.exit(1)],
      files: { 'a.txt': 'old' },
      options: ['--write', 'ask'],
      script: [
        { do: 'prompt', text: 'go' },
        { do: 'waitFor', event: 'approval' },
        { do: 'waitFor', event: 'agentExited' },
        { do: 'answer', approvalId: 'a1', decision: 'allow_once' },
      ],
    });
    assert.equal(died.file('a.txt'), 'old');
    assert.equal(died.events('approvalSettled')[0]?.['by'], 'exit');
    const stopped = await scenario({
      agent: [write, s.hang()],
      files: { 'a.txt': 'old' },
      options: ['--write', 'ask'],
      script: [{ do: 'prompt', text: 'go' }, { do: 'waitFor', event: 'approval' }, { do: 'cancel' }],
    });
    assert.equal(stopped.file('a.txt'), 'old');
    assert.ok(stopped.answerTo('w').error);
  });

  it('asks for one read of a secret that the prompt names, and says to the agent how that is done', async () => {
    const reads = (id: string): ReturnType<typeof s.readFile> => s.readFile('{{cwd}}/.env', {}, { id });
    const run = await scenario({
      agent: {
        prompts: [
          { match: '.env', steps: [reads('named'), s.readFile('{{cwd}}/server.key', {}, { id: 'key' })] },
          { match: 'go', steps: [reads('bare')] },
        ],
      },
      files: { '.env': 'KEY=1', 'server.key': 'K' },
      options: ['--answers', 'allow_once'],
      prompts: ['go', 'what is in .env?'],
    });
    assert.match(run.answerTo('bare').error?.message ?? '', /naming the file in a prompt/);
    assert.deepEqual(run.answerTo('named').result, { content: 'KEY=1' });
    assert.ok(run.answerTo('key').error);
    const asked = run.events('approval');
    assert.deepEqual([asked.length, asked[0]?.['verb']], [1, 'read']);
    assert.match(String(asked[0]?.['reason']), /^It may hold secrets\. What an agent reads may leave/);
  });

  it('takes patterns that deny and that free, and asks where the folder is the home', async () => {
    const read = (name: string): ReturnType<typeof s.readFile> => s.readFile(`{{cwd}}/${name}`, {}, { id: name });
    const files = { 'a.sql': 'x', 'sample.env': 'y', 'a.txt': 'z' };
    const run = await scenario({
      agent: [read('a.sql'), read('sample.env'), s.writeFile('{{cwd}}/b.sql', 'x', { id: 'write' })],
      files,
      options: [...unrestricted, '--deny-file', '*.sql', '--allow-file', 'sample.env'],
      prompts: ['go'],
    });
    assert.ok(run.answerTo('a.sql').error);
    assert.deepEqual(run.answerTo('sample.env').result, { content: 'y' });
    assert.ok(run.answerTo('write').error);
    const home = temporaryFolder();
    writeFiles(home, files);
    const wide = await scenario({
      agent: [s.readFile(`${home}/a.txt`, {}, { id: 'r' })],
      open: () => home,
      env: { HOME: home },
      options: ['--answers', 'reject_once'],
      prompts: ['go'],
    });
    assert.ok(wide.answerTo('r').error);
    assert.equal(wide.events('approval')[0]?.['reason'], 'The folder is your home or above it.');
  });
});
