/** The agents a person can choose from: the configured ones, and the built-in demo agent, which needs no setting. */
import { basename } from 'node:path';
import type { AgentSpec } from '../agent/agent.js';
import { knownAgent } from '../agent/agentTable.js';
import type { Disposable } from '../agent/ports.js';
import { buildEnvironment, type BaseEnvironment } from '../agent/process/environment.js';
import { resolveCommand } from '../agent/process/launch.js';
import type { AgentChoice } from '../core/messages.js';
import { redact } from '../core/text/redact.js';
import { Emitter } from './emitter.js';

export const demoAgentName = 'Demo Agent';

/** How the demo agent is started: this very program, as Node, on a script of the extension. */
export function demoAgent(script: string): AgentSpec {
  return { name: demoAgentName, command: process.execPath, args: [script], env: { ELECTRON_RUN_AS_NODE: '1' } };
}

export type AgentListPorts = {
  readonly configured: () => readonly AgentSpec[];
  readonly pass: () => readonly string[];
  /** What agents inherit from, as far as it is known. */
  readonly base?: () => BaseEnvironment;
};

export class AgentList implements Disposable {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.on;
  #notes = new Map<string, string>();
  #round = 0;

  constructor(
    private readonly demo: AgentSpec,
    private readonly ports: AgentListPorts,
  ) {}

  /** Configured agents first, in their order; the demo agent last, unless a configured one has its name. */
  get specs(): readonly AgentSpec[] {
    const configured = this.ports.configured();
    return configured.some(({ name }) => name === this.demo.name) ? configured : [...configured, this.demo];
  }

  find(name: string): AgentSpec | undefined {
    return this.specs.find((spec) => spec.name === name);
  }

  get choices(): readonly AgentChoice[] {
    return this.specs.map((spec) => ({
      name: spec.name,
      detail: spec === this.demo ? 'built in' : redact([basename(spec.command), ...spec.args].join(' ').slice(0, 200)),
      note: this.#notes.get(noteKey(spec)) ?? '',
    }));
  }

  /** Looks for the programs again. Nothing is started. */
  async refresh(): Promise<void> {
    const round = ++this.#round;
    const notes = new Map<string, string>();
    for (const spec of this.specs) {
      notes.set(noteKey(spec), await this.#note(spec));
    }
    if (round === this.#round) {
      this.#notes = notes;
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#round++;
    this.#changed.dispose();
  }

  async #note(spec: AgentSpec): Promise<string> {
    if (spec === this.demo) {
      return 'no key, no network';
    }
    const { pass, base } = this.ports;
    const { env } = buildEnvironment({ base: base?.(), pass: pass(), agentEnv: spec.env, marker: '' });
    const found = await resolveCommand(spec.command, env);
    if ('reason' in found) {
      return 'not found';
    }
    if (/^(npx|uvx)(\.cmd|\.exe)?$/.test(basename(spec.command))) {
      const known = knownAgent(spec.command, spec.args);
      return known === undefined ? 'downloads on first start' : `downloads ${known.megabytes} MB`;
    }
    return 'installed';
  }
}

function noteKey(spec: AgentSpec): string {
  return JSON.stringify([spec.command, spec.env]);
}
