import type { Page } from 'playwright-core';

declare global {
  interface Window {
    dialogsSeen?: number;
  }
}

/** Counts the modal dialogs that open from now on; the result tells how many there were so far. */
export async function countDialogs(page: Page): Promise<() => Promise<number>> {
  const before = await page.evaluate(() => {
    if (window.dialogsSeen === undefined) {
      window.dialogsSeen = 0;
      let open = document.querySelector('.monaco-dialog-box') !== null;
      new MutationObserver(() => {
        const isOpen = document.querySelector('.monaco-dialog-box') !== null;
        window.dialogsSeen = (window.dialogsSeen ?? 0) + (isOpen && !open ? 1 : 0);
        open = isOpen;
      }).observe(document.body, { childList: true, subtree: true });
    }
    return window.dialogsSeen;
  });
  return async () => (await page.evaluate(() => window.dialogsSeen ?? 0)) - before;
}
