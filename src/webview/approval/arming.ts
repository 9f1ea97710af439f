import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A button that moved under the pointer, or that came up under a finger in flight, takes no answer this long, ms. */
export const armAfter = 500;

/** What can move a card: the scroller and what grows in it. Told apart from time, so that nothing has to poll. */
export type Surroundings = {
  /** Calls `check` whenever something may have moved. */
  watch(check: () => void): () => void;
};

/**
 * True once the buttons in `bar` have stood still for `armAfter`. Appearing counts as a move, and so does every later
 * change of the place on screen.
 */
export function useArming(bar: RefObject<HTMLElement | null>, surroundings: Surroundings): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let place = placeOf(bar.current);
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      setArmed(false);
      clearTimeout(timer);
      timer = setTimeout(() => setArmed(true), armAfter);
    };
    timer = setTimeout(() => setArmed(true), armAfter);
    const unwatch = surroundings.watch(() => {
      const now = placeOf(bar.current);
      if (now !== place) {
        place = now;
        arm();
      }
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [bar, surroundings]);
  return armed;
}

function placeOf(element: HTMLElement | null): string {
  const rect = element?.getBoundingClientRect();
  return rect === undefined ? '' : `${Math.round(rect.left)} ${Math.round(rect.top)}`;
}

/** Scrolling, resizing and growing of everything round the cards. */
export const pageSurroundings: Surroundings = {
  watch(check) {
    const observer = new ResizeObserver(check);
    for (const element of document.querySelectorAll('.scroll, .flow, .bottom')) {
      observer.observe(element);
    }
    document.addEventListener('scroll', check, { capture: true, passive: true });
    window.addEventListener('resize', check);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', check, { capture: true });
      window.removeEventListener('resize', check);
    };
  },
};
