import type { Page } from 'playwright-core';

/** Shows the chat by its icon, which is there once the window knows the extension. */
export async function showChat(page: Page): Promise<void> {
  await page.locator('.activitybar .action-label[aria-label^="ACP"]').click();
}
