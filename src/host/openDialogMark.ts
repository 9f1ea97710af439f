import type { Memory } from './chat.js';
import { stateKeys } from './ids.js';

/**
 * Remembers that a modal dialog is open. VS Code leaves a dialog standing when the extension host restarts: its answer
 * goes nowhere, and new dialogs wait behind it. A reload of the window closes it, and gives the window another id.
 */
export class OpenDialogMark {
  #leftOpen: boolean;

  constructor(
    private readonly memory: Memory,
    private readonly windowId: string,
  ) {
    const open = memory.get(stateKeys.dialog);
    this.#leftOpen = isOpen(open) && open.window === windowId;
  }

  /** A dialog of an earlier extension host may still be open. */
  get leftOpen(): boolean {
    return this.#leftOpen;
  }

  /** A dialog of ours opened, or was closed: then the old one is gone too, since dialogs come one after the other. */
  set(open: boolean): void {
    if (!open) {
      this.#leftOpen = false;
    }
    this.memory.set(stateKeys.dialog, open ? { window: this.windowId } : undefined);
  }
}

function isOpen(value: unknown): value is { readonly window: string } {
  return typeof value === 'object' && value !== null && 'window' in value && typeof value.window === 'string';
}
