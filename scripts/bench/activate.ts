// How long the extension takes to be there: its activation in a fresh extension host, and the first sight of the chat.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { root } from '../run.js';
import { findFrame } from '../vscode/page.js';
import type { Measures } from './results.js';
import { inWindow, within } from './window.js';

/** Longest wait for the extension host's report. */
const REPORT_MS = 60_000;

type Report =
  | { readonly error: string }
  | {
      /** `Extension.activate()` as a whole, as another extension sees it. */
      readonly activateMs: number;
      /** Of that, the extension's own: reading and running its bundle, then calling its `activate`. */
      readonly loadMs?: number;
      readonly callMs?: number;
      /** When the view was asked for, epoch ms. */
      readonly shownAt: number;
    };

/** One run in a fresh window. Throws where the extension was active already, or the chat never came into sight. */
export async function activateRun(extension: string): Promise<Measures> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const options = {
    extension,
    settings: { 'acpHost.fs.write': 'off' },
    env: { ACP_HOST_BENCH_PORT: String((server.address() as AddressInfo).port) },
    tests: join(root, 'scripts/bench/activateSuite.cjs'),
  };
  try {
    return await inWindow(options, async ({ page }) => {
      const [socket] = await within(REPORT_MS, connected);
      const report = JSON.parse(await text(socket)) as Report;
      if ('error' in report) {
        throw new Error(report.error);
      }
      if (report.loadMs === undefined || report.callMs === undefined) {
        throw new Error('The extension was loaded past the clock.');
      }
      const frame = await findFrame(page, '[data-testid="composer-input"]');
      const visibleAt = await within(REPORT_MS, frame.evaluate<number>('acpBench.visible'));
      const { activateMs, loadMs, callMs, shownAt } = report;
      return { activateMs, loadMs, callMs, commandToComposerMs: visibleAt - shownAt };
    });
  } finally {
    server.close();
  }
}
