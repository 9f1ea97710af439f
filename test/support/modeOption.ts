/** A session's modes as an agent offers them on the wire. */
import type { JsonObject } from './fakeAgentScript.js';

export type NamedMode = { readonly id: string; readonly name: string; readonly description?: string };

export const manualMode: NamedMode = { id: 'default', name: 'Manual', description: 'Always ask before making changes' };
export const autoMode: NamedMode = { id: 'auto', name: 'Auto', description: 'Claude handles permission decisions' };

/** The option that sets the mode. */
export function modeOption(currentValue: string, all: readonly NamedMode[], rest: JsonObject = {}): JsonObject {
  return {
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue,
    options: all.map(({ id, ...mode }) => ({ value: id, ...mode })),
    ...rest,
  };
}
