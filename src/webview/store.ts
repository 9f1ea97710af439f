import type { PanelState, ToHost, ToView } from '../core/messages.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { mergeEvents } from '../core/transcript/mergeEvents.js';
import { emptyTranscript, type Transcript } from '../core/transcript/model.js';
import { Escape } from './escape.js';

/** Everything the panel draws. Replaced as a whole; parts that did not change keep their identity. */
export type ViewState = {
  /** null until the first snapshot. */
  readonly panel: PanelState | null;
  readonly chat: number;
  readonly transcript: Transcript;
  /** Bodies that were fetched; null where the host no longer has one. */
  readonly bodies: ReadonlyMap<string, string | null>;
};

export type Reduce = (transcript: Transcript, event: SessionEvent) => Transcript;

export type Store = {
  readonly state: ViewState;
  /** Folds one message of the host at once; drawing waits for `schedule`. */
  receive(message: ToView): void;
  subscribe(listener: () => void): () => void;
  /** Asks the host for a body once; the answer arrives in `state.bodies`. */
  fetchBody(bodyId: string): void;
  post(message: ToHost): void;
  readonly escape: Escape;
};

/** Bodies kept in the view; the host keeps them all, so the oldest can be fetched again. */
const keptBodies = 64;

/**
 * The replica of the session. Batches are folded in order; a gap asks the host for a snapshot and everything is
 * dropped until it comes. Listeners are told at most once per call of `schedule`, the animation frame in the panel.
 */
export function createStore(
  reduce: Reduce,
  post: (message: ToHost) => void,
  schedule: (run: () => void) => void,
): Store {
  let state: ViewState = { panel: null, chat: -1, transcript: emptyTranscript, bodies: new Map() };
  let seq = 0;
  let waitingForSnapshot = true;
  let scheduled = false;
  const asked = new Set<string>();
  const listeners = new Set<() => void>();

  const update = (next: Partial<ViewState>): void => {
    state = { ...state, ...next };
    if (!scheduled) {
      scheduled = true;
      schedule(() => {
        scheduled = false;
        for (const listener of [...listeners]) {
          listener();
        }
      });
    }
  };

  const fold = (message: Extract<ToView, { type: 'events' }>): void => {
    if (waitingForSnapshot || message.chat !== state.chat) {
      return;
    }
    if (message.from !== seq) {
      waitingForSnapshot = true;
      post({ type: 'resync' });
      return;
    }
    seq += message.events.length;
    update({ transcript: mergeEvents(message.events).reduce(reduce, state.transcript) });
  };

  return {
    escape: new Escape(),
    get state() {
      return state;
    },
    post,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fetchBody(bodyId) {
      if (!asked.has(bodyId)) {
        asked.add(bodyId);
        post({ type: 'fetchBody', bodyId });
      }
    },
    receive(message) {
      switch (message.type) {
        case 'snapshot':
          seq = message.seq;
          waitingForSnapshot = false;
          update({ chat: message.chat, transcript: message.transcript, panel: message.panel });
          return;
        case 'events':
          fold(message);
          return;
        case 'panel':
          update({ panel: message.panel });
          return;
        case 'body': {
          const bodies = new Map(state.bodies).set(message.bodyId, message.text);
          const oldest = bodies.size > keptBodies ? bodies.keys().next().value : undefined;
          if (oldest !== undefined) {
            bodies.delete(oldest);
            asked.delete(oldest);
          }
          update({ bodies });
          return;
        }
        case 'reveal':
        case 'focusComposer':
        case 'setComposer':
          return;
      }
    },
  };
}
