import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { root } from '../../../scripts/run.js';
import { copySample } from '../../../scripts/sample.js';
import { ensureChromium } from '../../../scripts/vscode/chromium.js';
import { ensureVsCode } from '../../../scripts/vscode/install.js';
import { extensionHostLog, findFrame, launchBrowser, openWorkbench } from '../../../scripts/vscode/page.js';
import { installExtension, installFolder, serve, type VsCodeServer } from '../../../scripts/vscode/server.js';
import { machineSettings, userSettings, type Settings, type SettingsFile } from '../../../scripts/vscode/settings.js';

export type WorkbenchOptions = {
  /** Settings of the machine scope at the start. */
  readonly settings?: Settings;
  readonly userSettings?: Settings;
  /** Folders of further extensions, installed beside ours. */
  readonly extensions?: readonly string[];
  /** A packed extension to install; ours under development is then left out, and Restricted Mode can be tested. */
  readonly vsix?: string;
  /** False: the folder opens in Restricted Mode. */
  readonly trust?: boolean;
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Added to the flags of Chromium. */
  readonly browserFlags?: readonly string[];
  /** An existing folder to open; otherwise a fresh copy of the sample workspace. null opens no folder. */
  readonly folder?: string | null;
};

/** One window of a real VS Code with the extension in it, over a fresh folder and fresh settings. */
export class Workbench {
  /** Settings of the machine scope; a change takes effect in the open window. */
  readonly settings: SettingsFile;

  private constructor(
    readonly page: Page,
    /** The open folder, absolute; empty where none is open. */
    readonly folder: string,
    readonly dataDir: string,
    private readonly options: WorkbenchOptions,
    private readonly browser: Browser,
    private readonly server: VsCodeServer,
  ) {
    this.settings = machineSettings(dataDir);
  }

  /** Starts server and browser and returns when the window is drawn. Close it in an `after` hook. */
  static async open(options: WorkbenchOptions = {}): Promise<Workbench> {
    const [vscode, chromium] = [await ensureVsCode(), await ensureChromium()];
    const dataDir = await mkdtemp(join(tmpdir(), 'acp-host-e2e-'));
    const folder = options.folder === undefined ? await copySample() : (options.folder ?? '');
    await userSettings(dataDir).write(options.userSettings ?? {});
    if (options.vsix !== undefined) {
      await installExtension(vscode, dataDir, options.vsix);
    }
    for (const extension of options.extensions ?? []) {
      await installFolder(dataDir, extension);
    }
    const server = await serve({
      vscode,
      dataDir,
      settings: options.settings ?? {},
      trust: options.trust ?? true,
      smokeTestDriver: options.vsix === undefined,
      env: options.env ?? {},
    });
    let browser: Browser | undefined;
    try {
      browser = await launchBrowser(chromium, options.browserFlags);
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      // Far more than anything takes; a busy machine must not fail a test.
      page.setDefaultTimeout(40_000);
      const workbench = new Workbench(page, folder, dataDir, options, browser, server);
      await workbench.show();
      return workbench;
    } catch (error) {
      await browser?.close();
      await server.stop();
      throw error;
    }
  }

  /** Loads the window anew, as a person's reload does: the extension host is replaced. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
  }

  /** Runs a command of the palette by its exact title, such as "ACP: Probe Agent". */
  async run(title: string): Promise<void> {
    await this.pick('F1', `>${title}`, title);
  }

  /**
   * Opens a quick pick by its key, types, and clicks the row that it names: recently used rows rank first, so Enter alone
   * may take another one. It is opened again where it does not know the row yet, since an open one does not learn of it,
   * or where a view that was still opening took the focus from it, before or after the text was in it.
   */
  private async pick(key: string, text: string, label: string): Promise<void> {
    const row = this.quickPickRow(label);
    for (let tries = 1; ; tries += 1) {
      const timeout = tries < 8 ? 5_000 : 40_000;
      await this.page.keyboard.press(key);
      try {
        await this.quickInput.fill(text, { timeout });
        await row.click({ timeout });
        return;
      } catch (error) {
        if (tries === 8) {
          throw error;
        }
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** The text field of the palette and of every other quick pick. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input[type="text"]');
  }

  /** Runs a command that opens a list, again where a view that was still opening took the focus and closed it. */
  async runToList(title: string): Promise<Locator> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    for (let tries = 1; tries < 4; tries += 1) {
      await this.run(title);
      const open = await rows
        .filter({ hasNotText: 'ACP:' })
        .first()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      if (open) {
        break;
      }
    }
    return rows;
  }

  /** The row of an open quick pick whose label is exactly this text. */
  quickPickRow(label: string): Locator {
    const exact = new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    return rows.filter({ has: this.page.locator('.label-name', { hasText: exact }) }).first();
  }

  /** Opens a file of the folder in an editor, by its path relative to the folder. */
  async openFile(path: string): Promise<void> {
    const name = path.split('/').at(-1)!;
    await this.pick('Control+P', path, name);
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    // It takes the keyboard a moment after it is drawn.
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  /** The document of the chat panel, once its composer is drawn; not the one that is `except`. */
  async chat(except?: Frame): Promise<Frame> {
    return findFrame(this.page, '[data-testid="composer-input"]', { except });
  }

  /** The document of the webview in which `selector` matches. */
  async frame(selector: string): Promise<Frame> {
    return findFrame(this.page, selector);
  }

  /** The open modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Presses a button of the modal dialog; waits for the dialog. */
  async answerDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Message and detail of the modal dialog; waits for it. */
  async dialogText(): Promise<string> {
    await this.dialog.waitFor();
    return (await this.dialog.locator('.dialog-message-text, .dialog-message-detail').allInnerTexts()).join('\n');
  }

  /** The plan's tree view, its title included. */
  get plan(): Locator {
    return this.page.locator('.pane', { has: this.page.locator('.pane-header[aria-label^="Plan"]') });
  }

  get sideBar(): Locator {
    return this.page.locator('.part.sidebar');
  }

  /** Drags the edge of the side bar until it is about this wide, px. */
  async widenSideBar(width: number): Promise<void> {
    const box = await this.sideBar.boundingBox();
    if (box === null) {
      throw new Error('The side bar is hidden.');
    }
    const [edge, middle] = [box.x + box.width + 1, box.y + box.height / 2];
    await this.page.mouse.move(edge, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, middle, { steps: 5 });
    await this.page.mouse.up();
    await this.page.mouse.move(edge + 300, middle);
  }

  /** What the extension host logged so far. */
  async log(): Promise<string> {
    return extensionHostLog(this.dataDir);
  }

  /** Writes a picture of the window and the extension host's log to test-results/e2e/NAME.{png,log}. */
  async keepEvidence(name: string): Promise<void> {
    const base = join(root, 'test-results/e2e', name.replace(/[^\w]+/g, '-').slice(0, 100));
    await mkdir(dirname(base), { recursive: true });
    await this.page.screenshot({ path: `${base}.png` });
    await writeFile(`${base}.log`, await this.log());
  }

  /** Closes the page as a person closes a window; the server stays for `show`. */
  async hide(): Promise<void> {
    await this.page.goto('about:blank');
  }

  /** Opens the window in the page. */
  async show(): Promise<void> {
    await this.openFolder(this.folder === '' ? null : this.folder);
  }

  /** Opens the window over another folder, or over none. */
  async openFolder(folder: string | null): Promise<void> {
    await openWorkbench(this.page, {
      port: this.server.port,
      ...(folder === null ? {} : { folder }),
      ...(this.options.vsix === undefined ? { extension: root } : {}),
    });
  }

  /** Ends browser and server and removes what `open` made. */
  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
    if (this.options.folder === undefined) {
      await rm(dirname(this.folder), { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/**
 * Opens one window for the tests of the surrounding `describe` and closes it after them. A failed test leaves a picture
 * and the extension host's log in test-results. Returns how to get at the window inside a test.
 */
export function useWorkbench(options: WorkbenchOptions | (() => WorkbenchOptions) = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before(async function () {
    this.timeout(180_000);
    workbench = await Workbench.open(typeof options === 'function' ? options() : options);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await workbench?.keepEvidence(this.currentTest.fullTitle());
    }
  });
  after(async () => workbench?.close());
  return () => {
    if (workbench === undefined) {
      throw new Error('The window is open only inside a test.');
    }
    return workbench;
  };
}
