import type { VNode } from 'preact';

/** A codicon. Decoration only: whatever it means stands in words beside it or in the button's label. */
export function Icon(props: { readonly name: string; readonly class?: string }): VNode {
  const extra = props.class === undefined ? '' : ` ${props.class}`;
  return <i class={`codicon codicon-${props.name}${extra}`} aria-hidden="true" />;
}

/** A button that is an icon with a label for the tooltip and for screen readers. */
export function IconButton(props: {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly text?: string;
  readonly textClass?: string;
  readonly class?: string;
  readonly testId?: string;
}): VNode {
  const classes = ['ib', props.text === undefined ? '' : 'text', props.class ?? ''].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      class={classes}
      title={props.label}
      aria-label={props.label}
      data-testid={props.testId}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      {props.text !== undefined && <span class={props.textClass}>{props.text}</span>}
    </button>
  );
}
