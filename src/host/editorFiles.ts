/** The documents of the window, by the real path of their file, as the agent side's jail names them. */
import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { EditorFiles, EditorWrite, OpenText } from '../agent/ports.js';
import { HostError } from '../core/errors.js';
import { changedRange } from './changedRange.js';

/** Longest wait for a document, in ms. A write without Undo is better than one that does not come. */
const patienceMs = 1_000;

export class WindowFiles implements EditorFiles {
  /**
   * Documents that were opened here and not by a person. What is in them was read past the jail, so it is never handed
   * to an agent.
   */
  readonly #unseen = new WeakSet<vscode.TextDocument>();

  openText(canonical: string): OpenText | undefined {
    const document = documentAt(canonical);
    return document === undefined || (this.#unseen.has(document) && !document.isDirty)
      ? undefined
      : { text: document.getText(), dirty: document.isDirty };
  }

  /**
   * VS Code keeps what a document was before it was changed on disk, also after it is closed, where it knew the
   * document then.
   */
  async prepareUndo(canonical: string): Promise<void> {
    if (documentAt(canonical) !== undefined) {
      return;
    }
    const opened = Promise.resolve(vscode.workspace.openTextDocument(vscode.Uri.file(canonical))).then(
      (document) => this.#unseen.add(document),
      // Binary, too large, or of an encoding that VS Code cannot read: there is nothing to undo it with.
      () => undefined,
    );
    await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  }

  /** Rejects with a HostError `io` where the change was made and could not be saved. */
  async write(canonical: string, text: string, base: string): Promise<EditorWrite> {
    const document = documentAt(canonical);
    if (document === undefined) {
      return { outcome: 'notOpen' };
    }
    if (document.getText() !== base) {
      return { outcome: 'conflict' };
    }
    const { start, end, replacement } = changedRange(base, text);
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, replacement);
    // An edit is refused by VS Code where the document changed since the edit was made.
    const applied = start === end && replacement === '' ? true : await vscode.workspace.applyEdit(edit);
    if (!applied) {
      return { outcome: 'conflict' };
    }
    if (!(await document.save())) {
      throw new HostError('io', 'VS Code could not save the file. The change stands in its editor.');
    }
    return { outcome: 'saved', saved: document.getText() };
  }
}

/** The open document of this file, also where it was opened through a link or in another spelling. */
function documentAt(canonical: string): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  return (
    open.find(({ uri }) => uri.fsPath === canonical && realPath(uri.fsPath) === canonical) ??
    open.find(({ uri }) => realPath(uri.fsPath) === canonical)
  );
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
