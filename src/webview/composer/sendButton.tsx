import type { VNode } from 'preact';
import { Icon } from '../icon.js';

/** The button that sends or queues. */
export function SendButton(props: {
  readonly empty: boolean;
  readonly active: boolean;
  readonly send: () => void;
}): VNode {
  const label = props.active ? 'Queue (Enter)' : 'Send (Enter)';
  return (
    <button
      type="button"
      class="ib send"
      data-testid="composer-send"
      title={label}
      aria-label={label}
      aria-disabled={props.empty}
      onClick={props.send}
    >
      <Icon name="arrow-up" />
    </button>
  );
}
