// One fresh window of a real VS Code for one run of a benchmark.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { root } from '../run.js';
import { copySample } from '../sample.js';
import { say } from '../say.js';
import { ensureChromium } from '../vscode/chromium.js';
import { ensureVsCode } from '../vscode/install.js';
import { extensionHostLog, launchBrowser, openWorkbench } from '../vscode/page.js';
import { serve } from '../vscode/server.js';
import type { Settings } from '../vscode/settings.js';

export type BenchWindow = { readonly page: Page; readonly cdp: CDPSession };

export type WindowOptions = {
  /** The extension under development. */
  readonly extension: string;
  readonly settings: Settings;
  readonly env?: Readonly<Record<string, string>>;
  /** A CommonJS module whose `run()` is called in the extension host. */
  readonly tests?: string;
};

/** Longest that one run may take, the window's start included. */
const RUN_MS = 240_000;

/**
 * Opens a window with empty settings and state, runs `work` in it and takes everything away again. A run that fails
 * leaves a picture in test-results/bench and throws with the end of the extension host's log.
 */
export async function inWindow<T>(options: WindowOptions, work: (window: BenchWindow) => Promise<T>): Promise<T> {
  const [vscode, chromium] = [await ensureVsCode(), await ensureChromium()];
  const dataDir = await mkdtemp(join(tmpdir(), 'acp-host-bench-'));
  const folder = await copySample();
  const { extension, settings, env = {}, tests } = options;
  const server = await serve({ vscode, dataDir, settings, env });
  try {
    // One process for all frames: only then does one debugging session see the work of the webview.
    const browser = await launchBrowser(chromium, ['--disable-site-isolation-trials']);
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.addInitScript({ path: join(root, 'scripts/bench/inPage.js') });
      try {
        await openWorkbench(page, { port: server.port, folder, extension, ...(tests === undefined ? {} : { tests }) });
        return await within(RUN_MS, work({ page, cdp: await page.context().newCDPSession(page) }));
      } catch (error) {
        await keepEvidence(page, dataDir);
        throw error;
      }
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    await rm(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Settles as `work` does, or rejects after `ms`: a run that did not finish has no figure. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The run did not finish within ${ms / 1000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function keepEvidence(page: Page, dataDir: string): Promise<void> {
  const picture = join(root, 'test-results/bench/failure.png');
  await mkdir(dirname(picture), { recursive: true });
  await page.screenshot({ path: picture, timeout: 5_000 }).catch(() => undefined);
  say(
    `A picture is in ${picture}. The end of the extension host's log:\n${(await extensionHostLog(dataDir)).slice(-3_000)}`,
  );
}
