import { strict as assert } from 'node:assert';
import { link, rm, symlink } from 'node:fs/promises';
import { compileFileRules } from '../../../src/core/policy/fileRules.js';
import { limits } from '../../../src/core/text/limits.js';
import { allowed, denied, makeHarness, makeTree, reasonOf } from './tree.js';
import type { Harness, Tree } from './tree.js';

describe('files: reading', () => {
  let tree: Tree;
  let h: Harness;
  beforeEach(async () => {
    tree = await makeTree();
    h = makeHarness([tree.ws]);
  });
  afterEach(() => tree.dispose());

  it('B86 unsaved text wins, by the name, through a link, and where the file is gone', async () => {
    const path = await tree.write('ws/a.ts', 'old\n');
    await symlink('a.ts', tree.at('ws', 'b.ts'));
    h.editor.documents.set(path, { text: 'new\n', dirty: true });
    assert.equal(await h.read(path), 'new\n');
    assert.equal(await h.read(tree.at('ws', 'b.ts')), 'new\n');
    assert.equal(await h.service.currentText(tree.at('ws', 'b.ts')), 'new\n');
    await rm(path);
    assert.equal(await h.read(path), 'new\n');
    h.editor.documents.delete(path);
    assert.equal(await reasonOf(h.read(path)), 'notFound');
  });

  it('B86 a clean document says what the disk says, which may be newer', async () => {
    const path = await tree.write('ws/a.ts', 'on disk\n');
    h.editor.documents.set(path, { text: 'before the reload\n', dirty: false });
    assert.equal(await h.read(path), 'on disk\n');
  });

  it('B86 unsaved text of a file outside stays outside', async () => {
    const path = await tree.write('out/a.ts', 'old\n');
    h.editor.documents.set(path, { text: 'new\n', dirty: true });
    assert.equal(await reasonOf(h.read(path)), 'outside');
  });

  it('is off when it is switched off, and on again without a restart', async () => {
    const path = await tree.write('ws/a', 'x');
    h.policy = { ...h.policy, read: false };
    assert.equal(await reasonOf(h.read(path)), 'off');
    h.policy = { ...h.policy, read: true };
    assert.equal(await h.read(path), 'x');
  });

  it('tells each read as a fact, with the reason where it was refused', async () => {
    await tree.write('ws/a', 'x');
    await h.read(tree.at('ws', 'a'));
    for (const path of [tree.at('ws', '.env'), tree.at('ws', 'none'), '/etc/passwd', 'a']) {
      await reasonOf(h.read(path));
    }
    assert.deepEqual(
      h.facts.map(({ outcome, reason, canonical }) => [outcome, reason, canonical]),
      [
        ['done', undefined, tree.at('ws', 'a')],
        ['refused', 'denied', null],
        ['failed', 'notFound', null],
        ['refused', 'outside', null],
        ['refused', 'badPath', null],
      ],
    );
  });

  it('3.4 bounds what one turn reads, and the next turn begins anew', async () => {
    const path = await tree.write('ws/a', 'x');
    const readAll = async (): Promise<void> => {
      for (let i = 0; i < limits.turnReads; i += 50) {
        await Promise.all(Array.from({ length: 50 }, () => h.read(path)));
      }
    };
    await readAll();
    assert.equal(h.asked.length, 0);
    // One question for all that wait; a Yes is as much again, a No holds for the turn.
    h.answers = [() => allowed, () => denied];
    assert.deepEqual(await Promise.all([h.read(path), h.read(path), h.read(path)]), ['x', 'x', 'x']);
    assert.deepEqual(
      h.asked.map(({ title }) => title),
      ['Go on reading? This turn has read 2,000 files, 0 MB.'],
    );
    await Promise.all(Array.from({ length: limits.turnReads - 3 }, () => h.read(path)));
    assert.equal(await reasonOf(h.read(path)), 'refused');
    assert.equal(await reasonOf(h.read(path)), 'refused');
    assert.equal(h.asked.length, 2);
    h.service.startTurn();
    await readAll();
    assert.equal(h.asked.length, 2);
  });

  it('bounds what one turn reads also where everything is asked for at the same time', async () => {
    const path = await tree.write('ws/big', 'x'.repeat(limits.readBytes));
    const many = Math.ceil(limits.turnReadBytes / limits.readBytes) + 40;
    h.answers = [() => denied];
    const reads = await Promise.allSettled(Array.from({ length: many }, () => h.read(path)));
    const done = reads.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(done, Math.ceil(limits.turnReadBytes / limits.readBytes));
    assert.equal(h.asked.length, 1);
  });

  it('a read that was withdrawn at the question leaves the question to the others', async () => {
    const path = await tree.write('ws/a', 'x');
    await Promise.all(Array.from({ length: limits.turnReads }, () => h.read(path)));
    const first = new AbortController();
    h.answers = [
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: 'cancelled', by: 'agent' }));
          first.abort();
        }),
      () => allowed,
    ];
    const withdrawn = reasonOf(h.service.read({ path, signal: first.signal }));
    assert.deepEqual([await h.read(path), await withdrawn], ['x', 'cancelled']);
  });

  it('a secret is asked about once where the prompt names it, and denied else', async () => {
    await tree.write('ws/cfg/.env', 'KEY=1');
    const path = tree.at('ws/cfg/.env');
    assert.equal(await reasonOf(h.read(path)), 'denied');
    h.service.startTurn('what stands in cfg/.env?');
    assert.equal(await h.read(path), 'KEY=1');
    assert.equal(await h.read(path), 'KEY=1');
    assert.deepEqual(
      h.asked.map(({ verb, marks, reason }) => [verb, marks, reason]),
      Array.from({ length: 2 }, () => [
        'read',
        ['sensitive'],
        'It may hold secrets. What an agent reads may leave this computer.',
      ]),
    );
    assert.equal(await reasonOf(h.write(path, 'x')), 'denied');
    h.answers = [() => denied];
    assert.equal(await reasonOf(h.read(path)), 'refused');
    await tree.write('ws/other.pem', 'P');
    assert.equal(await reasonOf(h.read(tree.at('ws/other.pem'))), 'denied');
    h.service.startTurn();
    assert.equal(await reasonOf(h.read(path)), 'denied');
  });

  it('an open editor gives no way round: unsaved text of a secret is asked about or denied too', async () => {
    await tree.write('ws/.env', 'KEY=1');
    const path = tree.at('ws/.env');
    h.editor.documents.set(path, { text: 'KEY=2', dirty: true });
    assert.equal(await reasonOf(h.read(path)), 'denied');
    h.service.startTurn('read .env');
    h.answers = [() => denied, () => allowed];
    assert.equal(await reasonOf(h.read(path)), 'refused');
    assert.equal(await h.read(path), 'KEY=2');
  });

  it('patterns of the settings deny for reads and writes, free a secret, and count at once', async () => {
    const path = await tree.write('ws/data/rows.sql', 'x');
    const env = await tree.write('ws/sample.env', 'y');
    assert.equal(await h.read(path), 'x');
    h.policy = { ...h.policy, files: compileFileRules(['*.sql'], ['sample.env']).rules };
    h.service.startTurn('read rows.sql');
    assert.equal(await reasonOf(h.read(path)), 'denied');
    assert.equal(await reasonOf(h.write(path, 'z')), 'denied');
    assert.equal(await reasonOf(h.write(tree.at('ws/new.sql'), 'z')), 'denied');
    assert.equal(await h.read(env), 'y');
    assert.equal(h.asked.length, 0);
  });

  it('asks about each read in a folder that is the home, or lies above it', async () => {
    const path = await tree.write('ws/a', 'x');
    for (const home of [tree.at('ws'), tree.at('ws', 'me')]) {
      const wide = makeHarness([tree.at('ws')], undefined, home);
      wide.answers = [() => allowed, () => denied];
      assert.equal(await wide.read(path), 'x');
      assert.equal(await reasonOf(wide.read(path)), 'refused');
      assert.equal(wide.asked[0]?.reason, 'The folder is your home or above it.');
    }
    const narrow = makeHarness([tree.at('ws')], undefined, tree.at('out'));
    assert.equal(await narrow.read(path), 'x');
    assert.equal(narrow.asked.length, 0);
  });

  it('3.4 knows the keys of a person under any name', async () => {
    await tree.write('out/.ssh/id_work', 'KEY');
    await tree.write('out/.aws/credentials', 'KEY');
    await link(tree.at('out/.ssh/id_work'), tree.at('ws/notes.txt'));
    await link(tree.at('out/.aws/credentials'), tree.at('ws/more.txt'));
    await link(await tree.write('out/plain', 'free'), tree.at('ws/linked.txt'));
    const guarded = makeHarness([tree.at('ws')], undefined, tree.at('out'));
    guarded.service.startTurn('read notes.txt');
    for (const name of ['ws/notes.txt', 'ws/more.txt']) {
      assert.equal(await reasonOf(guarded.read(tree.at(name))), 'denied');
      assert.equal(await reasonOf(guarded.write(tree.at(name), 'x')), 'denied');
    }
    assert.equal(guarded.asked.length, 0);
    // Any other second name is a question.
    assert.equal(await guarded.read(tree.at('ws/linked.txt')), 'free');
    assert.equal(guarded.asked.length, 1);
  });

  it('B94 tells what the system does not permit from what is not there', async () => {
    const path = await tree.write('ws/a', 'x');
    for (const [code, reason] of [
      ['EACCES', 'noAccess'],
      ['EPERM', 'noAccess'],
      ['ENOENT', 'notFound'],
      ['EIO', 'io'],
    ] as const) {
      const pinned = (): never => {
        throw Object.assign(new Error(`${code}: made up`), { code });
      };
      const barred = makeHarness([tree.ws], { hooks: { pinned } });
      assert.equal(await reasonOf(barred.read(path)), reason);
      assert.equal(await reasonOf(barred.write(path, 'y')), reason);
    }
  });

  it('a cancelled read is cancelled', async () => {
    const path = await tree.write('ws/a', 'x');
    assert.equal(await reasonOf(h.service.read({ path, signal: AbortSignal.abort() })), 'cancelled');
  });

  it('works in every root, and resolves names in the first', async () => {
    await tree.write('out/b', 'second\n');
    const two = makeHarness([tree.ws, tree.out]);
    assert.equal(await two.read(tree.at('out', 'b')), 'second\n');
    assert.equal((await two.service.inspect('c')).canonical, tree.at('ws', 'c'));
  });

  it('a folder that is gone is told in words, and a path can still be shown', async () => {
    const gone = makeHarness([tree.at('gone')]);
    assert.equal(await reasonOf(gone.read(tree.at('gone', 'a'))), 'notFound');
    assert.equal((await gone.service.inspect(tree.at('gone', 'a'))).inRoot, false);
    await tree.write('gone/a', 'back');
    assert.equal(await gone.read(tree.at('gone', 'a')), 'back');
  });
});
