import type { VNode } from 'preact';
import type { NoticeAction } from '../../core/transcript/model.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon } from '../icon.js';
import type { ViewState } from '../store.js';
import { fillComposer } from '../composer/composerText.js';
import { Consent, OldDialog } from './consent.js';

/** Nothing was said yet, and nothing waits for an answer. */
export function wantsEmptyState({ transcript }: ViewState): boolean {
  return transcript.count === 0 && transcript.approvals.length === 0;
}

const suggestions = [
  { icon: 'book', text: 'Explain how this project is built' },
  { icon: 'bug', text: 'Fix the problems in the file I have open' },
  { icon: 'beaker', text: 'Write tests for the file I have open' },
];

/** Before the first prompt: what is missing for one, then the agent, the question, and something to try. */
export function EmptyState(): VNode | null {
  const panel = useSelect((state) => state.panel);
  if (panel === null) {
    return null;
  }
  if (panel.folder === null) {
    return <Missing text="Open a folder: an agent works inside one." label="Open Folder" action="openFolder" />;
  }
  if (!panel.trusted) {
    return <Missing text="This folder is not trusted, so no agent starts." label="Manage Trust" action="manageTrust" />;
  }
  return (
    <div class="start">
      <AgentChoice folder={panel.folder.name} />
      <Consent whenEmpty />
      {panel.agent !== null && <Suggestions />}
      <OldDialog />
    </div>
  );
}

function Missing(props: { readonly text: string; readonly label: string; readonly action: NoticeAction }): VNode {
  const store = useStore();
  return (
    <div class="start">
      <p>{props.text}</p>
      <div>
        <button
          type="button"
          class="btn main"
          onClick={() => store.post({ type: 'act', entryId: 'panel', action: props.action })}
        >
          {props.label}
        </button>
      </div>
    </div>
  );
}

function AgentChoice(props: { readonly folder: string }): VNode {
  const store = useStore();
  const agents = useSelect((state) => state.panel?.agents);
  const chosen = useSelect((state) => state.panel?.agent ?? null);
  return (
    <section aria-labelledby="choose-agent">
      <h2 id="choose-agent">Choose an agent for {props.folder}</h2>
      <div class="list" role="radiogroup" aria-labelledby="choose-agent">
        {(agents ?? []).map((agent) => (
          <button
            type="button"
            key={agent.name}
            class={agent.name === chosen ? 'li sel' : 'li'}
            role="radio"
            aria-checked={agent.name === chosen}
            onClick={() => store.post({ type: 'selectAgent', name: agent.name })}
          >
            <Icon name={agent.name === chosen ? 'pass-filled' : 'circle-large'} />
            <span class="cut">
              {agent.name} <small>{agent.detail}</small>
            </span>
            <small>{agent.note}</small>
          </button>
        ))}
      </div>
      <div class="list">
        <button type="button" class="li" onClick={() => store.post({ type: 'addAgent' })}>
          <Icon name="add" />
          <span class="cut">Add Agent…</span>
        </button>
      </div>
    </section>
  );
}

function Suggestions(): VNode {
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try</h3>
      <div class="list">
        {suggestions.map(({ icon, text }) => (
          <button type="button" class="li" key={text} onClick={() => fillComposer(text)}>
            <Icon name={icon} />
            <span>{text}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
