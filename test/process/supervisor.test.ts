import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Approvals } from '../../src/agent/approvals.js';
import type { AgentFolder, AgentSpec } from '../../src/agent/agent.js';
import { processRegistry } from '../../src/agent/process/registry.js';
import { Supervisor } from '../../src/agent/supervisor.js';
import { AgentList } from '../../src/host/agentList.js';
import { fakeAgent, isAlive, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';

const log = { info: () => undefined, warn: () => undefined };
const supervisor = (): Supervisor =>
  new Supervisor({
    ...{ approvals: new Approvals(), log, clientVersion: '0' },
    editor: { openText: () => undefined, write: () => Promise.resolve({ outcome: 'notOpen' }) },
    policy: () => ({ read: true, write: 'ask', terminal: 'off', acknowledged: false }),
    passEnvironment: () => [],
    handshakeTimeoutMs: () => 20_000,
    isTrusted: () => true,
  });
const spec = (name: string, { command, args }: Pick<FakeAgent, 'command' | 'args'>): AgentSpec => ({
  ...{ name, command, args, env: {} },
});
const folder = (path: string): AgentFolder => ({ name: path, path, more: [] });

describe('the agents of a window', () => {
  const fakes: FakeAgent[] = [];
  const fake = (...[script]: Parameters<typeof fakeAgent>): FakeAgent => {
    const made = fakeAgent(script);
    fakes.push(made);
    return made;
  };
  after(() => Promise.all(fakes.map((one) => one.dispose())));

  it('B129 all end together when the window ends, whatever they ignore, and the end can be waited for', async () => {
    const deaf = { do: 'ignore', what: ['eof', 'SIGTERM'] } as const;
    const child = { do: 'spawn', detached: true, ignoreEof: true, ignoreTerm: true } as const;
    const agents = [fake({}), fake({ start: [deaf] }), fake({ start: [deaf, child] })];
    const all = supervisor();
    await Promise.all(agents.map((one, i) => all.agentFor(spec(`A${String(i)}`, one), folder(process.cwd())).start()));
    const pids = (
      await Promise.all(agents.map(async (one) => [...(await one.agentPids()), ...(await one.helperPids())]))
    ).flat();
    assert.equal(pids.length, 4);
    assert.ok(pids.every(isAlive));
    // The budget of a closing window: half a second for each of three steps, for all of them at the same time.
    await all.stopAll(true);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.deepEqual(processRegistry().list(), []);
  });

  it('B129 all end also where nobody waits', async () => {
    const deaf = { do: 'ignore', what: ['eof', 'SIGTERM'] } as const;
    const agents = [fake({ start: [deaf] }), fake({ start: [deaf] })];
    const all = supervisor();
    await Promise.all(agents.map((one, i) => all.agentFor(spec(`B${String(i)}`, one), folder(process.cwd())).start()));
    const pids = (await Promise.all(agents.map((one) => one.agentPids()))).flat();
    assert.ok(pids.length === 2 && pids.every(isAlive));
    all.dispose();
    await waitUntilGone(pids, 3_000);
  });

  it('B23 nothing starts before a conversation needs it: not for a list, and not for other folders', async () => {
    const one = fake({});
    let started = 0;
    const stopObserving = processRegistry().observe({ added: () => ++started, removed: () => undefined });
    // What the test before ended is told as well, until it is gone.
    started = 0;
    const all = supervisor();
    const configured = [spec('One', one), spec('Two', one)];
    const list = new AgentList(spec('Demo', one), { configured: () => configured, pass: () => [] });
    await list.refresh();
    const folders = ['src', 'test', 'docs'].map((name) => folder(join(process.cwd(), name)));
    const made = folders.flatMap((where) => configured.map((what) => all.agentFor(what, where)));
    assert.deepEqual([made.length, all.agents.length, started], [6, 6, 0]);
    await made[0]?.start();
    assert.equal(started, 1);
    assert.equal((await one.agentPids()).length, 1);
    await all.stopAll(true);
    stopObserving();
    list.dispose();
  });
});
