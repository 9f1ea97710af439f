import type { VNode } from 'preact';
import type { ToolEntry } from '../../core/transcript/model.js';
import { Icon } from '../icon.js';

const words: Readonly<Record<ToolEntry['status'], string>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

/** The state of a call in words, for names that screen readers read. */
export function statusWord(entry: ToolEntry): string {
  return isDenied(entry) ? 'denied' : words[entry.status];
}

/** A call that was refused did not fail, whatever the agent calls it. */
function isDenied({ provenance, status }: ToolEntry): boolean {
  return (
    status !== 'completed' && provenance !== undefined && 'outcome' in provenance && provenance.outcome === 'denied'
  );
}

/** A place of fixed size for the state of a call, so that no change of state moves the row. Done shows nothing. */
export function StatusSlot(props: {
  readonly entry: ToolEntry;
  readonly exit?: { readonly code: number | null; readonly signal: string | null } | null;
}): VNode {
  const { entry, exit } = props;
  // An end without a code or a signal is one that nobody told.
  const badExit = (exit?.code ?? 0) !== 0 || typeof exit?.signal === 'string';
  const icon = isDenied(entry)
    ? statusIcons.cancelled
    : badExit && entry.status !== 'cancelled'
      ? failed
      : statusIcons[entry.status];
  return <span class="slot">{icon !== undefined && <Icon {...icon} />}</span>;
}

const failed = { name: 'error', class: 'err' };
const statusIcons: Readonly<Partial<Record<ToolEntry['status'], { readonly name: string; readonly class?: string }>>> =
  {
    in_progress: { name: 'loading', class: 'spin' },
    failed,
    cancelled: { name: 'circle-slash' },
    interrupted: { name: 'debug-disconnect' },
  };
