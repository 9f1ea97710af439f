// @ts-nocheck
// Runs in the extension host, where the extension is not active yet: times its load and its activate(), then shows the
// chat and says when. Reports one JSON line to a loopback port.
const Module = require('node:module');
const { createConnection } = require('node:net');
const vscode = require('vscode');

const ID = 'acp-host.acp-host';

/** Times the extension's own two parts; VS Code's way to them is in the whole. */
function timeParts() {
  const times = { loadMs: undefined, callMs: undefined };
  const load = Module._load;
  Module._load = function (request, ...rest) {
    if (times.loadMs !== undefined || !String(request).endsWith('extension.cjs')) {
      return load.call(this, request, ...rest);
    }
    const begun = performance.now();
    const { activate, deactivate } = load.call(this, request, ...rest);
    times.loadMs = performance.now() - begun;
    return {
      deactivate,
      activate: (context) => {
        const called = performance.now();
        const result = activate(context);
        times.callMs = performance.now() - called;
        return result;
      },
    };
  };
  return times;
}

async function measure() {
  const extension = vscode.extensions.getExtension(ID);
  if (extension === undefined || extension.isActive) {
    return { error: extension === undefined ? 'The extension is not there.' : 'The extension is active already.' };
  }
  const times = timeParts();
  const begun = performance.now();
  await extension.activate();
  const activateMs = performance.now() - begun;
  const shownAt = Date.now();
  await vscode.commands.executeCommand('acpHost.focusChat');
  return { activateMs, ...times, shownAt };
}

exports.run = async () => {
  const report = await measure().catch((error) => ({ error: String(error?.stack ?? error) }));
  const socket = createConnection({ host: '127.0.0.1', port: Number(process.env.ACP_HOST_BENCH_PORT) });
  socket.end(`${JSON.stringify(report)}\n`);
  // The window is closed from outside; an end of this suite would close it before the view is seen.
  await new Promise(() => {});
};
