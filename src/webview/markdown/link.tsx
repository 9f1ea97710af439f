import type { ComponentChildren, VNode } from 'preact';
import { useStore } from '../hooks.js';

/**
 * A link that the host opens. It has no `href`: nothing but our own handler can follow it, whatever the mouse button,
 * and the person sees where it leads before VS Code asks.
 */
export function Link(props: {
  readonly href: string;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}): VNode {
  const store = useStore();
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    store.post({ type: 'openLink', href: props.href });
  };
  return (
    <a
      role="link"
      tabIndex={0}
      title={props.title === undefined ? props.href : `${props.title}\n${props.href}`}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          open(event);
        }
      }}
    >
      {props.children}
    </a>
  );
}
