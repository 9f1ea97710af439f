/**
 * A setting that changes what the agent is told it may use: nothing happens during a turn; after it the process
 * restarts, so that the next prompt begins with the new word. The policy itself is read at every call and needs none.
 */
import type { Agent } from '../agent/agent.js';
import type { Disposable, ServePolicy } from '../agent/ports.js';
import { Disposables } from './emitter.js';

type Served = { readonly read: boolean; readonly write: boolean; readonly terminal: boolean };

/** What is advertised under a policy. */
export function servedBy(policy: ServePolicy): Served {
  return { read: policy.read, write: policy.write !== 'off', terminal: policy.terminal !== 'off' };
}

/** What is different for the conversation, or undefined where nothing changed. */
export function capabilityChange(agent: string, before: Served, after: Served): string | undefined {
  if (before.write !== after.write) {
    return after.write ? 'Edits go through VS Code from here on' : `${agent} edits by itself from here on`;
  }
  if (before.terminal !== after.terminal) {
    return after.terminal
      ? 'Commands run through VS Code from here on'
      : `${agent} runs commands by itself from here on`;
  }
  if (before.read !== after.read) {
    return after.read ? 'Files are read through VS Code from here on' : `${agent} reads files by itself from here on`;
  }
  return undefined;
}

export type CapabilityPorts = {
  readonly agents: () => readonly Agent[];
  readonly policy: () => ServePolicy;
};

export class CapabilityWatch implements Disposable {
  readonly #waiting = new Map<Agent, Disposables>();

  constructor(private readonly ports: CapabilityPorts) {}

  /** A setting changed. */
  check(): void {
    for (const agent of this.ports.agents()) {
      this.#check(agent);
    }
  }

  dispose(): void {
    for (const waiting of this.#waiting.values()) {
      waiting.dispose();
    }
    this.#waiting.clear();
  }

  #check(agent: Agent): void {
    this.#waiting.get(agent)?.dispose();
    this.#waiting.delete(agent);
    const before = agent.initialized?.advertised;
    const change =
      before === undefined ? undefined : capabilityChange(agent.spec.name, before, servedBy(this.ports.policy()));
    if (change === undefined) {
      return;
    }
    const busy = [...agent.sessions].filter((session) => session.busy);
    if (busy.length === 0) {
      void agent.restart(change);
      return;
    }
    const waiting = new Disposables();
    this.#waiting.set(agent, waiting);
    for (const session of busy) {
      waiting.add(
        session.onEvent(({ type }) => {
          if (type === 'turnEnded' || type === 'turnFailed') {
            // The turn takes itself off after it told of its end.
            setImmediate(() => {
              if (this.#waiting.get(agent) === waiting) {
                this.#check(agent);
              }
            });
          }
        }),
      );
    }
  }
}
