import { render } from 'preact';
import type { ToView } from '../core/messages.js';
import { reduce } from '../core/transcript/reduce.js';
import { App } from './app.js';
import { composerInput, revealApproval } from './approval/focus.js';
import { connectBridge } from './bridge.js';
import { createDraft } from './composer/draft.js';
import { fillComposer } from './composer/composerText.js';
import { isSelectAllInField } from './composer/keys.js';
import { createStore } from './store.js';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('The page has no root.');
}

const bridge = connectBridge();
const store = createStore(
  reduce,
  (message) => bridge.post(message),
  (run) => requestAnimationFrame(run),
);
const draft = createDraft(bridge, () => store.state.chat);

document.addEventListener('keydown', (event) => {
  if (isSelectAllInField(event)) {
    event.stopPropagation();
  }
});

/** The host's draft belongs to the chat; the view's own is newer where the host did not hear of the last keys. */
function initialDraft(): string {
  const memory = bridge.recall();
  return memory?.chat === store.state.chat && memory.draft !== '' ? memory.draft : (store.state.panel?.draft ?? '');
}

function handle(message: ToView): void {
  store.receive(message);
  switch (message.type) {
    // These act on elements, which the message before may only have made necessary: they are drawn in this frame.
    case 'focusComposer':
      requestAnimationFrame(() => composerInput()?.focus());
      return;
    case 'setComposer':
      requestAnimationFrame(() => fillComposer(message.text));
      return;
    case 'reveal':
      requestAnimationFrame(() => reveal(message));
      return;
    case 'snapshot':
    case 'events':
    case 'panel':
    case 'body':
      return;
  }
}

function reveal({ approvalId, toolCallId }: Extract<ToView, { type: 'reveal' }>): void {
  if (approvalId !== undefined) {
    revealApproval(approvalId);
  } else if (toolCallId !== undefined) {
    revealTool(toolCallId);
  }
}

function revealTool(toolCallId: string): void {
  const found = document.querySelectorAll<HTMLElement>(`[data-tool-call-id="${CSS.escape(toolCallId)}"]`);
  const entry = [...found].at(-1);
  entry?.scrollIntoView({ block: 'nearest' });
  entry?.focus({ preventScroll: true });
}

render(<App store={store} draft={draft} initialDraft={initialDraft} />, root);
bridge.onMessage(handle);
for (const event of ['pagehide', 'blur'] as const) {
  window.addEventListener(event, () => draft.flush());
}
// VS Code gives a view the focus as a whole; the person means the text box.
window.addEventListener('focus', () => {
  if (document.activeElement === null || document.activeElement === document.body) {
    composerInput()?.focus();
  }
});
bridge.post({ type: 'ready' });
