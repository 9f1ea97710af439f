// npm start: builds, then opens VS Code with the extension in it. Arguments: --port N, --folder DIR, --no-open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct, root } from './run.js';
import { copySample } from './sample.js';
import { Plain, runScript, say } from './say.js';
import { hasCommand } from './vscode/apt.js';
import { ensureVsCode } from './vscode/install.js';
import { workbenchUrl } from './vscode/page.js';
import { installFolder, serve } from './vscode/server.js';

/** A small extension that brings the chat to the front, which nothing can do from outside. */
const REVEAL = join(root, 'scripts/start/reveal');

await runScript(async () => {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, folder: { type: 'string' }, 'no-open': { type: 'boolean', default: false } },
  });
  const port = await parsePort(values.port);
  if (values.folder !== undefined && !existsSync(values.folder)) {
    throw new Plain(`The folder ${values.folder} does not exist.`);
  }
  say('Building the extension.');
  await buildProduct();
  const folder = values.folder === undefined ? await copySample() : resolve(values.folder);
  const dataDir = await mkdtemp(join(tmpdir(), 'acp-host-start-'));
  try {
    const desktop = port === undefined && hasDisplay() && (await hasCommand('code'));
    await (desktop ? openDesktop(folder, dataDir) : openBrowserEdition(folder, dataDir, port, !values['no-open']));
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    if (values.folder === undefined) {
      await rm(dirname(folder), { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return 0;
});

async function openBrowserEdition(
  folder: string,
  dataDir: string,
  port: number | undefined,
  open: boolean,
): Promise<void> {
  const vscode = await ensureVsCode();
  say('Starting VS Code.');
  await installFolder(dataDir, REVEAL);
  const server = await serve({ vscode, dataDir, ...(port === undefined ? {} : { port }) });
  const url = workbenchUrl({ port: server.port, folder, extension: root });
  say(`The workspace is ${folder}, gone again at the end if it is the sample. Ctrl+C ends VS Code.`);
  process.stdout.write(`VS Code with the extension: ${url}\n`);
  if (open) {
    await openInBrowser(url);
  }
  await Promise.race([interrupted(), server.ended]);
  say('Ending VS Code.');
  await server.stop();
}

async function openDesktop(folder: string, dataDir: string): Promise<void> {
  say('Opening VS Code; this command ends with its window.');
  const args = ['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--user-data-dir', dataDir];
  args.push(...[root, REVEAL].map((path) => `--extensionDevelopmentPath=${path}`), folder);
  const child = spawn('code', args, { stdio: 'inherit' });
  await Promise.race([once(child, 'exit'), interrupted().then(() => child.kill())]);
}

/** Hands the address to the person's browser where there is a display; the printed line serves everyone else. */
async function openInBrowser(url: string): Promise<void> {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (hasDisplay() && (await hasCommand(opener))) {
    spawn(opener, [url], { stdio: 'ignore', detached: true }).unref();
  }
}

function hasDisplay(): boolean {
  return process.platform === 'darwin' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

function interrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => done());
    }
  });
}

/** A port that can be had, checked here because the server's own complaint is a stack. */
async function parsePort(text: string | undefined): Promise<number | undefined> {
  if (text === undefined) {
    return undefined;
  }
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Plain(`--port takes a number from 1 to 65535, not ${text}.`);
  }
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', () => fail(new Plain(`Port ${port} is in use; choose another with --port.`)));
    probe.listen(port, '127.0.0.1', done);
  });
  await new Promise((done) => probe.close(done));
  return port;
}
