/**
 * docs/agents.md: what each real agent does in each scenario, as the ring `agents` saw it. A scenario fails where the
 * document says something else of it; `ACP_HOST_WRITE_DOCS=1 npm run test:agents` writes it anew.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format } from 'prettier';
import { differs } from './differs.js';
import pins from './pins.json' with { type: 'json' };
import type { AgentName } from './install.js';
import { traits } from './traits.js';

const FILE = 'docs/agents.md';

const editorPictures = [
  '![Kimi: a plan, one question, the changed file and the answer](screenshots/kimi.png)',
  '',
  '![Gemini: one question for an edit that it writes through the host](screenshots/gemini.png)',
  '',
  '![Claude: its own edit and its own command, each after a question](screenshots/claude.png)',
];

/** Title of a scenario → what was seen. */
export type Seen = ReadonlyMap<string, string>;

/** Whether this run writes the document instead of comparing itself with it. */
export const writesTable = process.env['ACP_HOST_WRITE_DOCS'] === '1';

/** What the document says of an agent in a scenario; undefined where it has no such cell. */
export function documented(agent: AgentName, scenario: string): string | undefined {
  const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());
  const table = current()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cells);
  const column = table[0]?.indexOf(agent) ?? -1;
  return table.find(([, title]) => title === scenario)?.[column];
}

/** Writes the document, or fails where it differs from it. */
export async function checkTable(agents: ReadonlyMap<AgentName, Seen>, rows: readonly string[]): Promise<void> {
  const text = await format(render(agents, rows), { parser: 'markdown', printWidth: 120 });
  if (writesTable) {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, text);
    return;
  }
  assert.equal(current(), text, `${FILE} differs from this run; ACP_HOST_WRITE_DOCS=1 writes it anew.`);
}

/** How it differs, told by its cells; a note holds what no cell shows. */
function paragraph(name: AgentName, seen: Seen): string {
  const { note } = traits[name];
  const { package: from, version } = pins.agents[name];
  const told = `- **${name}** (${from} ${version}, Node ${pins.node}): ${differs(seen)}`;
  return note === undefined ? told : `${told} Note: ${note}`;
}

function current(): string {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
}

function render(agents: ReadonlyMap<AgentName, Seen>, scenarios: readonly string[]): string {
  const names = [...agents.keys()];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Real agents',
    '',
    'Real agents under the headless host, against a model on 127.0.0.1 that answers what the prompt tells it to. No',
    'network and no account are needed after the install. `npm run test:agents` runs every scenario and compares this',
    'table with what it saw; do not edit it by hand. Agents race with themselves: a scenario that shows something else',
    'runs again, at most twice. What stands here of each agent is made of its column; a note says what no scenario shows.',
    'Few retries are set for all of them, and a mode that asks for Claude.',
    '',
    ...names.map((name) => paragraph(name, agents.get(name) ?? new Map())),
    '',
    'One turn of three of them in the editor; `ACP_HOST_SCREENSHOTS=1` takes the pictures anew.',
    '',
    ...editorPictures,
    '',
    row(['scenario', ...names]),
    row(['scenario', ...names].map(() => '---')),
    ...scenarios.map((scenario) =>
      row([scenario, ...names.map((name) => agents.get(name)?.get(scenario) ?? 'not run')]),
    ),
    '',
  ].join('\n');
}
