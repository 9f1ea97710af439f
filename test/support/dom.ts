/** A DOM for component tests, put in for one suite and taken out again, so that other suites see none. */
import { Window } from 'happy-dom';

const names = [
  'document',
  'HTMLElement',
  'Element',
  'Node',
  'Event',
  'CSS',
  'requestAnimationFrame',
  'cancelAnimationFrame',
] as const;

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Puts `window`, `document` and what the panel uses into the globals. Returns how to take them out. */
export function installDom(): { readonly window: Window; uninstall(): void } {
  const window = new Window({ url: 'https://panel.test/' });
  const globals = globalThis as Record<string, unknown>;
  const before = new Map<string, PropertyDescriptor | undefined>();
  const put = (name: string, value: unknown): void => {
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  };
  put('window', window);
  for (const name of names) {
    const value: unknown = (window as unknown as Record<string, unknown>)[name];
    put(name, typeof value === 'function' && !/^[A-Z]/.test(name) ? value.bind(window) : value);
  }
  put('ResizeObserver', NoObserver);
  put('requestIdleCallback', () => 0);
  return {
    window,
    uninstall() {
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) {
          Reflect.deleteProperty(globals, name);
        } else {
          Object.defineProperty(globalThis, name, descriptor);
        }
      }
      window.happyDOM.abort().catch(() => undefined);
    },
  };
}
