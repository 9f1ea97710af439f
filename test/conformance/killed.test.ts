import assert from 'node:assert/strict';
import { fakeAgent, waitUntilGone } from '../support/fakeAgent.js';
import { hang } from '../support/fakeAgentSteps.js';
import { runHeadless } from '../support/headless.js';
import { cleanAfterEach, temporaryFolder } from './scenario.js';

describe('a host that is killed', () => {
  cleanAfterEach();

  it('leaves no agent, be it deaf, and none of its children', async () => {
    const fake = fakeAgent({
      start: [{ do: 'ignore', what: ['eof', 'SIGTERM'] }],
      prompts: [{ steps: [{ do: 'spawn', detached: true, ignoreEof: true, ignoreTerm: true }, hang('never')] }],
    });
    try {
      const run = await runHeadless({
        agent: fake,
        cwd: temporaryFolder(),
        prompts: ['go'],
        onLine: ({ event }, pid) => {
          if (event === 'promptSent') {
            void fake.waitForEvent((line) => line.event === 'spawned').then(() => process.kill(pid, 'SIGKILL'));
          }
        },
      });
      assert.equal(run.status, null);
      const pids = [...(await fake.agentPids()), ...(await fake.helperPids())];
      assert.equal(pids.length, 2);
      await waitUntilGone(pids, 5_000);
    } finally {
      await fake.dispose();
    }
  });
});
