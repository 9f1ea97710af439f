import type { VNode } from 'preact';
import { stripControls } from '../../core/text/visible.js';
import { useModeName } from '../entries/context.js';
import { longCount, money } from '../format.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { SendButton } from './sendButton.js';

/** The composer's buttons. Stop has a place of its own, so that Send never becomes Stop under the pointer. */
export function Toolbar(props: {
  readonly empty: boolean;
  readonly active: boolean;
  readonly send: () => void;
  readonly stop: () => void;
}): VNode {
  const { empty, active, send, stop } = props;
  const store = useStore();
  const mode = useModeName();
  const pending = useSelect((state) => state.transcript.pendingMode !== undefined);
  return (
    <div class="bar2">
      {mode !== undefined && (
        <button
          type="button"
          class="pick"
          data-testid="composer-mode"
          aria-busy={pending}
          title={`Mode: ${stripControls(mode)}${pending ? ' (changing)' : ''}`}
          onClick={() => store.post({ type: 'pickMode' })}
        >
          <span class="cut">{stripControls(mode)}</span>
          {pending ? <Icon name="loading" class="spin" /> : <Icon name="chevron-down" />}
        </button>
      )}
      <span class="grow" />
      <ContextRing />
      {active && (
        <IconButton icon="debug-stop" label="Stop (Escape)" class="slot24" testId="composer-stop" onClick={stop} />
      )}
      <SendButton empty={empty} active={active} send={send} />
    </div>
  );
}

function ContextRing(): VNode | null {
  const usage = useSelect((state) => state.transcript.usage);
  const { used, size, cost } = usage ?? {};
  if (used === undefined || size === undefined || size <= 0) {
    return null;
  }
  const percent = Math.min(100, Math.round((100 * used) / size));
  const price = cost === undefined ? '' : ` Session cost: ${money(cost)}.`;
  return (
    <span
      class="ringb num"
      role="img"
      title={`Context: ${longCount(used)} of ${longCount(size)} tokens.${price}`}
      aria-label={`Context ${percent} percent used`}
    >
      <span class="ring" style={{ '--v': percent }} />
      <span class="hide-narrow">{percent}%</span>
    </span>
  );
}
