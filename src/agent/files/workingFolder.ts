import { HostError } from '../../core/errors.js';
import type { FolderPin } from './pin.js';

/** A folder for a command, held open until it is closed. */
export interface WorkingFolder {
  readonly canonical: string;
  /** For the `cwd` of a spawn: leads to the pinned folder where the platform can. */
  readonly path: string;
  /** @throws HostError moved */
  refuseMoved(): Promise<void>;
  close(): Promise<void>;
}

/** A working folder over a pin, which it closes. */
export function workingFolder(pin: FolderPin): WorkingFolder {
  const { canonical } = pin;
  return {
    canonical,
    path: pin.at('.'),
    refuseMoved: async () => {
      if ((await pin.where().catch(() => undefined)) !== canonical) {
        throw new HostError('moved', 'The folder was moved or replaced meanwhile.');
      }
    },
    close: () => pin.close(),
  };
}
