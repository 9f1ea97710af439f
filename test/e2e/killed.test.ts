import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { say } from '../../scripts/say.js';
import { fakeAgent, isAlive, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import { hang, text } from '../support/fakeAgentSteps.js';
import { ChatPanel } from './support/chatPanel.js';
import { agentSettings } from './support/demo.js';
import { useWorkbench } from './support/workbench.js';

/** An extension host that is killed runs no code of ours any more: only the watchdog is left to end its agents. */
describe('an extension host that is killed', function () {
  this.timeout(180_000);
  const answer = { prompts: [{ repeat: true, steps: [text('Answered.')] }] };
  const deaf = { do: 'ignore', what: ['eof', 'SIGTERM'] } as const;
  const child = { do: 'spawn', detached: true, ignoreEof: true, ignoreTerm: true } as const;
  const agents: Readonly<Record<string, FakeAgent>> = {
    Well: fakeAgent(answer),
    Deaf: fakeAgent({ ...answer, start: [deaf] }),
    Wrapped: fakeAgent({ ...answer, start: [deaf] }),
    Session: fakeAgent({ start: [deaf], prompts: [{ steps: [child, text('Answered.'), hang('never')] }] }),
  };

  const workbench = useWorkbench(() => {
    const { command = '', args = [] } = agents['Wrapped'] ?? {};
    const wrapped = { command: '/bin/sh', args: ['-c', '"$0" "$@"; :', command, ...args] };
    return { settings: agentSettings({ ...agents, Wrapped: wrapped }) };
  });
  after(() => Promise.all(Object.values(agents).map((agent) => agent.dispose())));

  for (const [name, what, count] of [
    ['Well', 'a well-behaved agent', 1],
    ['Deaf', 'one that ignores the end of its input and SIGTERM', 1],
    ['Wrapped', 'one behind a shell', 1],
    ['Session', 'one with a child in a session of its own', 2],
  ] as const) {
    it(`6.3.4 leaves nothing of ${what}, and the window comes back with a turn that is over`, async () => {
      const agent = agents[name];
      assert.ok(agent);
      let panel = await ChatPanel.show(workbench());
      await panel.chooseAgent(name);
      await panel.send('go');
      await panel.entries('assistant').getByText('Answered.').waitFor();
      const pids = [...(await agent.agentPids()), ...(await agent.helperPids())];
      assert.equal(pids.length, count);
      assert.ok(pids.every(isAlive));
      const host = extensionHostOf(pids[0] ?? 0);
      const at = Date.now();
      process.kill(host, 'SIGKILL');
      await waitUntilGone(pids, 10_000);
      say(`${what}: gone ${String(Date.now() - at)} ms after the extension host`);
      await workbench().reload();
      panel = await ChatPanel.show(workbench());
      await panel.entries('user').getByText('go', { exact: true }).waitFor();
      await panel.frame.locator('[data-testid=turn-state]:not([data-state=running])').waitFor({ state: 'attached' });
    });
  }
});

/** The extension host above an agent, with or without a shell in between. */
function extensionHostOf(pid: number): number {
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]);
  assert.ok(parent > 1, 'no extension host stands above the agent');
  const isHost = readFileSync(`/proc/${String(parent)}/cmdline`, 'utf8').includes('extensionHost');
  return isHost ? parent : extensionHostOf(parent);
}
