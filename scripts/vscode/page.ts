import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Frame, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS } from './chromium.js';

/** Longest wait for the workbench or a webview to be drawn; both take 1 to 5 s, and far longer on a busy machine. */
const DRAWN_MS = 90_000;

export type OpenOptions = {
  readonly port: number;
  /** Absolute path of the workspace folder. */
  readonly folder?: string;
  /** Absolute path of the extension under development; the browser edition takes one only. */
  readonly extension?: string;
  /** Absolute path of a CommonJS module whose `run()` is called in the extension host. */
  readonly tests?: string;
};

/** The address that opens a folder with extensions under development in a server's workbench. */
export function workbenchUrl({ port, folder, extension, tests }: OpenOptions): string {
  const remote = `vscode-remote://localhost:${port}`;
  const payload = [['skipWelcome', 'true']];
  if (extension !== undefined) {
    payload.push(['extensionDevelopmentPath', remote + extension]);
  }
  if (tests !== undefined) {
    payload.push(['extensionTestsPath', remote + tests]);
  }
  const query = folder === undefined ? '' : `folder=${encodeURI(folder)}&`;
  return `http://localhost:${port}/?${query}payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** Starts a headless Chromium. `flags` are added to the usual ones. */
export async function launchBrowser(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...flags] });
}

/** Opens the workbench in a page and returns when it is drawn. */
export async function openWorkbench(page: Page, options: OpenOptions): Promise<void> {
  await page.goto(workbenchUrl(options));
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: DRAWN_MS });
}

/**
 * The innermost frame in which `selector` matches. A webview's document sits two frames deep at an address that
 * differs between versions, so frames are tried by content; every arriving or navigated frame is a new try.
 */
export async function findFrame(
  page: Page,
  selector: string,
  { timeoutMs = DRAWN_MS, except }: { readonly timeoutMs?: number; readonly except?: Frame | undefined } = {},
): Promise<Frame> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    for (const frame of page.frames()) {
      if (
        frame !== page.mainFrame() &&
        frame !== except &&
        (await frame
          .locator(selector)
          .count()
          .catch(() => 0)) > 0
      ) {
        return frame;
      }
    }
    if (Date.now() > deadline) {
      const frames = page.frames().map((frame) => frame.url());
      throw new Error(`No webview frame holds ${selector} after ${timeoutMs} ms. Frames: ${frames.join(' ')}`);
    }
    await page.waitForTimeout(50);
  }
}

/** The log of the newest extension host of this server, or a sentence that there is none. */
export async function extensionHostLog(dataDir: string): Promise<string> {
  const logs = join(dataDir, 'data/logs');
  const files = (await readdir(logs, { recursive: true }).catch(() => [])).filter((path) =>
    path.endsWith('remoteexthost.log'),
  );
  const newest = files.sort().at(-1);
  return newest === undefined ? 'There is no extension host log.' : readFile(join(logs, newest), 'utf8');
}
