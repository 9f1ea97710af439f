/**
 * A pinned place for one file. The text is written beside it under a temporary name and then takes the file's name in
 * one step, inside the pinned folder: a reader sees the old text or the new, a hard link keeps the old file, and a
 * name that was swapped for a link meanwhile is replaced instead of followed.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../core/errors.js';
import { codeOf, toHostError } from './facts.js';
import type { PathFacts } from './facts.js';
import type { FilePin, FolderPin, Pinner, PinHooks } from './pin.js';
import { sweepOnce } from './sweep.js';
import { encode, fit, readWhole } from './textFile.js';
import type { TextStyle } from './textFile.js';

type Parts = {
  readonly facts: PathFacts;
  readonly folder: FolderPin;
  /** Folders below `folder` that do not exist yet. */
  readonly missing: readonly string[];
  readonly base: string;
  readonly file: FilePin | undefined;
  readonly pinner: Pinner;
  readonly hooks: PinHooks;
};

/** Room for the temporary name's own parts below the 255 bytes that a name may have. */
const TEMPORARY_STEM = 64;

/** How long a temporary file's name is looked for, ms. A folder that keeps changing places is there half of the time. */
const TAKE_BACK_MS = 2_000;

export class WritePin {
  #folder: FolderPin;
  #missing: readonly string[];
  #file: FilePin | undefined;
  #seen: Stats | undefined;
  #style: TextStyle | undefined;

  constructor(private readonly parts: Parts) {
    this.#folder = parts.folder;
    this.#missing = parts.missing;
    this.#file = parts.file;
    this.#seen = parts.file?.stats;
  }

  get facts(): PathFacts {
    return this.parts.facts;
  }

  /** The file as it was when it was last looked at, or undefined where there was none. */
  get seen(): Stats | undefined {
    return this.#seen;
  }

  /**
   * The file's text now, null where there is none. What it sees is what a commit may replace.
   * @throws HostError tooLarge, binary, notUtf8, noAccess, moved
   */
  async current(): Promise<string | null> {
    try {
      await this.#look();
      if (this.#file === undefined) {
        this.#style = undefined;
        return null;
      }
      const handle = await this.#file.open();
      try {
        this.#seen = await handle.stat();
        const { text, style } = await readWhole(handle, this.#seen.size);
        this.#style = style;
        return text;
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw toHostError(error, this.facts.requested);
    }
  }

  /** The text that writing `content` leaves, by the line ends that the file had when `current` was last called. */
  fit(content: string): string {
    return fit(content, this.#style);
  }

  /**
   * Replaces the file, or makes it with the folders above it. Keeps mode bits and the byte order mark.
   * @throws HostError conflict where the file changed since `current`; moved, noAccess, io
   */
  async commit(text: string): Promise<void> {
    try {
      await this.#refuseReadOnly();
      await this.#makeFolders();
      const temporary = `.${stemOf(this.parts.base)}.acp-${randomBytes(8).toString('hex')}`;
      const handle = await this.#openTemporary(temporary);
      let placed = false;
      try {
        const written = await this.#fill(handle, text);
        await this.parts.hooks.written?.();
        await this.#refuseMoved();
        await this.#refuseChanged();
        await rename(this.#folder.at(temporary), this.#folder.at(this.parts.base));
        placed = true;
        this.#seen = written;
      } finally {
        if (!placed) {
          await this.#takeBack(handle, temporary);
        }
        await handle.close();
      }
      await sweepOnce(this.#folder);
    } catch (error) {
      throw toHostError(error, this.facts.requested);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#file?.close(), this.#folder.close()]);
    this.#file = undefined;
  }

  /** Pins the file anew: a person's editor may have replaced it by another of the same name. */
  async #look(): Promise<void> {
    await this.#refuseMoved();
    await this.#file?.close();
    this.#file = undefined;
    this.#seen = undefined;
    if (this.#missing.length > 0) {
      return;
    }
    try {
      this.#file = await this.parts.pinner.file(this.#folder.at(this.parts.base), false);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        return;
      }
      throw error;
    }
    if (!this.#file.stats.isFile()) {
      throw new HostError('moved', 'The file was replaced by something that is no file.');
    }
    this.#seen = this.#file.stats;
  }

  async #refuseMoved(): Promise<void> {
    const expected = join(this.facts.canonical, ...[...this.#missing, ''].map(() => '..'));
    if ((await this.#folder.where()) !== expected) {
      throw new HostError('moved', 'The folder was moved meanwhile.');
    }
  }

  /** Replacing a name needs no permission on the file itself, so that a read-only file would not be one. */
  async #refuseReadOnly(): Promise<void> {
    if (this.#seen === undefined) {
      return;
    }
    if ((this.#seen.mode & 0o222) === 0) {
      throw new HostError('noAccess', 'The file is read-only.');
    }
    await access(this.#folder.at(this.parts.base), constants.W_OK);
  }

  async #makeFolders(): Promise<void> {
    for (let name = this.#missing[0]; name !== undefined; name = this.#missing[0]) {
      await this.#refuseMoved();
      await mkdir(this.#folder.at(name)).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') {
          throw error;
        }
      });
      const next = await this.parts.pinner.folder(this.#folder.at(name), false);
      await this.#folder.close();
      this.#folder = next;
      this.#missing = this.#missing.slice(1);
    }
  }

  async #openTemporary(temporary: string): Promise<FileHandle> {
    const noFollow = (constants as Partial<Record<string, number>>)['O_NOFOLLOW'] ?? 0;
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
    return open(this.#folder.at(temporary), flags, this.#seen ? 0o600 : 0o666);
  }

  async #fill(handle: FileHandle, text: string): Promise<Stats> {
    // The portable pin may have made it elsewhere: no byte of text goes there.
    await this.#refuseMoved();
    await handle.writeFile(encode(text, this.#style));
    if (this.#seen !== undefined) {
      const { uid, gid, mode } = this.#seen;
      const own = await handle.stat();
      if (own.uid !== uid || own.gid !== gid) {
        await handle.chown(uid, gid).catch(() => undefined);
      }
      await handle.chmod(mode & 0o777);
    }
    await handle.sync();
    return handle.stat();
  }

  /**
   * Empties the temporary file and removes its name. With the portable pin the folder may have been swapped away, and
   * may come back: the handle tells when the name is really gone.
   */
  async #takeBack(handle: FileHandle, temporary: string): Promise<void> {
    try {
      await handle.truncate();
      const end = Date.now() + TAKE_BACK_MS;
      for (;;) {
        await unlink(this.#folder.at(temporary)).catch(() => undefined);
        if ((await handle.stat()).nlink === 0 || Date.now() >= end) {
          return;
        }
        await delay(1);
      }
    } catch {
      // What made the write fail is told; that its empty file stays is not worth another error.
    }
  }

  /** The name must still stand for the file whose text was last looked at. */
  async #refuseChanged(): Promise<void> {
    const now = await lstat(this.#folder.at(this.parts.base)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') {
        return undefined;
      }
      throw error;
    });
    const seen = this.#seen;
    const same =
      now === undefined || seen === undefined
        ? now === seen
        : now.ino === seen.ino && now.dev === seen.dev && now.size === seen.size && now.mtimeMs === seen.mtimeMs;
    if (!same) {
      throw new HostError('conflict', 'The file changed while it was being written.');
    }
  }
}

function stemOf(name: string): string {
  return Buffer.from(name).subarray(0, TEMPORARY_STEM).toString('utf8').replaceAll('\ufffd', '');
}
