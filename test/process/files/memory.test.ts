import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeTree } from './tree.js';

const MIB = 1024 * 1024;

describe('files: memory', () => {
  it('3.4 a hole of 4 GiB costs less than 32 MiB, whatever is asked of it', async () => {
    const tree = await makeTree();
    try {
      const out = execFileSync(
        process.execPath,
        ['--import=tsx', join(import.meta.dirname, 'memoryMain.ts'), tree.ws],
        {
          cwd: join(import.meta.dirname, '../../..'),
          encoding: 'utf8',
        },
      );
      const { results, growth } = JSON.parse(out) as { results: string[]; growth: number };
      assert.deepEqual(results, ['binary', 'tooLarge', 'tooLarge', 'first\n', 'first\n', 'tooLarge', 'tooLarge']);
      assert.ok(growth < 32 * MIB, `grew by ${Math.round(growth / MIB)} MiB`);
    } finally {
      await tree.dispose();
    }
  });
});
