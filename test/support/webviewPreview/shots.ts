/** Takes pictures of the panel: `npx tsx test/support/webviewPreview/shots.ts OUT [state…]`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startPreview, type Theme } from './server.js';
import { emptyTranscript } from '../../../src/core/transcript/model.js';
import { previewStates } from './states.js';

const [out = 'test-results/preview', ...wanted] = process.argv.slice(2);
const themes: Theme[] = ['light', 'dark', 'hc'];
const widths = (process.env['WIDTHS'] ?? '320,480,900').split(',').map(Number);
const onlyThemes = process.env['THEMES']?.split(',');

mkdirSync(out, { recursive: true });
const preview = await startPreview();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (const theme of themes.filter((name) => onlyThemes?.includes(name) ?? true)) {
    for (const width of widths) {
      for (const [name, state] of Object.entries(previewStates())) {
        if (wanted.length > 0 && !wanted.includes(name)) {
          continue;
        }
        const page = await browser.newPage({ viewport: { width, height: 820 }, deviceScaleFactor: 2 });
        page.on('console', (message) => console.log(name, message.type(), message.text()));
        page.on('pageerror', (error) => console.log(name, 'error', error.message));
        await page.goto(preview.url(theme));
        await page.evaluate(
          ({ snapshot, events, composer }) => {
            window.postMessage(snapshot);
            window.postMessage(events);
            if (composer !== undefined) {
              window.postMessage({ type: 'setComposer', text: composer });
            }
          },
          {
            snapshot: {
              type: 'snapshot',
              chat: 1,
              seq: 0,
              transcript: emptyTranscript,
              panel: { ...state.panel, surface: width >= 900 ? 'editor' : 'sidebar' },
            },
            events: { type: 'events', chat: 1, from: 0, events: state.events },
            composer: state.composer,
          },
        );
        await page.waitForTimeout(900);
        await page.screenshot({ path: join(out, `${name}-${theme}-${width}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
  await preview.close();
}
