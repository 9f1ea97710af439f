import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { root } from '../../scripts/run.js';
import { ensureChromium } from '../../scripts/vscode/chromium.js';
import { launchBrowser } from '../../scripts/vscode/page.js';

/** Settles with whether something listens on the port. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('npm start', () => {
  let start: ChildProcess | undefined;
  let browser: Browser | undefined;
  after(async () => {
    await browser?.close();
    start?.kill('SIGKILL');
  });

  it('prints the address of a VS Code with the sample, and Ctrl+C ends all of it', async () => {
    const child = spawn(process.execPath, ['--import=tsx', 'scripts/start.ts', '--no-open'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      // A desktop VS Code on this machine is not what is tested here.
      env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
    });
    start = child;
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const url = new URL(/http:\S+/.exec(line)?.[0] ?? '');
    browser = await launchBrowser(await ensureChromium());
    const page = await browser.newPage();
    await page.goto(url.href);
    await page.locator('.explorer-folders-view').getByText('README.md').waitFor();
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0);
    assert.equal(await listens(Number(url.port)), false);
    assert.equal(existsSync(url.searchParams.get('folder') ?? ''), false);
  });
});
