import type { EditsChoice } from '../../core/messages.js';
import { oneLine } from '../../core/text/visible.js';
import type { Transcript } from '../../core/transcript/model.js';
import { asksNothing, modeControl, modeNameOf } from '../../core/transcript/modes.js';

export type TrustWords = {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  readonly warn: boolean;
};

/** What the trust line says of edits: what was observed wins over what was chosen. */
export function editsTrust(choice: EditsChoice, edits: Transcript['edits'], agent: string): TrustWords {
  const itself = `${agent} writes to disk with its own tools. This window cannot stop it. Click to change.`;
  if (choice !== 'unset' && edits.direct > 0) {
    const all = edits.direct + edits.brokered;
    return {
      icon: 'unlock',
      text: `Edits: ${agent} itself`,
      tooltip: `${edits.direct} of ${all} edits did not come through VS Code. ${itself}`,
      warn: true,
    };
  }
  switch (choice) {
    case 'unset':
      return {
        icon: 'shield',
        text: 'Edits: not chosen yet',
        tooltip: `Choose below how ${agent} may edit files.`,
        warn: false,
      };
    case 'ask':
      return {
        icon: 'shield',
        text: 'Edits: ask each time',
        tooltip: 'VS Code writes each edit after you allow it. Click to change.',
        warn: false,
      };
    case 'off':
      return { icon: 'unlock', text: `Edits: ${agent} itself`, tooltip: itself, warn: true };
    case 'allow':
      return {
        icon: 'warning',
        text: 'Edits: not asked',
        tooltip: 'VS Code writes each edit without asking. Click to change.',
        warn: true,
      };
  }
}

type ModeFacts = Pick<Transcript, 'modes' | 'options' | 'pendingMode' | 'seenInMode'>;

/** What the trust line says of the mode that the agent confirmed, or null where it has none. */
export function modeTrust(t: ModeFacts, agent: string): Pick<TrustWords, 'text' | 'tooltip' | 'warn'> | null {
  const control = modeControl(t);
  if (control === null) {
    return null;
  }
  const name = oneLine(control.current.name, 100);
  const wanted =
    t.pendingMode === undefined ? '' : ` ${agent} was asked for ${oneLine(modeNameOf(t, t.pendingMode), 100)}.`;
  switch (asksNothing(t)) {
    case null:
      return {
        text: `Mode: ${name}`,
        tooltip: `Mode, as ${agent} confirmed it.${wanted} Click to change.`,
        warn: false,
      };
    case 'said':
      return {
        text: `Mode: ${name}, asks nothing`,
        tooltip: `By what ${agent} says of it, nothing is asked in mode ${name}.${wanted} Click to change.`,
        warn: true,
      };
    case 'seen':
      return {
        text: `Mode: ${name}, asks nothing`,
        tooltip: `In mode ${name} ${agent} ran commands, and asked for none of them.${wanted} Click to change.`,
        warn: true,
      };
  }
}
