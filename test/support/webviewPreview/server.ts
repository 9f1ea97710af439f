/** Serves the real panel outside VS Code, with the same CSP and a stub for `acquireVsCodeApi`. Loopback only. */
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const icons = join(root, 'node_modules/@vscode/codicons/dist');

export type Theme = 'light' | 'dark' | 'hc';
const bodyClasses: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  hc: 'vscode-high-contrast',
};

/** What the page posts is kept in `window.posted`; what the host would send goes in through `window.postMessage`. */
const stub = `
  window.posted = [];
  let state;
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.posted.push(message),
    getState: () => state,
    setState: (next) => { state = next; },
  });`;

function page(theme: Theme): string {
  const csp = [
    "default-src 'none'",
    "script-src 'nonce-preview'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><title>Chat</title>
<meta http-equiv="Content-Security-Policy" content="${csp}">
<link rel="stylesheet" href="themes.css"><link rel="stylesheet" href="codicon.css"><link rel="stylesheet" href="panel.css">
</head><body class="${bodyClasses[theme]}"><div id="root"></div>
<script nonce="preview">${stub}</script><script nonce="preview" src="main.js"></script></body></html>`;
}

/** Builds the panel and serves it. */
export async function startPreview(): Promise<{
  url(theme: Theme): string;
  close(): Promise<void>;
}> {
  const files = await buildFiles();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const name = url.pathname.slice(1);
    const theme = (url.searchParams.get('theme') ?? 'dark') as Theme;
    const file = name === '' ? { type: 'text/html', body: Buffer.from(page(theme)) } : files.get(name);
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (theme) => `http://127.0.0.1:${port}/?theme=${theme}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function buildFiles(): Promise<Map<string, { type: string; body: Buffer }>> {
  const out = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/main.tsx', 'media/panel.css'],
    outdir: 'out',
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    entryNames: '[name]',
    logLevel: 'warning',
  });
  const files = new Map<string, { type: string; body: Buffer }>();
  const put = (name: string, type: string, body: Uint8Array): void => {
    files.set(name, { type, body: Buffer.from(body) });
  };
  for (const file of out.outputFiles) {
    const script = file.path.endsWith('.js');
    put(script ? 'main.js' : 'panel.css', script ? 'text/javascript' : 'text/css', file.contents);
  }
  put('themes.css', 'text/css', await readFile(join(import.meta.dirname, 'themes.css')));
  put('codicon.css', 'text/css', await readFile(join(icons, 'codicon.css')));
  put('codicon.ttf', 'font/ttf', await readFile(join(icons, 'codicon.ttf')));
  return files;
}
