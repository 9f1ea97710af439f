import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { bindAmong, diskFolders, type BoundFolder } from './bindFolder.js';

/** The folder with this path, else the first one on disk, else null. */
export function bindFolder(preferred?: string): BoundFolder | null {
  return bindAmong(vscode.workspace.workspaceFolders ?? [], preferred);
}

/** What a sentence needs to name paths below a folder: its name, and its path as declared and as it really is. */
export function folderWords(folder: BoundFolder | null): {
  readonly folder: string;
  readonly roots: readonly string[];
} {
  if (folder === null) {
    return { folder: '', roots: [] };
  }
  let real = folder.path;
  try {
    real = realpathSync.native(folder.path);
  } catch {
    // A folder that is gone is still named as it was declared.
  }
  return { folder: folder.name, roots: [...new Set([folder.path, real])] };
}

/** Asks for a folder where there are several. Undefined: the person closed the list, or there is none. */
export async function pickFolder(): Promise<BoundFolder | undefined> {
  const folders = diskFolders(vscode.workspace.workspaceFolders ?? []);
  if (folders.length <= 1) {
    return bindFolder() ?? undefined;
  }
  const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, path: uri.fsPath }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Folder for the new session' });
  return picked === undefined ? undefined : (bindFolder(picked.path) ?? undefined);
}
