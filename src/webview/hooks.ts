import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { inlineText, type Text } from '../core/transcript/model.js';
import type { Store, ViewState } from './store.js';

const StoreContext = createContext<Store | null>(null);

/** Gives the components below it their store. */
export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) {
    throw new Error('No store above this component.');
  }
  return store;
}

/**
 * A part of the state. The component renders again only when the part is another value (`Object.is`), so a selector
 * must return something that keeps its identity: a field, an element, a string or a number.
 */
export function useSelect<T>(select: (state: ViewState) => T): T {
  const store = useStore();
  const [, render] = useState(0);
  const value = select(store.state);
  const latest = useRef({ select, value });
  latest.current = { select, value };
  useLayoutEffect(() => {
    const check = (): void => {
      const { select: current, value: drawn } = latest.current;
      if (!Object.is(current(store.state), drawn)) {
        render((n) => n + 1);
      }
    };
    check();
    return store.subscribe(check);
  }, [store]);
  return value;
}

/** The whole of a text once it is here; the part that is inline until then. Fetches when `wanted`. */
export function useText(text: Text, wanted: boolean): { readonly text: string; readonly whole: boolean } {
  const store = useStore();
  const bodyId = typeof text === 'string' ? null : text.bodyId;
  const body = useSelect((state) => (bodyId === null ? undefined : state.bodies.get(bodyId)));
  useEffect(() => {
    if (wanted && bodyId !== null && body === undefined) {
      store.fetchBody(bodyId);
    }
  }, [store, wanted, bodyId, body]);
  if (bodyId === null) {
    return { text: inlineText(text), whole: true };
  }
  return typeof body === 'string' ? { text: body, whole: true } : { text: inlineText(text), whole: false };
}

const tickers = new Set<() => void>();
let interval: ReturnType<typeof setInterval> | undefined;

/** The time in ms; while `running`, renders again each second. All clocks of the panel share one timer. */
export function useNow(running: boolean): number {
  const [, render] = useState(0);
  useEffect(() => {
    if (!running) {
      return undefined;
    }
    const tick = (): void => render((n) => n + 1);
    tickers.add(tick);
    interval ??= setInterval(() => tickers.forEach((run) => run()), 1000);
    return () => {
      tickers.delete(tick);
      if (tickers.size === 0) {
        clearInterval(interval);
        interval = undefined;
      }
    };
  }, [running]);
  return Date.now();
}
