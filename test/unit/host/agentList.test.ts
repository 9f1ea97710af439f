import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BaseEnvironment } from '../../../src/agent/process/environment.js';
import { AgentList, demoAgent } from '../../../src/host/agentList.js';

describe('list of agents', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-list-'));
    writeFileSync(join(folder, 'agent-of-the-profile'), '', { mode: 0o755 });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('B15 looks where the login shell looks, once its environment is known', async () => {
    const known: { base?: BaseEnvironment } = {};
    const agents = new AgentList(demoAgent('/demo.cjs'), {
      configured: () => [{ name: 'Mine', command: 'agent-of-the-profile', args: [], env: {} }],
      pass: () => [],
      base: () => known.base,
    });
    const look = async (): Promise<string | undefined> => {
      await agents.refresh();
      return agents.choices[0]?.note;
    };
    const before = await look();
    known.base = { PATH: folder };
    deepEqual([before, await look()], ['not found', 'installed']);
    agents.dispose();
  });
});
