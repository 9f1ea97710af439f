import type { Bridge } from '../bridge.js';

/** The host hears of a draft this long after the last key, ms, and at once when the panel may go away. */
const idleMs = 250;

export type Draft = {
  /** Notes the text of the composer. */
  note(text: string): void;
  /** Tells the host what was noted, now. */
  flush(): void;
};

/** Keeps the text of the composer in the view's state and at the host, so that nothing typed is ever lost. */
export function createDraft(bridge: Pick<Bridge, 'post' | 'remember'>, chat: () => number): Draft {
  let pending: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (pending !== null) {
      const text = pending;
      pending = null;
      bridge.post({ type: 'draft', text });
    }
  };
  return {
    flush,
    note(text) {
      pending = text;
      // At once: a view that is hidden ends before anything that waits, and what it posts then may not arrive.
      bridge.remember({ chat: chat(), draft: text });
      clearTimeout(timer);
      timer = setTimeout(flush, idleMs);
    },
  };
}
