import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';

/** Documents of one scheme that exist here only, the newest `kept` of them. Read-only by their nature. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(
    private readonly scheme: string,
    private readonly kept: number,
  ) {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** The address under which `text` can be opened. The same path and query replace the text. */
  put(path: string, query: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.scheme, path: path.startsWith('/') ? path : `/${path}`, query });
    const key = uri.toString();
    this.#texts.delete(key);
    this.#texts.set(key, text);
    for (const old of [...this.#texts.keys()].slice(0, -this.kept)) {
      this.#texts.delete(old);
    }
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This text is no longer kept.\n';
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }
}
