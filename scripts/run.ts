import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { Plain } from './say.js';

/** The root of the repository, absolute. */
export const root = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

export type RunResult = { readonly status: number; readonly output: string };

/**
 * Runs a program to its end and returns its status (128 for a signal) and everything that it printed.
 * With `show`, the output goes to our own stderr instead of into the result.
 */
export async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly show?: boolean } = {},
): Promise<RunResult> {
  const settings: SpawnOptions = {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: options.show === true ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
  };
  const child = spawn(command, args, settings);
  const parts: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  child.stderr?.on('data', (part: Buffer) => parts.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { status: code ?? 128, output: Buffer.concat(parts).toString() };
}

/** Runs a program that must succeed; otherwise fails with `what` and the end of its output. */
export async function mustRun(
  what: string,
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly show?: boolean } = {},
): Promise<string> {
  const { status, output } = await run(command, args, options);
  if (status !== 0) {
    throw new Plain(`${what} failed with status ${status}.\n${output.slice(-4000)}`);
  }
  return output;
}

/** Bundles the product into dist/. */
export async function buildProduct(): Promise<void> {
  await mustRun('The build', process.execPath, ['esbuild.mjs'], { show: true });
}
