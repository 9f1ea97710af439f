// Runs a bundled program with stdin, stdout, arguments, signals and exit status passed through untouched.
// Plain JavaScript without a loader: it stands in the start-up time of every headless run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Builds first where the bundle is missing or older than the sources; what the build prints goes to stderr.
 * @param {string} bundle file name in dist/
 * @param {readonly string[]} args
 */
export function launch(bundle, args) {
  const path = join(root, 'dist', bundle);
  if (!existsSync(path) || statSync(path).mtimeMs < newest(join(root, 'src'))) {
    const build = spawnSync(process.execPath, [join(root, 'esbuild.mjs')], { stdio: ['ignore', 2, 2] });
    if (build.status !== 0) {
      process.exit(2);
    }
  }
  const child = spawn(process.execPath, [path, ...args], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}

/** @param {string} folder */
function newest(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
