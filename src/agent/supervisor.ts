/** All agents of a window: one per agent and folder, started on demand, ended together. */
import { Agent, type AgentFolder, type AgentServices, type AgentSpec } from './agent.js';

export class Supervisor {
  readonly #agents = new Map<string, Agent>();

  constructor(private readonly services: AgentServices) {}

  get agents(): readonly Agent[] {
    return [...this.#agents.values()];
  }

  /**
   * The agent for this folder. Where its settings changed, a new one takes its place and the old one is stopped; the
   * conversations of the old one stay readable.
   */
  agentFor(spec: AgentSpec, folder: AgentFolder): Agent {
    const key = JSON.stringify([spec.name, folder.path]);
    const known = this.#agents.get(key);
    if (known !== undefined && sameSpec(known.spec, spec) && known.folder.more.join('\0') === folder.more.join('\0')) {
      return known;
    }
    void known?.stop();
    const agent = new Agent(spec, folder, this.services);
    this.#agents.set(key, agent);
    return agent;
  }

  /** Ends all agents in parallel. Resolves when nothing of them is left. */
  async stopAll(fast = false): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.stop(fast)));
  }

  /** Ends all at once, also when nobody waits. */
  dispose(): void {
    for (const agent of this.agents) {
      agent.dispose();
    }
    this.#agents.clear();
  }
}

function sameSpec(a: AgentSpec, b: AgentSpec): boolean {
  return JSON.stringify([a.command, a.args, a.env]) === JSON.stringify([b.command, b.args, b.env]);
}
