import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../say.js';

/** Longest that a lock folder may stand without a pid in it: its owner died between the two calls. */
const OWNERLESS_MS = 5_000;

/**
 * Runs `work` while holding the lock folder `path`. Waits for a living holder, takes over from a dead one.
 * A folder is used because its creation either happens or fails, on every file system.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function acquire(path: string): Promise<void> {
  let told = false;
  let ownerlessSince: number | undefined;
  for (;;) {
    try {
      await mkdir(path);
      await writeFile(join(path, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    const pid = await ownerOf(path);
    ownerlessSince = pid === undefined ? (ownerlessSince ?? Date.now()) : undefined;
    const abandoned = pid === undefined ? Date.now() - (ownerlessSince ?? 0) > OWNERLESS_MS : !isAlive(pid);
    if (abandoned) {
      await rm(path, { recursive: true, force: true });
      continue;
    }
    if (!told && pid !== undefined) {
      say(`Waiting for another set-up to finish (process ${pid}).`);
      told = true;
    }
    await delay(250);
  }
}

async function ownerOf(path: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(path, 'pid'), 'utf8').catch(() => ''));
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
