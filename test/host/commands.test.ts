import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/ids.js';
import { access, until } from './access.js';

describe('commands', () => {
  before(() => access());

  it('are all registered', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      Object.values(commandIds).filter((id) => !known.has(id)),
      [],
    );
  });

  it('run beside commands that another extension registers under acp.', async () => {
    const theirs = vscode.commands.registerCommand('acp.newSession', () => 'theirs');
    assert.equal(await vscode.commands.executeCommand('acp.newSession'), 'theirs');
    theirs.dispose();
  });

  it('bring the chat to the front, with the composer in focus', async () => {
    await vscode.commands.executeCommand(commandIds.focusChat);
  });

  it('open the chat as an editor tab, once', async () => {
    await vscode.commands.executeCommand(commandIds.openInEditor);
    await vscode.commands.executeCommand(commandIds.openInEditor);
    const chats = (): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'ACP Chat');
    await until(vscode.window.tabGroups.onDidChangeTabs, () => chats().length > 0);
    assert.equal(chats().length, 1);
    await vscode.window.tabGroups.close(chats());
  });

  it('show log and traffic without a session', async () => {
    await vscode.commands.executeCommand(commandIds.showLog);
    await vscode.commands.executeCommand(commandIds.showTraffic);
  });
});
