/** What a write of ours left behind when its process was killed in the middle. */
import { lstat, readdir, unlink } from 'node:fs/promises';
import type { FolderPin } from './pin.js';

const temporary = /^\..{0,64}\.acp-[0-9a-f]{16}$/s;
/** A write takes milliseconds; after this long nobody is at work on it. */
const oldMs = 3_600_000;
const mostRemoved = 100;
const mostFolders = 10_000;

/** Folders that were looked at by this process. */
const swept = new Set<string>();

/**
 * Removes temporary files of earlier writes from a pinned folder, once in the life of this process. Only ordinary files
 * with a name of that form that are older than an hour. Never rejects.
 */
export async function sweepOnce(folder: FolderPin, now = Date.now()): Promise<void> {
  if (swept.has(folder.canonical) || swept.size >= mostFolders) {
    return;
  }
  swept.add(folder.canonical);
  try {
    const names = (await readdir(folder.at('.'))).filter((name) => temporary.test(name)).slice(0, mostRemoved);
    for (const name of names) {
      const stats = await lstat(folder.at(name));
      if (stats.isFile() && now - stats.mtimeMs > oldMs) {
        await unlink(folder.at(name));
      }
    }
  } catch {
    // It is no part of the write that was asked for.
  }
}
