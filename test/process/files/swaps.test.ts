import { strict as assert } from 'node:assert';
import { lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openJail } from '../../../src/agent/files/jail.js';
import type { PinHooks } from '../../../src/agent/files/pin.js';
import { leftovers, makeHarness, makeTree, reasonOf } from './tree.js';
import type { Harness, Tree } from './tree.js';

const backends = [
  { name: 'kernel', portable: false },
  { name: 'best effort', portable: true },
].filter(({ portable }) => portable || process.platform === 'linux');

for (const { name, portable } of backends) {
  describe(`files: a tree that changes under the jail, ${name}`, () => {
    let tree: Tree;
    let h: Harness;
    beforeEach(async () => {
      tree = await makeTree();
      h = makeHarness([tree.ws], { portable });
      await tree.write('out/secret', 'outside\n');
    });
    afterEach(async () => {
      assert.deepEqual(await leftovers(tree.at()), []);
      await tree.dispose();
    });

    it('3.4 a swap between opening and checking, undone at once, gains nothing', async () => {
      // A-B-A: the folder is a link to the outside while the path is resolved, and itself again when it is checked.
      await tree.write('ws/dir/f', 'inside\n');
      await tree.write('out/f', 'outside\n');
      await symlink(tree.out, tree.at('ws', 'evil'));
      const swap = async (): Promise<void> => {
        await rename(tree.at('ws', 'dir'), tree.at('ws', 'kept'));
        await rename(tree.at('ws', 'evil'), tree.at('ws', 'dir'));
      };
      const back = async (): Promise<void> => {
        await rename(tree.at('ws', 'dir'), tree.at('ws', 'evil'));
        await rename(tree.at('ws', 'kept'), tree.at('ws', 'dir'));
      };
      const path = tree.at('ws', 'dir', 'f');
      await swap();
      const closing = await openJail([tree.ws], { portable, hooks: onceAt(back) });
      assert.equal(await reasonOf(closing.pinRead(path)), 'outside');
      const opening = await openJail([tree.ws], { portable, hooks: onceAt(swap) });
      await assert.doesNotReject(
        opening.pinRead(path).then(
          async (pin) => {
            const text = await pin.read({}).catch(() => 'refused');
            await pin.close();
            assert.ok(text === 'inside\n' || text === 'refused', text);
          },
          () => undefined,
        ),
      );
      await back();
      const writing = makeHarness([tree.ws], { portable, hooks: onceAt(swap) });
      await writing.write(path, 'pwned\n').catch(() => undefined);
      assert.equal(await readFile(tree.at('out', 'f'), 'utf8'), 'outside\n');
    });

    it('3.4 a folder that is moved out while a write waits is not written to', async () => {
      await tree.write('ws/dir/f', 'old\n');
      h.answers = [
        async () => {
          await rename(tree.at('ws', 'dir'), tree.at('out', 'dir'));
          return { outcome: 'allowed', by: 'person' };
        },
      ];
      assert.ok(['moved', 'notFound'].includes(await reasonOf(h.write(tree.at('ws', 'dir', 'f'), 'new\n'))));
      assert.equal(await readFile(tree.at('out', 'dir', 'f'), 'utf8'), 'old\n');
    });

    it('3.4 a folder that is moved out after the text was written leaves neither change nor temporary file', async () => {
      await tree.write('ws/dir/f', 'old\n');
      const moving = makeHarness([tree.ws], {
        portable,
        hooks: { written: () => rename(tree.at('ws', 'dir'), tree.at('out', 'dir')) },
      });
      const reason = await reasonOf(moving.write(tree.at('ws', 'dir', 'f'), 'new\n'));
      assert.ok(['moved', 'notFound'].includes(reason), reason);
      assert.equal(await readFile(tree.at('out', 'dir', 'f'), 'utf8'), 'old\n');
      if (portable) {
        // Without a handle on the folder the temporary file cannot be reached any more. It is swept by its name.
        await Promise.all((await leftovers(tree.out)).map((file) => rm(tree.at('out', file))));
      }
    });

    it('a file that becomes a link while a write waits is replaced or refused, never followed', async () => {
      const path = await tree.write('ws/f', 'old\n');
      h.answers = [
        async () => {
          await rm(path);
          await symlink(tree.at('out', 'secret'), path);
          return { outcome: 'allowed', by: 'person' };
        },
      ];
      assert.equal(await reasonOf(h.write(path, 'new\n')), 'moved');
      assert.equal(await readFile(tree.at('out', 'secret'), 'utf8'), 'outside\n');
    });

    it('a missing folder that becomes a link while a write waits is not followed', async () => {
      h.answers = [
        async () => {
          await symlink(tree.out, tree.at('ws', 'new'));
          return { outcome: 'allowed', by: 'person' };
        },
      ];
      const reason = await reasonOf(h.write(tree.at('ws', 'new', 'x'), 'pwned'));
      assert.ok(['badPath', 'notFound', 'outside', 'moved'].includes(reason), reason);
      assert.equal(await exists(tree.at('out', 'x')), false);
    });
  });
}

/** Hooks that act at the first pin below a folder named `dir`, when the jail's own set-up is over. */
function onceAt(act: () => Promise<void>): PinHooks {
  let done = false;
  return {
    pinned: async (path) => {
      if (!done && (basename(path) === 'dir' || basename(dirname(path)) === 'dir')) {
        done = true;
        await act();
      }
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
