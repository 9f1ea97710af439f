import type { Log } from '../agent/ports.js';
import { messageOf } from '../core/errors.js';
import type { EditsChoice } from '../core/messages.js';

/** A choice of how edits happen between the click and the moment the setting is written. */
export class ChoosingEdits {
  #choice: EditsChoice | null = null;
  #written: Promise<void> | null = null;

  constructor(
    private readonly write: (choice: EditsChoice) => Promise<void>,
    private readonly log: Log,
    private readonly changed: () => void,
  ) {}

  /** What was chosen, while it is being written. */
  get choice(): EditsChoice | null {
    return this.#choice;
  }

  /** Resolves when it is written, or could not be; null where nothing is being written. */
  get written(): Promise<void> | null {
    return this.#written;
  }

  choose(choice: EditsChoice): void {
    this.#choice = choice;
    this.#written = this.write(choice)
      .catch((error: unknown) => {
        this.log.warn(`The choice could not be written: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#choice = null;
        this.#written = null;
        this.changed();
      });
    this.changed();
  }
}
