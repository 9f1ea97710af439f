import type { VNode } from 'preact';
import { stripControls } from '../../core/text/visible.js';
import { present } from '../../core/transcript/fields.js';
import { agentName } from '../entries/context.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import type { ViewState } from '../store.js';
import { editsTrust, modeTrust } from './trustWords.js';

/** Who works here, and what may happen. Keeps its height, whatever happens. */
export function Header(): VNode {
  const store = useStore();
  const title = useSelect((state) => state.transcript.title ?? '');
  return (
    <header class="head">
      <div class="col">
        <AgentPicker />
        <span class="title cut" title={stripControls(title)}>
          {stripControls(title)}
        </span>
        <span class="icons">
          <IconButton
            icon="add"
            label="New Session"
            testId="new-session"
            onClick={() => store.post({ type: 'newSession' })}
          />
          <IconButton icon="ellipsis" label="More Actions" onClick={() => store.post({ type: 'showMenu' })} />
        </span>
        <Trust />
      </div>
    </header>
  );
}

type Dot = { readonly class: string; readonly word: string };

function AgentPicker(): VNode {
  const store = useStore();
  const agent = useSelect((state) => state.panel?.agent ?? null);
  const dot = useSelect(dotOf);
  const version = useSelect((state) => state.panel?.agentVersion ?? null);
  const name = agent === null ? 'No agent' : `${agent}: ${dot.word}`;
  const label = `${name}. Click to choose another agent.`;
  return (
    <button
      type="button"
      class="pick agent"
      data-testid="agent-picker"
      aria-haspopup="listbox"
      aria-label={label}
      title={version === null ? label : `${label}\n${stripControls(version)}`}
      onClick={() => store.post({ type: 'pickAgent' })}
    >
      <span class={dot.class} />
      <span class="cut">{agent ?? 'Choose an agent'}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

const dots = {
  off: { class: 'dot off', word: 'not started' },
  starting: { class: 'dot run', word: 'starting' },
  ready: { class: 'dot', word: 'ready' },
  run: { class: 'dot run', word: 'working' },
  need: { class: 'dot need', word: 'waiting for you' },
  bad: { class: 'dot bad', word: 'stopped' },
} satisfies Record<string, Dot>;

function dotOf({ panel, transcript }: ViewState): Dot {
  if (transcript.approvals.length > 0) {
    return dots.need;
  }
  if (transcript.turn.state === 'running' || transcript.turn.state === 'cancelling') {
    return dots.run;
  }
  switch (panel?.agentState.state) {
    case 'starting':
      return dots.starting;
    case 'ready':
      return dots.ready;
    case 'failed':
      return dots.bad;
    case 'stopped':
    case undefined:
      return dots.off;
  }
}

/** How edits happen and which mode the agent confirmed. It wraps, it never cuts. */
function Trust(): VNode | null {
  const store = useStore();
  const panel = useSelect((state) => state.panel);
  const edits = useSelect((state) => state.transcript.edits);
  const agent = useSelect((state) => agentName(state.panel));
  const modes = useSelect((state) => state.transcript.modes);
  const options = useSelect((state) => state.transcript.options);
  const pendingMode = useSelect((state) => state.transcript.pendingMode);
  const seenInMode = useSelect((state) => state.transcript.seenInMode);
  if (panel === null || panel.agent === null) {
    return null;
  }
  const trust = editsTrust(panel.edits, edits, agent);
  const mode = modeTrust(present({ modes, options, pendingMode, seenInMode }), agent);
  return (
    <div class="trust" role="group" aria-label="What this agent may do">
      <button
        type="button"
        class={trust.warn ? 'warn' : undefined}
        title={trust.tooltip}
        onClick={() => (panel.edits === 'unset' ? focusConsent() : store.post({ type: 'pickEdits' }))}
      >
        <Icon name={trust.icon} />
        <span>{trust.text}</span>
      </button>
      {mode !== null && (
        <button
          type="button"
          class={mode.warn ? 'warn' : undefined}
          title={mode.tooltip}
          data-testid="mode"
          onClick={() => store.post({ type: 'pickMode' })}
        >
          {mode.warn && <Icon name="warning" />}
          <span>{mode.text}</span>
        </button>
      )}
    </div>
  );
}

function focusConsent(): void {
  document.querySelector<HTMLElement>('[data-testid=consent-ask]')?.focus();
}
