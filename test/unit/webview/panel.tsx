/** Mounts the whole panel in happy-dom, for tests that press its buttons. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { PanelState, ToHost } from '../../../src/core/messages.js';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { App } from '../../../src/webview/app.js';
import { createDraft } from '../../../src/webview/composer/draft.js';
import { createStore } from '../../../src/webview/store.js';
import { installDom } from '../../support/dom.js';
import { panel as defaultPanel } from '../../support/webviewPreview/parts.js';

/** `code229`: the old key code by which some input methods say that the key is theirs. */
export type KeyInit = { readonly isComposing?: boolean; readonly shiftKey?: boolean; readonly code229?: boolean };

export type MountedPanel = {
  readonly posted: ToHost[];
  find(selector: string): HTMLElement;
  all(selector: string): HTMLElement[];
  /** Sends events as the host would, and draws. */
  send(...events: SessionEvent[]): Promise<void>;
  panel(next: PanelState): Promise<void>;
  click(selector: string): Promise<void>;
  key(selector: string, key: string, init?: KeyInit): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Lets one frame pass. */
  frame(): Promise<void>;
  unmount(): Promise<void>;
};

/** Resolves when nothing is left to draw. */
export async function mountPanel(
  panel: PanelState = defaultPanel,
  events: readonly SessionEvent[] = [],
): Promise<MountedPanel> {
  const dom = installDom();
  const root = document.createElement('div');
  document.body.append(root);
  const posted: ToHost[] = [];
  const store = createStore(
    reduce,
    (message) => posted.push(message),
    (run) => run(),
  );
  const draft = createDraft({ post: (message) => posted.push(message), remember: () => undefined }, () => 1);
  let seq = 0;
  const find = (selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector);
    if (found === null) {
      throw new Error(`Nothing matches ${selector} in ${root.textContent}`);
    }
    return found;
  };
  const send = (...list: SessionEvent[]): Promise<void> =>
    act(() => {
      store.receive({ type: 'events', chat: 1, from: seq, events: list });
      seq += list.length;
    });
  await act(() => {
    render(<App store={store} draft={draft} initialDraft={() => ''} />, root);
    store.receive({ type: 'snapshot', chat: 1, seq: 0, transcript: emptyTranscript, panel });
  });
  await send(...events);
  return {
    posted,
    find,
    send,
    all: (selector) => [...root.querySelectorAll<HTMLElement>(selector)],
    panel: (next) => act(() => store.receive({ type: 'panel', panel: next })),
    click: (selector) => act(() => find(selector).click()),
    key: (selector, key, init = {}) =>
      act(() => {
        const { code229, ...rest } = init;
        const event = new dom.window.KeyboardEvent('keydown', {
          key,
          bubbles: true,
          cancelable: true,
          ...(rest as object),
        });
        Object.defineProperty(event, 'keyCode', { value: code229 === true ? 229 : 0 });
        find(selector).dispatchEvent(event as unknown as Event);
      }),
    type: (selector, text) =>
      act(() => {
        const input = find(selector) as HTMLTextAreaElement;
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    frame: () =>
      act(async () => {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }),
    async unmount() {
      await act(() => render(null, root));
      draft.flush();
      dom.uninstall();
    },
  };
}
