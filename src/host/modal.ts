import * as vscode from 'vscode';
import type { DialogButton, DialogText } from './dialogText.js';

const titles: Readonly<Record<DialogButton, string>> = {
  review: 'Review…',
  allow: 'Allow Once',
  deny: 'Deny',
  notNow: 'Not Now',
};

/**
 * Shows a request in VS Code's modal dialog. The first button is its default. Not Now is the close affordance, so that
 * VS Code adds no Cancel, which would read like a refusal.
 */
export async function showApprovalModal({ title, detail, buttons }: DialogText): Promise<DialogButton> {
  const items = buttons.map((button) => ({
    title: titles[button],
    button,
    ...(button === 'notNow' ? { isCloseAffordance: true } : {}),
  }));
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...items);
  return chosen?.button ?? 'notNow';
}
