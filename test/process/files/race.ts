/**
 * The jail raced against a process that swaps names as fast as the system can. A naive reader runs in the same harness
 * and must be fooled: else the race did not happen, and a jail that let nothing out proves nothing.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJail, type Jail } from '../../../src/agent/files/jail.js';
import { leftovers, makeTree, type Tree } from './tree.js';

const INSIDE = 'inside\n';
export const OUTSIDE = 'outside\n';

/** What changes places with a link that leads outside: the folder of the file, or the file. */
export const raceModes = ['folder', 'file'] as const;
export type RaceMode = (typeof raceModes)[number];

export type Tally = { tries: number; inside: number; escapes: number; rejected: number };

/** When to stop: after so many seconds, or after so many tries. */
export type Length = { readonly seconds: number } | { readonly tries: number };

export type Race = {
  readonly mode: RaceMode;
  /** The backend that needs no /proc, which promises its best and no more. */
  readonly portable: boolean;
  readonly naive: Length;
  readonly read: Length;
  readonly write: Length;
  /** Where the tree is made: another file system. The folder for temporary files by default. */
  readonly base?: string;
};

export type RaceResult = {
  readonly naive: Tally;
  readonly read: Tally;
  readonly write: Tally;
  /** How often the two names changed places. */
  readonly swaps: number;
  /** Name → text of everything outside afterwards; only `f` with `OUTSIDE` stood there. */
  readonly outside: Readonly<Record<string, string>>;
  /** Temporary files of the jail that were left. */
  readonly left: readonly string[];
};

/** Builds the swapper once; needs `cc`. */
export async function buildSwapper(): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const bin = await mkdtemp(join(tmpdir(), 'acp-swapper-'));
  const program = join(bin, 'swapper');
  execFileSync('cc', ['-O2', '-o', program, join(import.meta.dirname, '../../support/swapper.c')]);
  return { program, remove: () => rm(bin, { recursive: true, force: true }) };
}

/** One race on a tree of its own, which is gone afterwards. */
export async function race(swapper: string, { mode, portable, base, ...length }: Race): Promise<RaceResult> {
  const tree = await makeTree(base);
  const stage = await layOut(tree, mode);
  const jail = await openJail([tree.ws], { portable });
  const child = spawn(swapper, [...stage.swapped, '2000'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  const root = await realpath(tree.ws);
  const naive = await repeat(() => naiveRead(root, stage.target), length.naive);
  const read = await repeat(() => jailRead(jail, stage.target), length.read);
  const write = await repeat(() => jailWrite(jail, stage.target), length.write);
  child.kill('SIGTERM');
  await once(child, 'close');
  const outside: Record<string, string> = {};
  for (const name of await readdir(tree.out)) {
    outside[name] = await readFile(join(tree.out, name), 'utf8');
  }
  const left = await leftovers(tree.at());
  await tree.dispose();
  return { naive, read, write, swaps: Number(printed), outside, left };
}

async function layOut(tree: Tree, mode: RaceMode): Promise<{ target: string; swapped: [string, string] }> {
  await writeFile(join(tree.out, 'f'), OUTSIDE);
  await mkdir(tree.at('ws', 'dir'));
  await writeFile(tree.at('ws', 'dir', 'f'), INSIDE);
  const target = tree.at('ws', 'dir', 'f');
  if (mode === 'folder') {
    await symlink(tree.out, tree.at('ws', 'other'));
    return { target, swapped: [tree.at('ws', 'dir'), tree.at('ws', 'other')] };
  }
  await symlink(join(tree.out, 'f'), tree.at('ws', 'other'));
  return { target, swapped: [target, tree.at('ws', 'other')] };
}

async function repeat(attempt: () => Promise<'inside' | 'escape' | 'rejected'>, length: Length): Promise<Tally> {
  const tally: Tally = { tries: 0, inside: 0, escapes: 0, rejected: 0 };
  const end = 'seconds' in length ? Date.now() + length.seconds * 1000 : Infinity;
  const most = 'tries' in length ? length.tries : Infinity;
  while (Date.now() < end && tally.tries < most) {
    const result = await attempt();
    tally.tries++;
    tally[result === 'escape' ? 'escapes' : result]++;
  }
  return tally;
}

/** What many hosts do: resolve, compare, then open the name once more. */
async function naiveRead(root: string, path: string): Promise<'inside' | 'escape' | 'rejected'> {
  try {
    if (!(await realpath(path)).startsWith(`${root}/`)) {
      return 'rejected';
    }
    return (await readFile(path, 'utf8')) === OUTSIDE ? 'escape' : 'inside';
  } catch {
    return 'rejected';
  }
}

async function jailRead(jail: Jail, path: string): Promise<'inside' | 'escape' | 'rejected'> {
  try {
    const pin = await jail.pinRead(path);
    try {
      return (await pin.read({})) === OUTSIDE ? 'escape' : 'inside';
    } finally {
      await pin.close();
    }
  } catch {
    return 'rejected';
  }
}

async function jailWrite(jail: Jail, path: string): Promise<'inside' | 'escape' | 'rejected'> {
  try {
    const pin = await jail.pinWrite(path);
    try {
      const escaped = (await pin.current()) === OUTSIDE;
      await pin.commit(INSIDE);
      return escaped ? 'escape' : 'inside';
    } finally {
      await pin.close();
    }
  } catch {
    return 'rejected';
  }
}
