import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sweep } from '../../src/agent/process/stateFile.js';
import { isAlive, waitUntilGone } from '../support/fakeAgent.js';
import { ignoresTerm, inlineAgent, marked, noneMarked, spawnsDetached, staying } from '../support/processTrees.js';

/** A host of its own that starts agents with the product's code and can be killed. */
describe('host that is killed', () => {
  let folder: string;
  let watchdog: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'watchdog-'));
    watchdog = join(folder, 'watchdog.cjs');
    await build({
      entryPoints: ['src/agent/process/watchdogMain.ts'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: watchdog,
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  async function host(
    options: { readonly code: string; readonly wrapped?: boolean; readonly watch?: boolean },
    last = '',
  ): Promise<{ host: ChildProcess; markers: readonly string[]; watchdogPid: number }> {
    const source = (name: string): string => JSON.stringify(join(process.cwd(), `src/agent/process/${name}.ts`));
    const agent = inlineAgent(options.code);
    const command = options.wrapped === true ? '/bin/sh' : agent.command;
    const args = options.wrapped === true ? ['-c', '"$0" "$@"; :', agent.command, ...agent.args] : agent.args;
    const code = `
      const { startAgent } = await import(${source('process')});
      const { processRegistry } = await import(${source('registry')});
      const { recordProcesses } = await import(${source('stateFile')});
      const { startWatchdog } = await import(${source('watchdog')});
      recordProcesses(processRegistry(), ${JSON.stringify(join(folder, 'state'))});
      const watchdog = ${options.watch === true ? `startWatchdog(processRegistry(), { node: process.execPath, script: ${JSON.stringify(watchdog)} })` : 'undefined'};
      const { process: agent } = await startAgent(${JSON.stringify({ command, args, agentEnv: {}, pass: [], cwd: '/' })});
      let text = '';
      agent.stdout.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (/ready/.test(text) && (!/spawn/.test(${JSON.stringify(options.code)}) || /child/.test(text))) {
          console.log(JSON.stringify({ markers: [agent.marker], watchdogPid: watchdog?.pid ?? 0 }));
          ${last}
        }
      });`;
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    return { host: child, ...(JSON.parse(chunk.toString()) as { markers: string[]; watchdogPid: number }) };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  for (const wrapped of [false, true]) {
    it(`6.3.4 leaves no agent when the watchdog runs, deaf and with a grandchild${wrapped ? ', behind a shell' : ''}`, async () => {
      const code = staying(`${ignoresTerm};${spawnsDetached}`);
      const { host: child, markers, watchdogPid } = await host({ code, wrapped, watch: true });
      assert.ok(isAlive(watchdogPid));
      assert.ok(markers.every((marker) => marked(marker).length >= 2));
      await kill(child);
      await Promise.all(markers.map((marker) => noneMarked(marker, 3_000)));
      await waitUntilGone([watchdogPid], 3_000);
    });
  }

  it('6.3.4 leaves no well-behaved agent even without a watchdog', async () => {
    const code = staying(`process.stdin.resume().on('end',()=>process.exit(0))`);
    const { host: child, markers } = await host({ code });
    await kill(child);
    await noneMarked(markers[0] ?? '', 3_000);
  });

  it('lets the watchdog go with a host that ends in order', async () => {
    const {
      host: child,
      markers,
      watchdogPid,
    } = await host(
      { code: staying(ignoresTerm), watch: true },
      'void agent.stop({ stdin: 50, term: 50, kill: 1000 }).then(() => watchdog.bye());',
    );
    await once(child, 'exit');
    assert.deepEqual(marked(markers[0] ?? ''), []);
    await waitUntilGone([watchdogPid], 3_000);
  });

  it('is cleaned up after by the next start', async () => {
    rmSync(join(folder, 'state'), { recursive: true, force: true });
    const { host: child, markers } = await host({ code: staying(`${ignoresTerm};${spawnsDetached}`) });
    assert.equal(await sweep(join(folder, 'state')), 0, 'the host still runs');
    assert.ok(marked(markers[0] ?? '').length >= 2);
    await kill(child);
    assert.equal(await sweep(join(folder, 'state')), 1);
    await noneMarked(markers[0] ?? '', 1_000);
    assert.deepEqual(readdirSync(join(folder, 'state')), []);
  });
});
