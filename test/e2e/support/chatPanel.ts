import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.js';

/** Runs in the page, and is text because a compiled function would bring helpers that are not there. */
const whenArmed = `(async () => {
  const button = () => document.querySelector('[data-testid=approval] [data-option-kind=allow_once]');
  const changed = (done) => new Promise((resolve) => {
    const check = () => done() && (observer.disconnect(), resolve());
    const observer = new MutationObserver(check);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    check();
  });
  await changed(() => button() !== null);
  const shownAt = performance.now();
  const clickedWhileArming = button().getAttribute('aria-disabled') === 'true';
  button().click();
  await changed(() => button()?.getAttribute('aria-disabled') === 'false');
  return { clickedWhileArming, armedAfterMs: performance.now() - shownAt };
})()`;

export type TurnState = 'idle' | 'running' | 'cancelling' | 'failed';

/** The chat panel of an open window, by its test ids. A reload or a move makes a new one. */
export class ChatPanel {
  private constructor(
    private readonly workbench: Workbench,
    readonly frame: Frame,
  ) {}

  /** Brings the chat of the side bar into sight and waits until it is drawn. */
  static async show(workbench: Workbench): Promise<ChatPanel> {
    // The icon says that the window knows our commands. It is not clicked: where the chat is restored just now, a click
    // would hide it.
    await workbench.page.locator('.activitybar .action-label[aria-label^="ACP"]').waitFor();
    await workbench.run('ACP: Focus Chat');
    return ChatPanel.find(workbench);
  }

  /** The chat that is already in sight; with `other`, the one beside that. */
  static async find(workbench: Workbench, other?: Frame): Promise<ChatPanel> {
    return new ChatPanel(workbench, await workbench.chat(other));
  }

  byId(testId: string): Locator {
    return this.frame.getByTestId(testId);
  }

  get composer(): Locator {
    return this.byId('composer-input');
  }

  get transcript(): Locator {
    return this.byId('transcript');
  }

  entries(kind?: string): Locator {
    return this.frame.locator(kind === undefined ? '[data-testid=entry]' : `[data-testid=entry][data-kind=${kind}]`);
  }

  get approval(): Locator {
    return this.byId('approval');
  }

  /** A button of the first request, by what it does. */
  option(kind: string): Locator {
    return this.approval.first().locator(`[data-testid=approval-option][data-option-kind=${kind}]`).first();
  }

  /** The notice whose first line is this. */
  notice(what: string | RegExp): Locator {
    return this.frame.locator('.notice', { has: this.frame.locator('b', { hasText: what }) }).last();
  }

  /** Types a prompt as a person does and sends it with Enter. */
  async send(prompt: string): Promise<void> {
    // A list that closes moves the keyboard a moment later; what is typed just then goes to nobody.
    await this.workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    do {
      await this.composer.fill(prompt);
    } while ((await this.composer.inputValue()) !== prompt);
    await this.composer.press('Enter');
  }

  /** Waits for a state of the turn. */
  async turn(state: TurnState): Promise<void> {
    await this.frame.locator(`[data-testid=turn-state][data-state=${state}]`).waitFor({ state: 'attached' });
  }

  /** Sends a prompt and waits until its turn has ended well. */
  async ask(prompt: string): Promise<void> {
    const before = await this.entries('user').count();
    await this.send(prompt);
    await this.entries('user').nth(before).waitFor();
    await this.turn('idle');
  }

  /**
   * Clicks Allow Once of the next request at the moment it appears, and settles when its buttons take answers. Measured
   * inside the page, so that a slow machine does not count. Ask for it before the request comes.
   */
  whenArmed(): Promise<{ readonly clickedWhileArming: boolean; readonly armedAfterMs: number }> {
    return this.frame.evaluate<{ clickedWhileArming: boolean; armedAfterMs: number }>(whenArmed);
  }

  /** Starts an empty session. */
  async startOver(): Promise<void> {
    await this.byId('new-session').click();
    await this.entries().first().waitFor({ state: 'detached' });
  }

  /** Chooses an agent by its name in VS Code's own list. */
  async chooseAgent(name: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const timeout = tries < 4 ? 5_000 : 40_000;
      try {
        await this.byId('agent-picker').click({ timeout });
        // Typed, because a long list draws only the rows in view.
        await this.workbench.quickInput.fill(name, { timeout });
        await this.workbench.quickPickRow(name).click({ timeout });
        break;
      } catch (error) {
        // A window that is still opening may take the keyboard, and the list closes.
        if (tries === 4) {
          throw error;
        }
        await this.workbench.page.keyboard.press('Escape');
      }
    }
    await this.byId('agent-picker').filter({ hasText: name }).waitFor();
  }
}
