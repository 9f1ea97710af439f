/** The one place that talks to the extension host. Everything that leaves the view is a `ToHost`. */
import type { ToHost, ToView } from '../core/messages.js';

type VsCodeApi = {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: ViewMemory): void;
};

/** What survives a reload of this webview: the text in the composer and the chat that it belongs to. */
export type ViewMemory = { readonly chat: number; readonly draft: string };

export type Bridge = {
  post(message: ToHost): void;
  /** Calls `listener` with every message of the host, in order. */
  onMessage(listener: (message: ToView) => void): void;
  recall(): ViewMemory | null;
  remember(memory: ViewMemory): void;
};

declare function acquireVsCodeApi(): VsCodeApi;

/** Connects to VS Code. May be called once in the life of a page. */
export function connectBridge(): Bridge {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    onMessage(listener) {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        // VS Code relays only the extension host's messages to this frame; a frame of our own could not be made.
        if (isMessage(event.data)) {
          listener(event.data);
        }
      });
    },
    recall() {
      const state = api.getState();
      return isMemory(state) ? state : null;
    },
    remember: (memory) => api.setState(memory),
  };
}

function isMessage(data: unknown): data is ToView {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

function isMemory(state: unknown): state is ViewMemory {
  return (
    typeof state === 'object' &&
    state !== null &&
    'chat' in state &&
    typeof state.chat === 'number' &&
    'draft' in state &&
    typeof state.draft === 'string'
  );
}
