import * as vscode from 'vscode';
import type { SecretLookup } from '../agent/process/secretReferences.js';
import { prefix } from './ids.js';

/** Secrets that a person typed once. VS Code keeps them encrypted where the system can. */
export class Secrets {
  constructor(private readonly storage: vscode.SecretStorage) {}

  readonly lookup: SecretLookup = async (name) => this.storage.get(keyOf(name));

  /** Asks for a name and its value and stores it; nothing typed removes it. */
  async set(given?: string): Promise<void> {
    const name =
      given ??
      (await vscode.window.showInputBox({
        title: 'ACP: Set Secret',
        prompt: 'Its name. In acpHost.agents, env, the value ${secret:NAME} then stands for it.',
        placeHolder: 'OPENAI_API_KEY',
        validateInput: (text) => (/^[^{}\r\n]{1,200}$/.test(text.trim()) ? undefined : 'A name has no braces.'),
      }));
    if (name === undefined || name.trim() === '') {
      return;
    }
    const value = await vscode.window.showInputBox({
      title: `ACP: Set Secret ${name}`,
      prompt: 'Its value. Leave it empty to remove the secret.',
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) {
      return;
    }
    const key = keyOf(name);
    await (value === '' ? this.storage.delete(key) : this.storage.store(key, value));
    const done = value === '' ? 'was removed' : 'was stored. Agents get it when they start the next time';
    void vscode.window.showInformationMessage(`The secret ${name.trim()} ${done}.`);
  }
}

function keyOf(name: string): string {
  return `${prefix}.secret.${name.trim()}`;
}
