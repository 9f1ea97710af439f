import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionEvent } from '../../src/core/transcript/events.js';
import type { TestAccess } from '../../src/host/extension.js';

/** The chat and the plan of the activated extension. */
export async function access(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>('acp-host.acp-host');
  assert.ok(extension, 'The extension is not loaded.');
  const found = await extension.activate();
  assert.ok(found, 'The extension runs in production mode.');
  return found;
}

/** The workspace folder on disk. */
export function folderPath(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'No folder is open.');
  return folder.uri.fsPath;
}

/** Sets a setting of the person, or removes it, and resolves when it can be read back. */
export async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('acpHost').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Resolves with the next event of the shown session for which `wanted` is true. */
export function nextEvent(chat: TestAccess['chat'], wanted: (event: SessionEvent) => boolean): Promise<SessionEvent> {
  return new Promise((resolve) => {
    const listening = chat.onEvent((event) => {
      if (wanted(event)) {
        listening.dispose();
        resolve(event);
      }
    });
  });
}

/** Resolves when `isTrue` holds; it is tried after every event of VS Code that `on` names. */
export function until<T>(on: vscode.Event<T>, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isTrue()) {
      resolve();
      return;
    }
    const listening = on(() => {
      if (isTrue()) {
        listening.dispose();
        resolve();
      }
    });
  });
}
