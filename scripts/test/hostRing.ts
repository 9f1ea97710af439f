// The host ring: one suite, bundled to CommonJS and run inside the extension host of a real VS Code.
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../run.js';
import { copySample } from '../sample.js';
import { ensureChromium } from '../vscode/chromium.js';
import { ensureVsCode } from '../vscode/install.js';
import { extensionHostLog, launchBrowser, openWorkbench } from '../vscode/page.js';
import { serve } from '../vscode/server.js';
import { listenForSuite, PORT_VARIABLE } from './events.js';
import type { MochaTask } from './mochaMain.js';
import type { Tally } from './tally.js';

/** Longest silence of the suite; a crashed or hung extension host says nothing either. */
const SILENCE_MS = 90_000;

/** Runs the host tests in the browser edition, or in the desktop edition with `electron`. */
export async function runHostRing(tally: Tally, task: MochaTask, electron: boolean): Promise<void> {
  const suitePath = await bundleSuite(task);
  let heard = Date.now();
  const suite = await listenForSuite((event) => {
    heard = Date.now();
    tally.add(event);
  });
  const workspace = await copySample();
  try {
    const env = { [PORT_VARIABLE]: String(suite.port) };
    const silence = async () => {
      while (Date.now() - heard < SILENCE_MS) {
        await delay(500, undefined, { ref: false });
      }
      throw new Error(`No word from the extension host for ${SILENCE_MS / 1000} s.`);
    };
    const finished = () => Promise.race([suite.finished, silence()]);
    await (electron ? runInDesktop : runInBrowser)({ workspace, suitePath, env, finished });
  } catch (error) {
    tally.add({ event: 'ended', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    suite.close();
    await rm(dirname(workspace), { recursive: true, force: true });
  }
}

/** One module whose run() loads mocha and the tests only when it is called. */
async function bundleSuite({ files, timeout, grep }: MochaTask): Promise<string> {
  const outfile = join(root, 'test-results/host/suite.cjs');
  const imports = files.map((file) => `() => import(${JSON.stringify(file)})`).join(', ');
  const task = JSON.stringify(grep === undefined ? { timeout } : { timeout, grep });
  await build({
    stdin: {
      resolveDir: root,
      contents: `
        import { runSuite } from './test/host/index.ts';
        const loaders = [${imports}];
        export const run = () => runSuite(${task}, async () => { for (const load of loaders) await load(); });
      `,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    sourcemap: 'inline',
    // mocha resolves its plug-ins by name, which a bundle cannot; none is used.
    logLevel: 'error',
  });
  return outfile;
}

type Run = {
  readonly workspace: string;
  readonly suitePath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly finished: () => Promise<void>;
};

async function runInBrowser({ workspace, suitePath, env, finished }: Run): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'acp-host-ring-'));
  const server = await serve({ vscode: await ensureVsCode(), dataDir, env });
  const browser = await launchBrowser(await ensureChromium());
  try {
    const page = await browser.newPage();
    try {
      await openWorkbench(page, { port: server.port, folder: workspace, extension: root, tests: suitePath });
      await finished();
    } catch (error) {
      await page.screenshot({ path: join(root, 'test-results/host/failure.png') });
      const log = await extensionHostLog(dataDir);
      throw new Error(`${String(error)}\nExtension host log:\n${log.slice(-4000)}`, { cause: error });
    }
  } finally {
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Downloads a desktop VS Code, which needs access to its servers, and a display. */
async function runInDesktop({ workspace, suitePath, env, finished }: Run): Promise<void> {
  const { runTests } = await import('@vscode/test-electron');
  await Promise.all([
    runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: suitePath,
      extensionTestsEnv: env,
      launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
    }),
    finished(),
  ]);
}
