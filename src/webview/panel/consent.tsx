import type { VNode } from 'preact';
import { composerInput } from '../approval/focus.js';
import { agentName } from '../entries/context.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon } from '../icon.js';
import { Tag } from '../tools/tags.js';

/**
 * The question before the first start. It stands in the empty state, and after the entries where there are some, so
 * that it can always be answered. Not answering it counts as `off` on the host's side.
 */
export function Consent(props: { readonly whenEmpty: boolean }): VNode | null {
  const store = useStore();
  const asks = useSelect(
    ({ panel }) =>
      panel !== null && panel.edits === 'unset' && panel.agent !== null && panel.trusted && panel.folder !== null,
  );
  const agent = useSelect((state) => agentName(state.panel));
  const folder = useSelect((state) => state.panel?.folder?.name ?? 'the folder');
  if (!asks) {
    return null;
  }
  const choose = (choice: 'ask' | 'off') => (): void => {
    store.post({ type: 'chooseEdits', choice });
    // The question goes, and what was typed before it waits to be sent.
    composerInput()?.focus();
  };
  return (
    <section
      class={props.whenEmpty ? 'ask' : 'ask late'}
      data-testid="consent"
      role="group"
      aria-labelledby="consent-question"
    >
      <h3 id="consent-question">How may {agent} edit files?</h3>
      <button type="button" class="choice" data-testid="consent-ask" onClick={choose('ask')}>
        <Icon name="shield" />
        <span>
          Through VS Code <Tag text="Recommended" why="You see every edit before it happens." />
        </span>
        <small>
          You see each edit as a diff and allow it. Undo works. Only files in {folder}. Edits that {agent} makes with
          its own tools are marked.
        </small>
      </button>
      <button type="button" class="choice" data-testid="consent-off" onClick={choose('off')}>
        <Icon name="unlock" />
        <span>By itself</span>
        <small>
          VS Code writes nothing for {agent}. {agent} may still write to disk with its own tools, and this window cannot
          stop it. You see the changes afterwards.
        </small>
      </button>
      <p>{agent} starts after you choose. You can change this later with the shield above.</p>
    </section>
  );
}

/** A modal of an extension host that is gone cannot be closed from here. */
export function OldDialog(): VNode | null {
  const open = useSelect((state) => state.panel?.oldDialog === true);
  return open ? (
    <section class="notice soft">
      <Icon name="info" />
      <div>An old dialog may still be open. Close it; its buttons do nothing.</div>
    </section>
  ) : null;
}
