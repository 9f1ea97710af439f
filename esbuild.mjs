// Bundles everything that runs outside the tests. `--watch` rebuilds on change, `--production` minifies and drops maps.
import { build, context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = import.meta.dirname;
/** @type {unknown} */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * @typedef {object} Bundle
 * @property {string} entry
 * @property {string} out
 * @property {'node' | 'browser'} platform
 * @property {number} [budget] most bytes of the minified output
 */

/** @type {readonly Bundle[]} */
const bundles = [
  // About 250 kB of each are the protocol's SDK with its validator.
  { entry: 'src/host/extension.ts', out: 'extension.cjs', platform: 'node', budget: 450_000 },
  { entry: 'src/agent/headless/main.ts', out: 'headless.cjs', platform: 'node', budget: 400_000 },
  { entry: 'src/agent/headless/probeEntry.ts', out: 'probe.cjs', platform: 'node', budget: 400_000 },
  { entry: 'src/agent/process/watchdogMain.ts', out: 'watchdog.cjs', platform: 'node', budget: 50_000 },
  { entry: 'src/demo/main.ts', out: 'demo-agent.cjs', platform: 'node', budget: 400_000 },
  { entry: 'src/webview/main.tsx', out: 'webview/main.js', platform: 'browser', budget: 260_000 },
];

/** @param {Bundle} bundle @returns {import('esbuild').BuildOptions} */
function options({ entry, out, platform }) {
  const browser = platform === 'browser';
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: `dist/${out}`,
    bundle: true,
    platform,
    format: browser ? 'iife' : 'cjs',
    target: browser ? 'es2022' : 'node20',
    // A CommonJS bundle has no import.meta; the extension and the demo agent find their files beside themselves.
    external: browser ? [] : ['vscode'],
    ...(browser ? { jsx: 'automatic', jsxImportSource: 'preact' } : {}),
    // VS Code logs an error against an extension that looks for `navigator` in the extension host, as zod does.
    define: {
      'process.env.NODE_ENV': '"production"',
      acpHostVersion: JSON.stringify(version),
      ...(browser ? {} : { navigator: 'undefined' }),
    },
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [{ name: 'after', setup: (hooks) => hooks.onEnd((result) => afterBuild(out, result)) }],
  };
}

/**
 * Writes the metafile, which the layer test reads to assert on what ships.
 * @param {string} out
 * @param {import('esbuild').BuildResult} result
 */
function afterBuild(out, result) {
  if (result.metafile) {
    writeFileSync(join(root, 'dist/meta', `${basename(out)}.json`), JSON.stringify(result.metafile));
  }
  if (production) {
    rmSync(join(root, 'dist', `${out}.map`), { force: true });
  }
  if (watch && result.errors.length === 0) {
    process.stderr.write(`built dist/${out}\n`);
  }
}

/** Styles and the icon font go beside the webview's script: the panel may load from one folder only. */
async function buildAssets() {
  const icons = join(root, 'node_modules/@vscode/codicons/dist');
  for (const file of ['codicon.css', 'codicon.ttf']) {
    cpSync(join(icons, file), join(root, 'dist/webview', file));
  }
  const media = join(root, 'media');
  const styles = existsSync(media) ? readdirSync(media).filter((file) => file.endsWith('.css')) : [];
  if (styles.length > 0) {
    await build({
      absWorkingDir: root,
      entryPoints: styles.map((file) => `media/${file}`),
      outdir: 'dist/webview',
      bundle: true,
      external: ['*.ttf'],
      minify: production,
      logLevel: 'warning',
    });
  }
}

/** The budgets are about what ships, so a development build is measured minified as well. @param {Bundle} bundle */
async function overBudget({ entry, out, platform, budget }) {
  if (budget === undefined) {
    return undefined;
  }
  let bytes = statSync(join(root, 'dist', out)).size;
  if (!production && bytes > budget) {
    const minified = await build({
      ...options({ entry, out, platform }),
      minify: true,
      sourcemap: false,
      write: false,
      plugins: [],
    });
    bytes = minified.outputFiles.reduce((sum, file) => sum + file.contents.byteLength, 0);
  }
  return bytes > budget ? `dist/${out} has ${bytes} bytes minified; its budget is ${budget}.` : undefined;
}

mkdirSync(join(root, 'dist/meta'), { recursive: true });
mkdirSync(join(root, 'dist/webview'), { recursive: true });

try {
  await buildAssets();
  if (watch) {
    for (const bundle of bundles) {
      await (await context(options(bundle))).watch();
    }
  } else {
    await Promise.all(bundles.map((bundle) => build(options(bundle))));
    const complaints = (await Promise.all(bundles.map(overBudget))).filter((line) => line !== undefined);
    for (const line of complaints) {
      process.stderr.write(`${line}\n`);
    }
    process.exitCode = complaints.length > 0 ? 1 : 0;
  }
} catch (error) {
  // esbuild has already printed its own errors; anything else is a bug in this file.
  if (!(error instanceof Error && 'errors' in error)) {
    throw error;
  }
  process.exitCode = 1;
}
