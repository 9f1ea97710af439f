import * as vscode from 'vscode';
import type { Log } from '../agent/ports.js';
import { redact } from '../core/text/redact.js';

/** The channel “ACP Host” of the Output panel. What goes in leaves the extension, so secrets are taken out here. */
export class HostLog implements Log, vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('ACP Host', { log: true });

  info(message: string): void {
    this.#channel.info(redact(message));
  }

  warn(message: string): void {
    this.#channel.warn(redact(message));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
