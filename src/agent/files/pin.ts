/**
 * Pins: handles to the very file or folder that was checked, so that what is used later is what was judged. A backend
 * makes them with what its platform offers; everything above it (`jail.ts`) is the same for all.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** `kernel`: no swap of a name between check and use can lead elsewhere. `best effort`: it would have to be lucky. */
export type PinStrength = 'kernel' | 'best effort';

export interface FilePin {
  /** Where the file really is, without links. */
  readonly canonical: string;
  readonly stats: Stats;
  /** Opens the pinned file for reading. Only for regular files: opening a FIFO would block, a device may act. */
  open(): Promise<FileHandle>;
  close(): Promise<void>;
}

export interface FolderPin {
  readonly canonical: string;
  /** A path by which the system calls reach `name` in this folder. `name` is one component. */
  at(name: string): string;
  /** A path to the folder `levels` above, by the file system's own parents. */
  above(levels: number, name: string): string;
  /** Where the folder is now: it may have been moved since it was pinned. */
  where(): Promise<string>;
  close(): Promise<void>;
}

export interface Pinner {
  readonly strength: PinStrength;
  /** Pins what a path leads to. Rejects with the system's error. `follow: false` pins a link itself. */
  file(path: string, follow: boolean): Promise<FilePin>;
  folder(path: string, follow: boolean): Promise<FolderPin>;
}

/** Moments at which a test may change the tree under the jail. */
export type PinHooks = {
  /** A path was opened or resolved, and nothing was checked yet. */
  readonly pinned?: (path: string) => Promise<void> | void;
  /** The temporary file is complete, and the name not yet replaced. */
  readonly written?: () => Promise<void> | void;
};
