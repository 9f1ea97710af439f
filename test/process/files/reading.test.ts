import { strict as assert } from 'node:assert';
import { rm, symlink } from 'node:fs/promises';
import { limits } from '../../../src/core/text/limits.js';
import { makeHarness, makeTree, reasonOf } from './tree.js';
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

  it('bounds what one turn reads, and the next turn begins anew', async () => {
    const path = await tree.write('ws/a', 'x');
    for (let i = 0; i < limits.turnReads; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => h.read(path)));
    }
    assert.equal(await reasonOf(h.read(path)), 'refused');
    h.service.startTurn();
    assert.equal(await h.read(path), 'x');
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
