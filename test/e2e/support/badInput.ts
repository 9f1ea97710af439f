import type { Locator } from 'playwright-core';
import { badInputs, type BadInput } from '../../support/badInputs.js';
import { fakeAgent, type FakeAgent } from '../../support/fakeAgent.js';
import type { ChatPanel } from './chatPanel.js';
import { agentSettings } from './demo.js';
import type { Workbench } from './workbench.js';

/** What a person reads, and the box it stands in. */
export type Said = {
  readonly what: string;
  readonly why: string;
  readonly buttons: readonly string[];
  readonly box: Locator;
};

/** The rows that need no window of their own. */
export const ordinaryInputs = badInputs.filter(({ window }) => window === undefined);

/** The fake agents of a table, which end with `dispose`. */
export class BadInputAgents {
  readonly #fakes: FakeAgent[] = [];

  /** Settings of a window in which every ordinary row has an agent of its title. */
  settings(folder: string): Readonly<Record<string, unknown>> {
    const agents = ordinaryInputs.map(({ slug, agent }) => {
      if (agent !== undefined && 'setting' in agent) {
        const { command } = agent.setting;
        return [agentName(slug), { ...agent.setting, command: command.replace('{{folder}}', folder) }] as const;
      }
      const fake = fakeAgent(agent?.script ?? {});
      this.#fakes.push(fake);
      return [agentName(slug), { command: fake.command, args: fake.args }] as const;
    });
    return { ...agentSettings({}), 'acpHost.agents': Object.fromEntries(agents) };
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#fakes.map((fake) => fake.dispose()));
  }
}

const names =
  'Acorn Birch Cedar Daisy Elm Fern Ginkgo Hazel Iris Juniper Kapok Lotus Maple Nettle Oak Poplar Quince Rowan'.split(
    ' ',
  );

/** The display name of a row's agent: one that a person could have given it, since it stands in the sentences. */
export function agentName(slug: string): string {
  const name = names[ordinaryInputs.findIndex((row) => row.slug === slug)];
  if (name === undefined) {
    throw new Error(`No agent is named for ${slug}.`);
  }
  return name;
}

/** Brings an ordinary row about in the open window and waits for its notice. */
export async function provoke(workbench: Workbench, panel: ChatPanel, row: BadInput, prompt: string): Promise<Said> {
  row.prepare?.(workbench.folder);
  if (row.handshakeTimeout !== undefined) {
    await workbench.settings.change({ 'acpHost.handshakeTimeout': row.handshakeTimeout });
  }
  await panel.chooseAgent(agentName(row.slug));
  await panel.send(prompt);
  const box = panel.frame.locator('.notice').last();
  await box.waitFor();
  if (row.handshakeTimeout !== undefined) {
    await workbench.settings.change({ 'acpHost.handshakeTimeout': 30 });
  }
  return {
    what: await box.locator('b').innerText(),
    why: await box.locator('.why').innerText(),
    buttons: await box.getByRole('button').allInnerTexts(),
    box,
  };
}

/** What the empty panel of the window says. */
export async function readEmptyPanel(panel: ChatPanel): Promise<Said> {
  const box = panel.frame.locator('.start');
  await box.waitFor();
  const [what = '', ...rest] = (await box.innerText()).split('\n').filter((line) => line.trim() !== '');
  return { what: what.trim(), why: rest.join('\n'), buttons: await box.getByRole('button').allInnerTexts(), box };
}
