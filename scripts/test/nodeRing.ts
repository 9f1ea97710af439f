import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../run.js';
import { listenForSuite, PORT_VARIABLE } from './events.js';
import type { MochaTask } from './mochaMain.js';
import type { Tally } from './tally.js';

/** Longest that a ring may take as a whole; single tests have mocha's limit. */
const RING_MS = 20 * 60_000;
/** Time that a finished ring has to let go of its timers, sockets and children. */
const EXIT_MS = 10_000;

/** Runs test files under mocha in a Node process and adds their results to the tally. */
export async function runNodeRing(tally: Tally, task: MochaTask): Promise<void> {
  const suite = await listenForSuite((event) => tally.add(event));
  const args = ['--import=tsx', 'scripts/test/mochaMain.ts', JSON.stringify(task)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [PORT_VARIABLE]: String(suite.port) },
  });
  const killNow = () => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const exited = once(child, 'exit').then(() => 'exited' as const);
  try {
    const limit = new AbortController();
    const late = delay(RING_MS, 'late' as const, { signal: limit.signal, ref: false }).catch(() => 'exited' as const);
    await Promise.race([suite.finished, exited, late]);
    limit.abort();
    const state = await Promise.race([exited, delay(EXIT_MS, 'running' as const, { ref: false })]);
    // Lines of a suite that crashed may still be in the socket.
    await Promise.race([suite.finished, delay(500)]);
    if (state === 'running') {
      tally.fail(
        `The ${tally.ring} ring did not exit within ${EXIT_MS / 1000} s of its end: something is left running.`,
      );
    }
  } finally {
    killNow();
    await exited;
    process.removeListener('exit', killNow);
    suite.close();
  }
}
