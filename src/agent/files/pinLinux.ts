/**
 * The race-free pin of Linux. A path is opened once with `O_PATH`, which follows links and has no side effect even on
 * a FIFO or a device; then the kernel is asked where that descriptor is (`/proc/self/fd/N`), and everything after goes
 * through the descriptor. Swapping names in between changes nothing.
 */
import { constants } from 'node:fs';
import { open, readlink, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FilePin, FolderPin, Pinner, PinHooks } from './pin.js';

// Not in Node's constants.
const O_PATH = 0x200000;

const viaFd = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`;

/**
 * The Linux pinner, or undefined where `/proc` does not tell the truth about descriptors: not mounted, another
 * namespace, a sandbox. `root` is a folder that exists.
 */
export async function linuxPinner(root: string, hooks: PinHooks = {}): Promise<Pinner | undefined> {
  const pinner: Pinner = {
    strength: 'kernel',
    file: (path, follow) => pinFile(path, follow, hooks),
    folder: (path, follow) => pinFolder(path, follow, hooks),
  };
  try {
    return (await tellsTheTruth(root)) ? pinner : undefined;
  } catch {
    return undefined;
  }
}

async function tellsTheTruth(root: string): Promise<boolean> {
  const handle = await open(root, O_PATH | constants.O_DIRECTORY);
  try {
    const [own, through, where] = await Promise.all([
      handle.stat(),
      stat(`${viaFd(handle)}/.`),
      readlink(viaFd(handle)),
    ]);
    const named = await stat(where);
    return own.ino === through.ino && own.dev === through.dev && own.ino === named.ino && own.dev === named.dev;
  } finally {
    await handle.close();
  }
}

async function pinFile(path: string, follow: boolean, hooks: PinHooks): Promise<FilePin> {
  const handle = await open(path, O_PATH | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    await hooks.pinned?.(path);
    const stats = await handle.stat();
    const canonical = await readlink(viaFd(handle));
    return {
      canonical,
      stats,
      open: () => open(viaFd(handle), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function pinFolder(path: string, follow: boolean, hooks: PinHooks): Promise<FolderPin> {
  const handle = await open(path, O_PATH | constants.O_DIRECTORY | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    await hooks.pinned?.(path);
    return {
      canonical: await readlink(viaFd(handle)),
      at: (name) => `${viaFd(handle)}/${name}`,
      above: (levels, name) => `${viaFd(handle)}/${'../'.repeat(levels)}${name}`,
      where: () => readlink(viaFd(handle)),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
