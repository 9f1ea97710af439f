import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('activates the extension', async () => {
    const extension = vscode.extensions.getExtension('acp-host.acp-host');
    assert.ok(extension, 'The extension is not loaded.');
    await extension.activate();
    assert.ok(extension.isActive);
  });

  it('opens the sample workspace', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
  });
});
