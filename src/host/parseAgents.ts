import type { AgentSpec } from '../agent/agent.js';
import { limits } from '../core/text/limits.js';

export type ParsedAgents = { readonly specs: readonly AgentSpec[]; readonly complaints: readonly string[] };

/**
 * Reads the setting `acpHost.agents`. Total: an entry of the wrong shape is left out with a sentence that says why, and
 * never stops the others from working.
 */
export function parseAgents(value: unknown): ParsedAgents {
  const specs: AgentSpec[] = [];
  const complaints: string[] = [];
  if (!isRecord(value)) {
    return { specs, complaints: value === undefined || value === null ? [] : ['acpHost.agents is not an object.'] };
  }
  for (const [name, entry] of Object.entries(value)) {
    const spec = parseAgent(name, entry);
    if (typeof spec === 'string') {
      complaints.push(spec);
    } else {
      specs.push(spec);
    }
  }
  return { specs, complaints };
}

function parseAgent(name: string, entry: unknown): AgentSpec | string {
  const says = (why: string): string => `The agent “${name.slice(0, 80)}” in acpHost.agents is left out: ${why}.`;
  if (name.trim().length === 0 || name.length > limits.path) {
    return says('its name is empty or too long');
  }
  if (!isRecord(entry)) {
    return says('it is not an object');
  }
  const { command, args = [], env = {} } = entry;
  if (typeof command !== 'string' || command.trim().length === 0) {
    return says('it has no command');
  }
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
    return says('args is not a list of strings');
  }
  if (!isRecord(env)) {
    return says('env is not an object');
  }
  const variables: Record<string, string | null> = {};
  for (const [variable, text] of Object.entries(env)) {
    if (typeof text !== 'string' && text !== null) {
      return says(`the value of ${variable} in env is not a string`);
    }
    variables[variable] = text;
  }
  return { name, command, args: [...args], env: variables };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
