import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import type { Chat } from './chat.js';
import { Disposables } from './emitter.js';
import { commandIds, contextKeys } from './ids.js';
import { statusText } from './statusText.js';

/** Keeps the status bar item and the context keys in step with the chat. Both are set here only, and on change only. */
export class Status implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #owned = new Disposables();
  readonly #keys = new Map<string, unknown>();
  #shown = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly chat: Chat) {
    this.#item = this.#owned.add(
      vscode.window.createStatusBarItem('acpHost.status', vscode.StatusBarAlignment.Left, 0),
    );
    this.#item.name = 'ACP Agent';
    this.#item.command = commandIds.showMenu;
    for (const on of [chat.onEvent, chat.onReset, chat.onDidChange]) {
      this.#owned.add(
        on(() => {
          this.#soon();
        }),
      );
    }
    this.#owned.add(
      chat.approvals.onDidChange(() => {
        this.#soon();
      }),
    );
    this.#update();
    this.#item.show();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  /** Thousands of events a second must not mean thousands of updates of the window. */
  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#update();
    }, 50);
  }

  #update(): void {
    const { chat } = this;
    const panel = chat.panel('sidebar');
    const waiting = chat.waiting.length;
    const { turn } = chat.transcript;
    this.#setKey(contextKeys.agentState, panel.agentState.state);
    this.#setKey(contextKeys.turnRunning, turn.state === 'running' || turn.state === 'cancelling');
    this.#setKey(contextKeys.approvalPending, waiting > 0);
    this.#setKey(contextKeys.hasAgent, panel.agent !== null);
    const status = statusText({
      agent: panel.agent,
      version: panel.agentVersion,
      folder: panel.folder?.name ?? null,
      state: panel.agentState,
      edits: panel.edits,
      transcript: chat.transcript,
      waiting,
    });
    const shown = JSON.stringify(status);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#item.text = status.text;
      this.#item.tooltip = status.tooltip;
      this.#item.accessibilityInformation = { label: status.accessibleName };
      this.#item.backgroundColor =
        status.background === undefined ? undefined : new vscode.ThemeColor(status.background);
    }
  }

  #setKey(key: string, value: unknown): void {
    if (this.#keys.get(key) !== value) {
      this.#keys.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
