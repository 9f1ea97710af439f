import { join } from 'node:path';
import { root } from '../../../scripts/run.js';

/** The demo agent as a configured one, without its pauses. */
export const quickDemo = {
  command: process.execPath,
  args: [join(root, 'dist/demo-agent.cjs'), '--pace', '0'],
};

/** Settings with which the first prompt of a window starts `agents`, edits are asked for and nothing else is served. */
export function agentSettings(
  agents: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const configured = Object.entries(agents).map(([name, { command, args }]) => [name, { command, args }]);
  return {
    'acpHost.agents': Object.fromEntries(configured) as unknown,
    'acpHost.fs.write': 'ask',
    'acpHost.terminal': 'off',
    ...more,
  };
}
