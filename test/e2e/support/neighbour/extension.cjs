// An extension that owns the names acp.*, to show that ours gets along with it.
const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  for (const id of ['acp.newSession', 'acp.probeAgent']) {
    const say = () => vscode.window.showInformationMessage(`The neighbour ran ${id}.`);
    context.subscriptions.push(vscode.commands.registerCommand(id, say));
  }
  /** @type {import('vscode').TreeDataProvider<import('vscode').TreeItem>} */
  const view = { getTreeItem: (item) => item, getChildren: () => [new vscode.TreeItem('The neighbour is up')] };
  context.subscriptions.push(vscode.window.registerTreeDataProvider('acp.chat', view));
};
