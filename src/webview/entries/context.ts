import type { ToolEntry } from '../../core/transcript/model.js';
import { modeControl } from '../../core/transcript/modes.js';
import type { PanelState } from '../../core/messages.js';
import { useSelect } from '../hooks.js';

/** What every entry may need to know of the whole. Changes seldom, so entries are not drawn again for it. */
export type EntryContext = {
  readonly agent: string;
  readonly folder: string | undefined;
  readonly mode: string | undefined;
  readonly turn: number;
};

/** The agent's name as sentences use it. */
export function agentName(panel: PanelState | null): string {
  return panel?.agent ?? 'The agent';
}

/** The name of the mode that the agent confirmed. Selects what it is made of: that stays the same for most events. */
export function useModeName(): string | undefined {
  const modes = useSelect((state) => state.transcript.modes);
  const options = useSelect((state) => state.transcript.options);
  return modeControl({ modes, options })?.current.name;
}

/** Cards are for the current turn; older edits and commands are rows. */
export function isCard(entry: ToolEntry, turn: number): 'edit' | 'command' | null {
  if (entry.turn !== turn) {
    return null;
  }
  if (entry.content.some(({ type }) => type === 'diff') || entry.allowed !== undefined) {
    return 'edit';
  }
  return entry.toolKind === 'execute' || entry.content.some(({ type }) => type === 'terminal') ? 'command' : null;
}
