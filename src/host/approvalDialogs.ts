/**
 * One modal dialog at a time, over all sessions, as a view of the queue in `Approvals`. A dialog never owns a request:
 * what is answered elsewhere meanwhile is answered, and a late click says so. The next dialog opens when the request
 * of the last one is settled, by whatever hand.
 */
import type { Approvals, PendingApproval } from '../agent/approvals.js';
import type { Disposable } from '../agent/ports.js';
import { dialogText, type DialogButton, type DialogContext, type DialogText } from './dialogText.js';
import { Disposables } from './emitter.js';

/** Nothing opens this long after a key in our composer: a key in flight must not answer a dialog. Milliseconds. */
export const typingPauseMs = 1000;

export type DialogPorts = {
  readonly approvals: Approvals;
  /** Shows a modal dialog. `notNow` also for Escape and for a dialog that could not be shown. */
  readonly show: (text: DialogText) => PromiseLike<DialogButton>;
  /** Tells of a click that came too late. */
  readonly tell: (message: string) => void;
  /** Shows the card of a request and its diff. */
  readonly review: (approvalId: string) => void;
  /** Shows the card of a request that was put off. */
  readonly reveal: (approvalId: string) => void;
  /** What the text of a dialog needs to know of the folder. */
  readonly folder: () => Pick<DialogContext, 'folder' | 'roots'>;
  readonly wanted: () => boolean;
  /** Whether a dialog stands open now; a restart of the extension host leaves it behind. */
  readonly remember: (open: boolean) => void;
  readonly now: () => number;
};

export class ApprovalDialogs implements Disposable {
  /** The request of the last dialog, until it is settled. */
  #current: string | null = null;
  #open = false;
  #typedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;
  readonly #owned = new Disposables();

  constructor(private readonly ports: DialogPorts) {
    this.#owned.add(
      ports.approvals.onDidChange(() => {
        this.pump();
      }),
    );
  }

  /** A key was typed in the composer. */
  typed(): void {
    this.#typedAt = this.ports.now();
  }

  /** Opens the next dialog if there is a request for it, none is open, and nobody types. */
  pump(): void {
    const { approvals, wanted, now } = this.ports;
    if (this.#disposed || this.#open || !wanted()) {
      return;
    }
    if (this.#current !== null && approvals.find(this.#current) !== undefined) {
      return;
    }
    const next = approvals.pending[0];
    // What is still being looked into may be answered without a person, and is told of when it is ready.
    if (next === undefined || next.approval.preparing === true) {
      return;
    }
    clearTimeout(this.#timer);
    const wait = this.#typedAt + typingPauseMs - now();
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.pump();
      }, wait);
      return;
    }
    void this.#ask(next);
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  async #ask({ approval, owner }: PendingApproval): Promise<void> {
    const { ports } = this;
    const { approvalId } = approval;
    const behind = ports.approvals.pending.length - 1;
    this.#current = approvalId;
    this.#setOpen(true);
    let button: DialogButton = 'notNow';
    try {
      button = await ports.show(dialogText(approval, { agent: owner.agentName, ...ports.folder(), behind }));
    } finally {
      this.#setOpen(false);
      this.#answer(approvalId, button, owner.agentName);
      this.pump();
    }
  }

  #answer(approvalId: string, button: DialogButton, agent: string): void {
    const { approvals, review, reveal, tell } = this.ports;
    const waits = approvals.find(approvalId) !== undefined;
    if (this.#disposed || (button === 'notNow' && !waits)) {
      return;
    }
    const done =
      waits &&
      {
        review: () => (review(approvalId), true),
        allow: () => approvals.decide(approvalId, 'allow_once'),
        deny: () => approvals.decide(approvalId, 'reject_once'),
        notNow: () => (reveal(approvalId), true),
      }[button]();
    if (!done) {
      tell(`${agent} no longer needs this. Nothing was done.`);
    }
  }

  #setOpen(open: boolean): void {
    this.#open = open;
    this.ports.remember(open);
  }
}
