import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import type { Metafile } from 'esbuild';
import { join } from 'node:path';
import { root } from '../../scripts/run.js';

/** What the last build put into dist/NAME. */
export async function readMetafile(name: string): Promise<Metafile> {
  return JSON.parse(await readFile(join(root, 'dist/meta', `${name}.json`), 'utf8')) as Metafile;
}

/** Inputs of a bundle from layers that it must not hold. */
export function foreignInputs(metafile: Metafile, forbidden: readonly string[]): readonly string[] {
  return Object.keys(metafile.inputs).filter((path) => forbidden.some((layer) => path.startsWith(`src/${layer}/`)));
}

/** Imports that a bundle leaves to its runtime, apart from Node's own modules and those that are allowed. */
export function foreignExternals(metafile: Metafile, allowed: readonly string[]): readonly string[] {
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const known = new Set([...builtinModules, ...allowed]);
  return outside.map(({ path }) => path.replace(/^node:/, '')).filter((path) => !known.has(path));
}
