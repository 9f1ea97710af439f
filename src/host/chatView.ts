/** The chat in the side bar and, on demand, as an editor tab: two views of one chat. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import type { ToHost } from '../core/messages.js';
import { parseToHost } from '../core/parseToHost.js';
import type { Chat, ViewNudge } from './chat.js';
import { Disposables } from './emitter.js';
import { chatPage } from './html.js';
import { views } from './ids.js';
import { ViewChannel } from './viewChannel.js';

/** Acts on one message of a view. */
export type HandleMessage = (message: ToHost, reply: ViewChannel) => void;

type Surface = { readonly channel: ViewChannel; readonly isVisible: () => boolean };

export class ChatViews implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, Disposable {
  readonly #surfaces = new Set<Surface>();
  readonly #assets: vscode.Uri;
  #view: vscode.WebviewView | undefined;
  #panel: vscode.WebviewPanel | undefined;
  readonly #owned = new Disposables();

  constructor(
    extensionUri: vscode.Uri,
    private readonly chat: Chat,
    private readonly handle: HandleMessage,
  ) {
    this.#assets = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    this.#owned.add(vscode.window.registerWebviewViewProvider(views.chat, this));
    this.#owned.add(vscode.window.registerWebviewPanelSerializer(views.editor, this));
    this.#owned.add(
      chat.onNudge((message) => {
        this.#nudge(message);
      }),
    );
    this.#owned.add(
      chat.approvals.onDidChange(() => {
        this.#badge();
      }),
    );
  }

  /** Whether a person can see the chat now. */
  get visible(): boolean {
    return [...this.#surfaces].some(({ isVisible }) => isVisible());
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const surface = this.#connect('sidebar', view.webview, () => view.visible);
    const bound = new Disposables();
    bound.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) {
          surface.channel.hidden();
        }
      }),
    );
    view.onDidDispose(() => {
      bound.dispose();
      this.#disconnect(surface);
      if (this.#view === view) {
        this.#view = undefined;
      }
    });
    this.#badge();
  }

  /** A tab that was open when the window was reloaded. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#attach(panel);
    return Promise.resolve();
  }

  /** Shows the chat as an editor tab. */
  openInEditor(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    this.#attach(
      vscode.window.createWebviewPanel(views.editor, 'ACP Chat', vscode.ViewColumn.Active, {
        enableFindWidget: true,
      }),
    );
  }

  /** Shows the chat where it is, in the side bar if it is nowhere, with the keyboard in the composer. */
  async focus(): Promise<void> {
    if (this.#panel?.visible === true) {
      this.#panel.reveal();
    } else {
      await vscode.commands.executeCommand(`${views.chat}.focus`);
    }
    this.chat.nudge({ type: 'focusComposer' });
  }

  /** Makes the chat visible without taking the keyboard. */
  async show(): Promise<void> {
    if (this.visible) {
      return;
    }
    if (this.#view !== undefined) {
      this.#view.show(true);
    } else {
      await vscode.commands.executeCommand(`${views.chat}.focus`);
    }
  }

  dispose(): void {
    this.#owned.dispose();
    this.#panel?.dispose();
    for (const surface of [...this.#surfaces]) {
      this.#disconnect(surface);
    }
  }

  #attach(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    panel.iconPath = new vscode.ThemeIcon('comment-discussion');
    const surface = this.#connect('editor', panel.webview, () => panel.visible);
    const bound = new Disposables();
    bound.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) {
          surface.channel.hidden();
        }
      }),
    );
    panel.onDidDispose(() => {
      bound.dispose();
      this.#disconnect(surface);
      if (this.#panel === panel) {
        this.#panel = undefined;
      }
    });
  }

  #connect(surface: 'sidebar' | 'editor', webview: vscode.Webview, isVisible: () => boolean): Surface {
    webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [this.#assets],
    };
    const channel = new ViewChannel(this.chat, {
      surface,
      get visible() {
        return isVisible();
      },
      post: (message) => webview.postMessage(message),
    });
    // The listener stands before the page is set, so that its `ready` cannot come too early.
    webview.onDidReceiveMessage((raw: unknown) => {
      const message = parseToHost(raw);
      if (message !== null) {
        this.handle(message, channel);
      }
    });
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.#assets, name)).toString();
    webview.html = chatPage({
      nonce: randomBytes(16).toString('base64'),
      cspSource: webview.cspSource,
      script: file('main.js'),
      styles: [file('codicon.css'), file('panel.css')],
    });
    const connected = { channel, isVisible };
    this.#surfaces.add(connected);
    return connected;
  }

  #disconnect(surface: Surface): void {
    surface.channel.dispose();
    this.#surfaces.delete(surface);
  }

  /** To a view that is in sight, else to the one that comes into sight next. */
  #nudge(message: ViewNudge): void {
    const surfaces = [...this.#surfaces];
    const target = surfaces.find(({ isVisible }) => isVisible()) ?? surfaces[0];
    target?.channel.nudge(message);
  }

  #badge(): void {
    if (this.#view !== undefined) {
      const value = this.chat.waiting.length;
      const need = value === 1 ? 'request needs' : 'requests need';
      this.#view.badge = value === 0 ? undefined : { value, tooltip: `${value} ${need} your answer` };
    }
  }
}
