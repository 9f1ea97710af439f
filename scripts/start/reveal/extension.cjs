// Only `npm start` loads this: it brings the chat to the front once the window is up.
const vscode = require('vscode');

exports.activate = async () => {
  await vscode.commands.executeCommand('acpHost.focusChat').then(undefined, () => undefined);
};
