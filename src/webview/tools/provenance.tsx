import type { VNode } from 'preact';
import type { ToolEntry } from '../../core/transcript/model.js';
import { stripControls } from '../../core/text/visible.js';
import { Icon } from '../icon.js';

type Words = { readonly icon: string; readonly text: string };

/** Where the permission for a call came from, or null where nothing is known. */
export function provenanceWords(entry: ToolEntry): Words | null {
  const { provenance } = entry;
  const thing = entry.toolKind === 'edit' ? ' edit' : entry.toolKind === 'execute' ? ' command' : '';
  switch (provenance?.by) {
    case undefined:
      return entry.status === 'cancelled'
        ? { icon: 'circle-slash', text: 'Not done: the turn was stopped before an answer' }
        : null;
    case 'person':
      if (provenance.choice !== undefined) {
        const icon = provenance.outcome === 'allowed' ? 'check' : 'circle-slash';
        return { icon, text: `You chose “${stripControls(provenance.choice)}”` };
      }
      return provenance.outcome === 'allowed'
        ? { icon: 'check', text: `You allowed this${thing}` }
        : {
            icon: 'circle-slash',
            text: provenance.comment === undefined ? 'You denied this' : `You denied this: “${provenance.comment}”`,
          };
    case 'above':
      return { icon: 'check', text: 'Allowed above' };
    case 'setting':
      return { icon: 'check', text: 'Allowed by your settings' };
    case 'host':
      return { icon: 'circle-slash', text: `Denied by VS Code: ${provenance.reason}` };
  }
}

export function Provenance(props: { readonly entry: ToolEntry }): VNode | null {
  const words = provenanceWords(props.entry);
  return words === null ? null : (
    <span>
      <Icon name={words.icon} />
      {words.text}
    </span>
  );
}
