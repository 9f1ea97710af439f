/**
 * The pin for systems without descriptors that can be asked where they are: the path is resolved, opened without
 * following a last link, resolved again, and the identity of what was opened is compared with what was checked, a
 * dozen times over. A swap would have to hit every one of these moments, which is unlikely and not impossible: best
 * effort.
 */
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HostError } from '../../core/errors.js';
import type { FilePin, FolderPin, Pinner, PinHooks } from './pin.js';

/**
 * A swapper that is right by chance in half of all moments passes a round of two in one of four. Three rounds were not
 * enough against one that swaps faster than we look.
 */
const ROUNDS = 12;

// Windows has none of these; its constants are undefined there, whatever the types say.
const flag = (name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY'): number =>
  (constants as Partial<Record<string, number>>)[name] ?? 0;

/** The portable pinner. */
export function portablePinner(hooks: PinHooks = {}): Pinner {
  return {
    strength: 'best effort',
    file: (path, follow) => pinFile(path, follow, hooks),
    folder: (path, follow) => pinFolder(path, follow, hooks),
  };
}

async function resolve(path: string, follow: boolean): Promise<string> {
  return follow ? realpath(path) : join(await realpath(dirname(path)), basename(path));
}

async function pinFile(path: string, follow: boolean, hooks: PinHooks): Promise<FilePin> {
  const canonical = await resolve(path, follow);
  await hooks.pinned?.(path);
  const stats = await lstat(canonical);
  return {
    canonical,
    stats,
    open: async () => {
      const handle = await open(
        canonical,
        constants.O_RDONLY | flag('O_NOFOLLOW') | flag('O_NONBLOCK') | flag('O_NOCTTY'),
      );
      try {
        await compare(handle, stats, canonical);
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}

async function compare(handle: FileHandle, stats: Stats, canonical: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const [opened, named, where] = [await handle.stat(), await lstat(canonical), await realpath(canonical)];
    if (where !== canonical || !isSame(opened, stats) || !isSame(named, stats)) {
      throw moved();
    }
  }
}

async function pinFolder(path: string, follow: boolean, hooks: PinHooks): Promise<FolderPin> {
  const canonical = await resolve(path, follow);
  await hooks.pinned?.(path);
  const stats = await lstat(canonical);
  if (!stats.isDirectory()) {
    throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  }
  return {
    canonical,
    at: (name) => join(canonical, name),
    above: (levels, name) => join(canonical, ...Array<string>(levels).fill('..'), name),
    where: async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const [named, where] = [await lstat(canonical), await realpath(canonical)];
        if (where !== canonical || !isSame(named, stats)) {
          throw moved();
        }
      }
      return canonical;
    },
    close: () => Promise.resolve(),
  };
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function moved(): HostError {
  return new HostError('moved', 'The file was moved while it was being opened.');
}
