import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { chmod, link, lstat, mkdir, open as openFile, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { openJail } from '../../../src/agent/files/jail.js';
import { leftovers, makeHarness, makeTree, reasonOf } from './tree.js';
import type { Harness, Tree } from './tree.js';

const backends = [
  { name: 'kernel', portable: false },
  { name: 'best effort', portable: true },
].filter(({ portable }) => portable || process.platform === 'linux');

for (const { name, portable } of backends) {
  describe(`files: the jail, ${name}`, () => {
    let tree: Tree;
    let h: Harness;
    beforeEach(async () => {
      tree = await makeTree();
      h = makeHarness([tree.ws], { portable });
      await tree.write('out/secret', 'outside\n');
      await tree.write('ws/a', 'inside\n');
    });
    afterEach(async () => {
      assert.deepEqual(await leftovers(tree.at()), []);
      await tree.dispose();
    });

    it('says how strong it is', async () => {
      assert.equal((await openJail([tree.ws], { portable })).strength, name);
    });

    it('B138 3.4 refuses siblings, dots that lead out, and spellings that are no path', async () => {
      await tree.write('ws-evil/x', 'evil');
      const rows: [string, string][] = [
        [tree.at('ws-evil', 'x'), 'outside'],
        [`${tree.ws}/../out/secret`, 'outside'],
        [tree.at('out', 'secret'), 'outside'],
        ['/etc/passwd', 'outside'],
        ['ws/a', 'badPath'],
        [`file://${tree.ws}/a`, 'badPath'],
        [`${tree.ws}/a\0.txt`, 'badPath'],
      ];
      for (const [path, reason] of rows) {
        assert.equal(await reasonOf(h.read(path)), reason, path);
        assert.equal(await reasonOf(h.write(path, 'pwned')), reason, path);
      }
      assert.equal(await readFile(tree.at('out', 'secret'), 'utf8'), 'outside\n');
      assert.equal(await h.read(`${tree.ws}//./a`), 'inside\n');
      assert.deepEqual(h.asked, []);
    });

    it('B136 3.4 refuses links that lead out, for reading, writing and making folders', async () => {
      await symlink('/etc/passwd', tree.at('ws', 'leak'));
      await symlink(tree.out, tree.at('ws', 'd'));
      await symlink(tree.at('out', 'secret'), tree.at('ws', 'f'));
      await symlink('../out/new', tree.at('ws', 'dangling'));
      await symlink(tree.at('out', 'nowhere'), tree.at('ws', 'dd'));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'leak'))), 'outside');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'd', 'secret'))), 'outside');
      for (const path of ['d/x', 'd/new/deep.txt', 'd/secret', 'f', 'dangling', 'dd/x']) {
        assert.equal(await reasonOf(h.write(tree.at('ws', path), 'pwned')), 'outside', path);
      }
      assert.equal(await reasonOf(h.read(tree.at('ws', 'dangling'))), 'notFound');
      assert.equal(await readFile(tree.at('out', 'secret'), 'utf8'), 'outside\n');
      assert.deepEqual(await Promise.all(['x', 'new', 'nowhere'].map((file) => exists(tree.at('out', file)))), [
        false,
        false,
        false,
      ]);
      assert.deepEqual(h.asked, []);
    });

    it('B136 a workspace that was opened through a link works in both spellings, and is one file', async () => {
      await symlink(tree.ws, tree.at('link'));
      const linked = makeHarness([tree.at('link')], { portable });
      assert.equal(await linked.read(tree.at('link', 'a')), 'inside\n');
      assert.equal(await linked.read(tree.at('ws', 'a')), 'inside\n');
      await linked.write(tree.at('link', 'a'), '1\n');
      await linked.write(tree.at('ws', 'a'), '2\n');
      await linked.write(tree.at('link', 'new', 'deep', 'b'), '3\n');
      assert.equal(await readFile(tree.at('ws', 'a'), 'utf8'), '2\n');
      assert.equal(await readFile(tree.at('ws', 'new', 'deep', 'b'), 'utf8'), '3\n');
      assert.deepEqual(
        linked.asked.map(({ paths, title, resolvesTo }) => [paths[0], title, resolvesTo]),
        [
          [tree.at('ws', 'a'), 'Edit a?', undefined],
          [tree.at('ws', 'a'), 'Edit a?', undefined],
          [tree.at('ws', 'new/deep/b'), 'Create new/deep/b?', undefined],
        ],
      );
      assert.equal(await reasonOf(linked.read(tree.at('out', 'secret'))), 'outside');
    });

    it('B139 dot-dot after a link means what the file system means, everywhere', async () => {
      await mkdir(tree.at('ws', 'deep', 'inner'), { recursive: true });
      await symlink('deep/inner', tree.at('ws', 'alias'));
      await tree.write('ws/f.txt', 'root');
      await tree.write('ws/deep/f.txt', 'deep');
      const path = `${tree.ws}/alias/../f.txt`;
      assert.equal(await h.read(path), 'deep');
      assert.equal((await h.service.inspect(path)).canonical, tree.at('ws', 'deep', 'f.txt'));
      await h.write(path, 'changed');
      assert.deepEqual(h.asked[0]?.paths, [tree.at('ws', 'deep', 'f.txt')]);
      assert.equal(await readFile(tree.at('ws', 'deep', 'f.txt'), 'utf8'), 'changed');
      assert.equal(await readFile(tree.at('ws', 'f.txt'), 'utf8'), 'root');
      h.editor.documents.set(tree.at('ws', 'deep', 'f.txt'), { text: 'unsaved', dirty: true });
      assert.equal(await h.read(path), 'unsaved');
    });

    it('B92 follows a link inside, keeps the link, and shows where it leads', async () => {
      await tree.write('ws/pkg/real.ts', 'old\n');
      await symlink('pkg/real.ts', tree.at('ws', 'link.ts'));
      await symlink('pkg', tree.at('ws', 'p'));
      assert.equal(await h.read(tree.at('ws', 'link.ts')), 'old\n');
      await h.write(tree.at('ws', 'link.ts'), 'new\n');
      await h.write(tree.at('ws', 'p', 'real.ts'), 'newer\n');
      assert.equal(await readlink(tree.at('ws', 'link.ts')), 'pkg/real.ts');
      assert.equal(await readFile(tree.at('ws', 'pkg', 'real.ts'), 'utf8'), 'newer\n');
      assert.deepEqual(
        h.asked.map(({ title, resolvesTo, marks }) => [title, resolvesTo, marks]),
        [
          ['Edit link.ts?', tree.at('ws', 'pkg', 'real.ts'), ['linked']],
          ['Edit p/real.ts?', tree.at('ws', 'pkg', 'real.ts'), ['linked']],
        ],
      );
    });

    it('3.4 refuses links in a circle and names that the system cannot hold', async () => {
      await symlink('loop', tree.at('ws', 'loop'));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'loop'))), 'badPath');
      assert.equal(await reasonOf(h.write(tree.at('ws', 'loop'), 'x')), 'badPath');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'n'.repeat(300)))), 'badPath');
      assert.equal(await reasonOf(h.read(`${tree.ws}/\ud800`)), 'badPath');
    });

    it('3.4 refuses ways through /proc and /dev that leave the workspace', async function () {
      if (process.platform !== 'linux') {
        this.skip();
      }
      await symlink(`/proc/self/root${tree.out}/secret`, tree.at('ws', 'p'));
      await symlink('/dev/fd/0', tree.at('ws', 'fd'));
      await symlink('/dev/zero', tree.at('ws', 'zero'));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'p'))), 'outside');
      assert.equal(await reasonOf(h.read(`/proc/self/root${tree.ws}/a`)), 'outside');
      assert.equal(await reasonOf(h.read('/proc/self/cwd/package.json')), 'outside');
      assert.ok(['outside', 'notFile'].includes(await reasonOf(h.read(tree.at('ws', 'fd')))));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'zero'))), 'outside');
    });

    it('B94 3.4 tells a missing file, a folder, a binary file and a socket apart', async () => {
      await tree.write('ws/img.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
      await mkdir(tree.at('ws', 'dir'));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'none'))), 'notFound');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'none', 'deep'))), 'notFound');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'a', 'x'))), 'notFound');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'dir'))), 'notFile');
      assert.equal(await reasonOf(h.read(tree.ws)), 'notFile');
      assert.equal(await reasonOf(h.read(tree.at('ws', 'img.png'))), 'binary');
      assert.equal(await reasonOf(h.write(tree.at('ws', 'img.png'), 'text')), 'binary');
      assert.equal(await reasonOf(h.write(tree.at('ws', 'dir'), 'x')), 'notFile');
      assert.equal(await reasonOf(h.write(`${tree.ws}/`, 'x')), 'notFile');
      assert.equal(await reasonOf(h.write(`${tree.ws}/new/`, 'x')), 'notFile');
      assert.equal(await reasonOf(h.write(tree.at('ws', 'a', 'x'), 'x')), 'notFound');
      const server = createServer().listen(tree.at('ws', 'sock'));
      await new Promise((resolve) => server.once('listening', resolve));
      assert.equal(await reasonOf(h.read(tree.at('ws', 'sock'))), 'notFile');
      server.close();
    });

    it('B94 a write makes the folders above it', async () => {
      await h.write(tree.at('ws', 'new', 'deep', 'f.txt'), 'text');
      assert.equal(await readFile(tree.at('ws', 'new', 'deep', 'f.txt'), 'utf8'), 'text');
      assert.equal(h.asked[0]?.verb, 'create');
      assert.equal(h.asked[0]?.diff?.isNew, true);
    });

    it('3.4 never opens a FIFO: many reads of one hold nothing up', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      execFileSync('mkfifo', [tree.at('ws', 'fifo')]);
      const reads = Promise.all(Array.from({ length: 64 }, () => reasonOf(h.read(tree.at('ws', 'fifo')))));
      await stat(tree.ws);
      assert.deepEqual(new Set(await reads), new Set(['notFile']));
      assert.equal(await reasonOf(h.write(tree.at('ws', 'fifo'), 'x')), 'notFile');
    });

    it('3.4 guards secrets and Git under every name, also through links and as a file', async () => {
      await tree.write('ws/.env', 'KEY=1');
      await tree.write('ws/.git', 'gitdir: ../out');
      await tree.write('ws/notes.txt', 'notes');
      await symlink('.env', tree.at('ws', 'harmless.txt'));
      await symlink('notes.txt', tree.at('ws', '.env.link'));
      await tree.write('ws/sub/.git/config', '[core]');
      await symlink('sub/.git', tree.at('ws', 'g'));
      const names = [
        '.env',
        'harmless.txt',
        '.env.link',
        '.git',
        'sub/.git/config',
        'g/config',
        '.GIT/config',
        'x.pem',
        'sub/.git/../.git/config',
      ];
      for (const path of names) {
        assert.equal(await reasonOf(h.read(tree.at('ws') + '/' + path)), 'denied', path);
        assert.equal(await reasonOf(h.write(tree.at('ws') + '/' + path, 'x')), 'denied', path);
      }
      h.policy = { ...h.policy, write: 'allow', acknowledged: true };
      assert.equal(await reasonOf(h.write(tree.at('ws', '.env.local'), 'x')), 'denied');
      // The jail refuses before the document is looked for.
      h.editor.documents.set(tree.at('ws', '.env'), { text: 'KEY=2', dirty: true });
      assert.equal(await reasonOf(h.read(tree.at('ws', '.env'))), 'denied');
      assert.equal(await reasonOf(h.service.currentText(tree.at('ws', '.env'))), 'denied');
      assert.deepEqual(h.asked, []);
      assert.equal(await readFile(tree.at('ws', '.env'), 'utf8'), 'KEY=1');
    });

    it('B92 3.4 a hard link is read only by a person’s word, and written without touching the other name', async () => {
      await link(tree.at('out', 'secret'), tree.at('ws', 'hard'));
      await mkdir(tree.at('ws', 'node_modules', 'p'), { recursive: true });
      await link(tree.at('out', 'secret'), tree.at('ws', 'node_modules', 'p', 'i.js'));
      h.answers = [() => ({ outcome: 'denied', by: 'person' }), () => ({ outcome: 'allowed', by: 'person' })];
      assert.equal(await reasonOf(h.read(tree.at('ws', 'hard'))), 'refused');
      assert.equal(await h.read(tree.at('ws', 'hard')), 'outside\n');
      assert.deepEqual(
        h.asked.map(({ verb, marks }) => [verb, marks]),
        [
          ['read', ['linked']],
          ['read', ['linked']],
        ],
      );
      assert.equal(await h.read(tree.at('ws', 'node_modules', 'p', 'i.js')), 'outside\n');
      assert.equal(h.asked.length, 2);
      h.policy = { ...h.policy, write: 'allow', acknowledged: true };
      await h.write(tree.at('ws', 'hard'), 'new\n');
      assert.equal(h.asked.length, 3, 'also where writes are allowed');
      assert.equal(await readFile(tree.at('ws', 'hard'), 'utf8'), 'new\n');
      assert.equal(await readFile(tree.at('out', 'secret'), 'utf8'), 'outside\n');
    });

    it('3.4 every file of a bare repository is sensitive', async () => {
      for (const part of ['HEAD', 'objects/x', 'refs/x', 'config']) {
        await tree.write(`ws/bare/${part}`, 'x');
      }
      h.policy = { ...h.policy, write: 'allow', acknowledged: true };
      await h.write(tree.at('ws', 'bare', 'config'), 'y');
      await h.write(tree.at('ws', 'bare', 'hooks', 'post-checkout'), 'y');
      await h.write(tree.at('ws', 'a'), 'y');
      assert.deepEqual(
        h.asked.map(({ marks }) => marks),
        [['sensitive'], ['sensitive']],
      );
    });

    it('3.4 the file that makes a folder a bare repository is sensitive, in any order', async () => {
      h.policy = { ...h.policy, write: 'allow', acknowledged: true };
      const parts = ['HEAD', 'objects/info', 'refs/heads/main'];
      for (const [at, last] of parts.entries()) {
        const [folder, asked] = [`ws/made${String(at)}`, h.asked.length];
        for (const part of parts.filter((name) => name !== last && name !== 'HEAD')) {
          await h.write(tree.at(folder, ...part.split('/')), 'x');
        }
        assert.equal(h.asked.length, asked, 'parts alone are no repository');
        await tree.write(`${folder}/HEAD`, 'x');
        if (last === 'HEAD') {
          await rm(tree.at(folder, 'HEAD'));
        }
        await h.write(tree.at(folder, ...last.split('/')), 'x');
        assert.deepEqual(h.asked.at(-1)?.marks, ['sensitive'], last);
        assert.equal(h.asked.length, asked + 1);
      }
    });

    it('B92 keeps mode bits and a read-only file', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const umask = Number.parseInt(execFileSync('sh', ['-c', 'umask']).toString(), 8);
      for (const mode of [0o755, 0o600, 0o664]) {
        const path = await tree.write(`ws/m${mode}`, 'old');
        await chmod(path, mode);
        await h.write(path, 'new');
        assert.equal((await stat(path)).mode & 0o777, mode);
        assert.equal(await readFile(path, 'utf8'), 'new');
      }
      const fixed = await tree.write('ws/fixed', 'old');
      await chmod(fixed, 0o444);
      assert.equal(await reasonOf(h.write(fixed, 'new')), 'noAccess');
      assert.equal(await readFile(fixed, 'utf8'), 'old');
      await h.write(tree.at('ws', 'fresh'), 'x');
      assert.equal((await stat(tree.at('ws', 'fresh'))).mode & 0o777, 0o666 & ~umask);
    });

    it('inspects paths outside for showing, and never rejects', async () => {
      const facts = await h.service.inspect(tree.at('out', 'secret'));
      assert.deepEqual([facts.canonical, facts.inRoot, facts.klass], [tree.at('out', 'secret'), false, 'ok']);
      assert.equal((await h.service.inspect('a')).canonical, tree.at('ws', 'a'));
      assert.equal((await h.service.inspect(tree.at('out', '.env'))).klass, 'secret');
      assert.equal((await h.service.inspect(tree.at('ws', 'no', 'such'))).canonical, tree.at('ws', 'no', 'such'));
      for (const odd of ['', '\0', 'file:///x', '/\ud800', `/${'x/'.repeat(4000)}`]) {
        assert.equal(typeof (await h.service.inspect(odd)).canonical, 'string');
      }
      assert.equal((await h.service.inspect('../out/secret')).inRoot, false);
    });

    it('leaves no descriptor open', async function () {
      if (process.platform !== 'linux') {
        this.skip();
      }
      // Only those of the tree: the rest of this process opens and closes its own meanwhile.
      const open = (): readonly string[] =>
        readdirSync('/proc/self/fd')
          .map(target)
          .filter((path) => path.startsWith(tree.at()));
      await symlink('a', tree.at('ws', 'l'));
      const all = async (): Promise<void> => {
        await Promise.allSettled([h.read(tree.at('ws', 'a')), h.read(tree.at('ws', 'l')), h.read(tree.at('ws', 'no'))]);
        await Promise.allSettled([
          h.write(tree.at('ws', 'l'), `${Math.sqrt(h.asked.length)}`),
          h.write(tree.at('ws', 'x', 'y'), 'z'),
        ]);
        await Promise.allSettled([h.write(tree.ws, ''), h.read(tree.at('out', 'secret')), h.service.inspect(tree.ws)]);
        await rm(tree.at('ws', 'x'), { recursive: true, force: true });
      };
      for (let i = 0; i < 20; i++) {
        await all();
      }
      assert.deepEqual(open(), []);
      const handle = await openFile(tree.at('ws', 'a'));
      assert.deepEqual(open(), [tree.at('ws', 'a')], 'an open one is seen');
      await handle.close();
    });
  });
}

/** Where a descriptor of this process leads; empty for one that was closed meanwhile. */
function target(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
