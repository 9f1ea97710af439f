/**
 * Feeds one webview: a snapshot when it says `ready`, then at most one message of events per frame. Nothing is sent to
 * a view that is hidden; when it is shown again its page is new and says `ready` itself.
 */
import type { Disposable } from '../agent/ports.js';
import type { PanelState, ToView } from '../core/messages.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { mergeEvents } from '../core/transcript/mergeEvents.js';
import type { Transcript } from '../core/transcript/model.js';
import { Disposables } from './emitter.js';

const frameMs = 16;
/** A nudge is for the view that opens now, not for one that opens in an hour. */
const keptNudges = 8;

/** What a view shows. */
export interface ViewSource {
  readonly chat: number;
  readonly transcript: Transcript;
  panel(surface: 'sidebar' | 'editor'): PanelState;
  onEvent(listener: (event: SessionEvent) => void): Disposable;
  onReset(listener: () => void): Disposable;
  onDidChange(listener: () => void): Disposable;
}

export interface ViewPort {
  readonly surface: 'sidebar' | 'editor';
  readonly visible: boolean;
  /** Resolves when the message was handed over; a false answer means that it was not. */
  post(message: ToView): PromiseLike<boolean>;
}

export class ViewChannel implements Disposable {
  #live = false;
  /** Number of events the view has folded, by its own count. */
  #seq = 0;
  #events: SessionEvent[] = [];
  #panelChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #posting = false;
  #nudges: ToView[] = [];
  readonly #bound = new Disposables();

  constructor(
    private readonly source: ViewSource,
    private readonly port: ViewPort,
  ) {
    this.#bound.add(
      source.onEvent((event) => {
        if (this.#live) {
          this.#events.push(event);
          this.#schedule();
        }
      }),
    );
    this.#bound.add(
      source.onReset(() => {
        if (this.#live) {
          this.#snapshot();
        }
      }),
    );
    this.#bound.add(
      source.onDidChange(() => {
        this.#panelChanged = true;
        this.#schedule();
      }),
    );
  }

  /** The view is there and empty, or lost the thread. */
  ready(): void {
    this.#live = true;
    this.#snapshot();
    for (const nudge of this.#nudges.splice(0)) {
      this.#send(nudge);
    }
  }

  /** The view went out of sight: its page ends, and what it knew with it. */
  hidden(): void {
    this.#live = false;
    this.#events = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Sends a message once the view is there. */
  nudge(message: ToView): void {
    if (this.#live && this.port.visible) {
      this.#flush();
      this.#send(message);
      return;
    }
    this.#nudges = [...this.#nudges, message].slice(-keptNudges);
  }

  dispose(): void {
    this.hidden();
    this.#bound.dispose();
  }

  #snapshot(): void {
    const { chat, transcript } = this.source;
    this.#events = [];
    this.#panelChanged = false;
    this.#seq = 0;
    this.#send({ type: 'snapshot', chat, seq: 0, transcript, panel: this.source.panel(this.port.surface) });
  }

  #schedule(): void {
    if (this.#live && this.#timer === undefined && !this.#posting) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#flush();
      }, frameMs);
    }
  }

  #flush(): void {
    if (!this.#live || !this.port.visible) {
      return;
    }
    if (this.#events.length > 0) {
      const events = mergeEvents(this.#events);
      const from = this.#seq;
      this.#events = [];
      this.#seq += events.length;
      this.#posting = true;
      // The next batch waits until this one was taken over: a slow view gets larger batches and no longer queue.
      this.#send({ type: 'events', chat: this.source.chat, from, events }, () => {
        this.#posting = false;
        if (this.#events.length > 0 || this.#panelChanged) {
          this.#schedule();
        }
      });
    }
    if (this.#panelChanged) {
      this.#panelChanged = false;
      this.#send({ type: 'panel', panel: this.source.panel(this.port.surface) });
    }
  }

  #send(message: ToView, done?: () => void): void {
    const after = done ?? ((): void => undefined);
    this.port.post(message).then(after, after);
  }
}
