import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../scripts/vscode/lock.js';

describe('the lock of the set-up', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'acp-host-lock-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lets one in at a time', async () => {
    const path = join(folder, 'lock');
    let inside = 0;
    const visit = () =>
      withLock(path, async () => {
        inside += 1;
        assert.equal(inside, 1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      });
    await Promise.all([visit(), visit(), visit()]);
    assert.equal(existsSync(path), false);
  });

  it('is given back when the work fails', async () => {
    const path = join(folder, 'lock');
    await assert.rejects(
      withLock(path, () => Promise.reject(new Error('no disk'))),
      /no disk/,
    );
    assert.equal(existsSync(path), false);
  });

  it('is taken over from a process that is gone', async () => {
    const path = join(folder, 'lock');
    const gone = spawnSync(process.execPath, ['--version']).pid;
    await mkdir(path);
    await writeFile(join(path, 'pid'), String(gone));
    assert.equal(await withLock(path, () => Promise.resolve('mine')), 'mine');
  });
});
