import { strict as assert } from 'node:assert';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { Terminals } from '../../../src/agent/terminals/terminals.js';
import type { AgentSession } from '../../../src/agent/session.js';
import { allowed, makeHarness, makeTree, reasonOf, type Tree } from './tree.js';

for (const [strength, portable] of [
  ['kernel', false],
  ['best effort', true],
] as const) {
  describe(`files: the folder of a command, ${strength}`, () => {
    let tree: Tree;
    beforeEach(async () => {
      tree = await makeTree();
      await mkdir(tree.at('ws/sub'));
    });
    afterEach(() => tree.dispose());

    /** Runs a command that leaves a file where it runs; `meanwhile` happens while the question is open. */
    const run = async (cwd: string, meanwhile: () => Promise<void>): Promise<void> => {
      const { service } = makeHarness([tree.ws], { portable });
      const session = { emit: () => undefined, now: () => 1 } as unknown as AgentSession;
      const terminals = new Terminals({
        session,
        cwd: tree.ws,
        log: { info: () => undefined, warn: () => undefined },
        gate: { ask: () => meanwhile().then(() => allowed) },
        policy: () => ({ read: true, write: 'off', terminal: 'ask', acknowledged: false }),
        pinFolder: (path) => service.pinFolder(path),
        environment: (overlay) => ({ PATH: '/usr/bin:/bin', ...overlay }),
      });
      try {
        const { signal } = new AbortController();
        const { terminalId } = await terminals.create({ command: '/bin/sh', args: ['-c', 'pwd > here'], cwd }, signal);
        await terminals.waitForExit({ terminalId }, signal);
      } finally {
        terminals.releaseAll();
      }
    };

    it('that is swapped for a link to the outside while the question is open runs nothing', async () => {
      const swapped = run(tree.at('ws/sub'), async () => {
        await rename(tree.at('ws/sub'), tree.at('ws/old'));
        await symlink(tree.out, tree.at('ws/sub'));
      });
      assert.equal(await reasonOf(swapped), 'moved');
      assert.deepEqual(await readdir(tree.out), []);
    });

    it('is the one that was shown, also where a link to it leads elsewhere meanwhile', async () => {
      await symlink(tree.at('ws/sub'), tree.at('ws/link'));
      await run(tree.at('ws/link'), async () => {
        await rm(tree.at('ws/link'));
        await symlink(tree.out, tree.at('ws/link'));
      });
      assert.deepEqual(await readdir(tree.at('ws/sub')), ['here']);
      assert.deepEqual(await readdir(tree.out), []);
    });

    it('has to be a folder inside, by its real place', async () => {
      await tree.write('ws/file', 'x');
      await symlink(tree.out, tree.at('ws/away'));
      const never = (): Promise<void> => Promise.reject(new Error('asked'));
      for (const [cwd, reason] of [
        [tree.out, 'outside'],
        [tree.at('ws/away'), 'outside'],
        [tree.at('ws/file'), 'notFile'],
        [tree.at('ws/none'), 'notFound'],
        [`${tree.ws}/../out`, 'outside'],
      ] as const) {
        assert.equal(await reasonOf(run(cwd, never)), reason, cwd);
      }
      await run('sub', () => Promise.resolve());
      assert.deepEqual(await readdir(tree.at('ws/sub')), ['here']);
    });
  });
}
