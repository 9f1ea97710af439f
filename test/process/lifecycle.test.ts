import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnedProcess } from '../../src/agent/process/ownedProcess.js';
import { startAgent } from '../../src/agent/process/process.js';
import { processRegistry } from '../../src/agent/process/registry.js';
import { limits } from '../../src/core/text/limits.js';
import { isAlive } from '../support/fakeAgent.js';
import {
  ignoresTerm,
  inlineAgent,
  lines,
  markersOfStarted,
  marked,
  noneMarked,
  openFiles,
  spawnsDetached,
  started,
  staying,
} from '../support/processTrees.js';

const short = { stdin: 100, term: 300, kill: 1_000 };
const base = { agentEnv: {}, pass: [], cwd: process.cwd() };

/** How many listen to this process and to what the registry holds. */
function listenerCounts(): Readonly<Record<string, number>> {
  const names = process.eventNames().map(String).sort();
  return Object.fromEntries(names.map((name) => [name, process.listenerCount(name)]));
}

describe('process lifecycle', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
    assert.deepEqual(processRegistry().list(), [], 'something is still registered');
    // 6.3.11: nothing that any of these tests started is left, registered or not.
    assert.ok(markersOfStarted.length > 10);
    assert.deepEqual(markersOfStarted.flatMap(marked), []);
  });

  it('B126 6.3.1 ends an agent behind a shell, with its helper that ignores the end of stdin', async () => {
    const helper = `require('child_process').spawn(process.execPath,['-e',"setInterval(()=>{},1e6)"],{stdio:'ignore'})`;
    const agent = await started({
      command: '/bin/sh',
      args: ['-c', '"$0" -e "$1"; :', process.execPath, staying(helper)],
    });
    await lines(agent);
    assert.ok(marked(agent.marker).length >= 3);
    await agent.stop(short);
    assert.deepEqual(marked(agent.marker), []);
  });

  it('B128 lets an agent that reads the end of stdin tidy up and leave by itself', async () => {
    const tidies = `process.on('SIGTERM',()=>process.exit(8));process.stdin.resume().on('end',()=>setTimeout(()=>process.exit(7),300))`;
    const agent = await started(inlineAgent(`${tidies};console.log('ready')`));
    await lines(agent);
    await agent.stop();
    assert.deepEqual(agent.exitFacts(), { code: 7, signal: null });
    assert.equal(agent.endedBy, 'stdin');
  });

  it('B128 6.3.2 kills an agent that ignores the end of stdin and SIGTERM, within the budget', async () => {
    const agent = await started(inlineAgent(staying(ignoresTerm)));
    await lines(agent);
    const begun = Date.now();
    await agent.stop(short);
    assert.ok(Date.now() - begun < short.stdin + short.term + short.kill);
    assert.deepEqual(agent.exitFacts(), { code: null, signal: 'SIGKILL' });
    assert.equal(agent.endedBy, 'kill');
  });

  it('B126 6.3.3 finds a grandchild in a session of its own, also after the agent left gracefully', async () => {
    for (const leave of ['', `process.stdin.resume().on('end',()=>process.exit(0))`]) {
      const agent = await started(inlineAgent(staying(`${spawnsDetached};${leave}`)));
      const pid = Number(/child (\d+)/.exec((await lines(agent, 2)).join('\n'))?.[1]);
      assert.ok(isAlive(pid));
      await agent.stop(short);
      assert.equal(isAlive(pid), false);
    }
  });

  it('ends the grandchildren of an agent that died by itself', async () => {
    const agent = await started(inlineAgent(`${spawnsDetached};c.stdout.once('data',()=>process.exit(3))`));
    assert.deepEqual(await agent.exited, { code: 3, signal: null });
    assert.equal(agent.endedByUs, false);
    await noneMarked(agent.marker);
  });

  it('6.3.5 takes the exit for the end while a grandchild holds the pipes', async () => {
    const holder = `require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e6)'],{detached:true,stdio:'inherit',env:{}})`;
    const agent = await started(
      inlineAgent(`const h=${holder};console.log('child '+h.pid);setTimeout(()=>process.exit(0),50)`),
    );
    const [line = ''] = await lines(agent);
    const pid = Number(line.split(' ')[1]);
    const begun = Date.now();
    await agent.exited;
    assert.ok(Date.now() - begun < 1_000);
    assert.ok(agent.stdout.destroyed);
    // It has no marker and is no longer a descendant: only its own pid can end it.
    if (isAlive(pid)) {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('6.3.7 may be stopped twice, and a shorter budget hurries a stop that runs', async () => {
    const agent = await started(inlineAgent(staying(ignoresTerm)));
    await lines(agent);
    const first = agent.stop({ stdin: 60_000, term: 60_000, kill: 1_000 });
    const second = agent.stop(short);
    assert.equal(first, second);
    await first;
    agent.killNow();
    assert.deepEqual(marked(agent.marker), []);
  });

  it('6.3.7 leaves nothing 3 s after a dispose that nobody awaited, in every state', async () => {
    const deaf = staying(`${ignoresTerm};${spawnsDetached}`);
    const startedOnly = await started(inlineAgent(deaf));
    startedOnly.killNow();
    const running = await started(inlineAgent(deaf));
    await lines(running, 2);
    running.killNow();
    const stopping = await started(inlineAgent(deaf));
    await lines(stopping, 2);
    void stopping.stop();
    stopping.killNow();
    const unawaited = await started(inlineAgent(deaf));
    await lines(unawaited, 2);
    void unawaited.stop(limits.stopFast);
    const gone = await started(inlineAgent('process.exit(0)'));
    await gone.exited;
    gone.killNow();
    void gone.stop();
    await Promise.all([startedOnly, running, stopping, unawaited, gone].map((agent) => noneMarked(agent.marker)));
  });

  it('B20 6.3.8 reports a missing and an unrunnable program with the reason of the system, then starts a good one', async () => {
    const begun = Date.now();
    const missing = await startAgent({ ...base, command: '/no/such/agent', args: [] });
    assert.equal(missing.ok ? '' : missing.failure.reason, 'missing_binary');
    const file = join(folder, 'plain.sh');
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 });
    const blocked = await startAgent({ ...base, command: file, args: [] });
    assert.deepEqual(blocked, {
      ok: false,
      failure: { reason: 'spawn_error', detail: 'notExecutable', command: file },
    });
    assert.ok(Date.now() - begun < 1_000);
    chmodSync(file, 0o755);
    const agent = await started({ command: file, args: [] });
    assert.deepEqual(await agent.exited, { code: 0, signal: null });
  });

  it('tells a missing interpreter from a missing file', async () => {
    const file = join(folder, 'script');
    writeFileSync(file, '#!/no/such/node\n', { mode: 0o755 });
    const result = await startAgent({ ...base, command: file, args: [] });
    assert.deepEqual(result, {
      ok: false,
      failure: { reason: 'missing_binary', detail: 'interpreter', command: file, interpreter: '/no/such/node' },
    });
  });

  it('turns what spawn itself refuses into a value', async () => {
    const result = await OwnedProcess.start({ file: process.execPath, args: ['a\0b'], cwd: '/', env: {} });
    assert.ok('error' in result);
    const folderGone = await startAgent({ ...base, command: 'sh', args: [], cwd: join(folder, 'gone') });
    assert.equal(folderGone.ok ? '' : 'detail' in folderGone.failure && folderGone.failure.detail, 'noFolder');
  });

  it('6.3.8 survives an agent that exits at once while it is written to', async () => {
    const agent = await started(inlineAgent('process.exit(0)'));
    const filler = 'x'.repeat(1 << 20);
    for (let i = 0; i < 8; i++) {
      agent.stdin.write(filler);
    }
    assert.deepEqual(await agent.exited, { code: 0, signal: null });
    agent.stdin.write('late');
    await sleep(1);
  });

  it('B10 drains a chatty stderr and keeps a bounded tail', async () => {
    const code = `process.stderr.write(('y'.repeat(99)+'\\n').repeat(53000)+'the end\\n',()=>console.log('done'))`;
    const agent = await started(inlineAgent(code));
    assert.deepEqual(await lines(agent), ['done']);
    await agent.exited;
    const tail = agent.stderrTail(1_000_000);
    assert.equal(tail.at(-1), 'the end');
    assert.ok(tail.join('\n').length <= limits.stderr);
    assert.ok(tail.length > 500);
  });

  it('hides a secret that arrives on stderr in two pieces', async () => {
    const secret = 'plain-words-of-a-value-with-no-pattern';
    const code = `const s=process.env.TEST_API_KEY;process.stderr.write('value '+s.slice(0,9));console.log('half');process.stdin.once('data',()=>{process.stderr.write(s.slice(9)+' end\\n');process.exit(0)})`;
    const agent = await started({ ...inlineAgent(code), agentEnv: { TEST_API_KEY: secret } });
    await lines(agent);
    agent.stdin.write('go\n');
    await agent.exited;
    const tail = agent.stderrTail().join('\n');
    assert.match(tail, /^value .* end$/);
    assert.ok(!tail.includes(secret.slice(0, 9)) && !tail.includes(secret.slice(9)), tail);
  });

  it('6.3.6 keeps files, processes and listeners flat over 50 cycles', async () => {
    const cycle = async (): Promise<void> => {
      const agent = await started(inlineAgent("console.log('ready');process.stdin.resume()"));
      await lines(agent);
      await agent.stop(short);
      await agent.exited;
    };
    await cycle();
    const before = openFiles();
    const listeners = listenerCounts();
    for (let i = 0; i < 50; i++) {
      await cycle();
    }
    assert.ok(openFiles() <= before, `${openFiles()} files, ${before} before`);
    assert.deepEqual(listenerCounts(), listeners);
    assert.equal(processRegistry().list().length, 0);
  }).timeout(120_000);

  it('6.3.10 has one exit listener however often the module is loaded', async () => {
    processRegistry();
    const count = process.listenerCount('exit');
    const registries = new Set([processRegistry()]);
    for (let i = 0; i < 15; i++) {
      const copy = (await import(`../../src/agent/process/registry.js?copy=${i}`)) as {
        processRegistry: typeof processRegistry;
      };
      registries.add(copy.processRegistry());
    }
    assert.equal(registries.size, 1);
    assert.equal(process.listenerCount('exit'), count);
  });

  it('kills everything in the exit hook of a host that ends without stopping its agents', async () => {
    const module = join(process.cwd(), 'src/agent/process/process.ts');
    const code = `
      const { startAgent } = await import(${JSON.stringify(module)});
      const result = await startAgent({ command: process.execPath, args: ['-e', ${JSON.stringify(staying(ignoresTerm))}], agentEnv: {}, pass: [], cwd: '/' });
      result.process.stdout.once('data', () => { console.log(result.process.marker); process.exit(0); });`;
    const host = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    host.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(host, 'close');
    assert.match(output, /^[0-9a-f-]{36}\n$/);
    await noneMarked(output.trim(), 1_000);
  });
});
