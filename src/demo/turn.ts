import type {
  AgentContext,
  ClientCapabilities,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { Session } from './session.js';

/** Thrown out of a turn's script when the person stops it. */
export class TurnCancelled extends Error {}

const CHUNK_CHARACTERS = 40;

/**
 * What a script does in one turn. Everything that waits throws `TurnCancelled` as soon as the turn is cancelled, so
 * that a script needs no word about it.
 */
export class Turn {
  constructor(
    readonly client: AgentContext,
    readonly session: Session,
    readonly can: ClientCapabilities,
    readonly signal: AbortSignal,
    readonly pace: number,
  ) {}

  /** Waits for `work`, or for the cancel. The work itself goes on; its late result is dropped. */
  async until<T>(work: Promise<T>): Promise<T> {
    if (this.signal.aborted) {
      work.catch(() => undefined);
      throw new TurnCancelled();
    }
    let stop: () => void = () => undefined;
    const cancelled = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new TurnCancelled());
      this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, cancelled]);
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms * this.pace);
    });
    try {
      await this.until(slept);
    } finally {
      clearTimeout(timer);
    }
  }

  async update(update: SessionUpdate): Promise<void> {
    await this.until(this.client.notify('session/update', { sessionId: this.session.id, update }));
  }

  /** Streams a piece of the answer. */
  async say(markdown: string, chunk = CHUNK_CHARACTERS): Promise<void> {
    await this.#stream('agent_message_chunk', markdown, chunk);
  }

  /** Streams a thought. */
  async think(text: string): Promise<void> {
    await this.#stream('agent_thought_chunk', text, CHUNK_CHARACTERS);
  }

  async #stream(
    sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
    text: string,
    size: number,
  ): Promise<void> {
    const messageId = this.session.newId('message');
    const characters = Array.from(text);
    for (let from = 0; from < characters.length; from += size) {
      const piece = characters.slice(from, from + size).join('');
      await this.update({ sessionUpdate, messageId, content: { type: 'text', text: piece } });
      // Between 15 and 25 ms: even steps would look like a machine.
      await this.pause(15 + (((from / size) * 7) % 11));
    }
  }

  /** Announces a tool call and returns its id. */
  async tool(call: Omit<ToolCall, 'toolCallId'>): Promise<string> {
    const toolCallId = this.session.newId('tool');
    await this.update({ sessionUpdate: 'tool_call', toolCallId, ...call });
    return toolCallId;
  }

  async changeTool(toolCallId: string, change: Omit<ToolCallUpdate, 'toolCallId'>): Promise<void> {
    await this.update({ sessionUpdate: 'tool_call_update', toolCallId, ...change });
  }

  /** Publishes a plan whose steps are all still to do. */
  async plan(steps: readonly Pick<PlanEntry, 'content' | 'priority'>[]): Promise<Plan> {
    const plan = new Plan(this, steps);
    await plan.publish();
    return plan;
  }
}

/** A published plan; each change publishes it whole, as the protocol wants. */
export class Plan {
  readonly #entries: PlanEntry[];

  constructor(
    readonly turn: Turn,
    steps: readonly Pick<PlanEntry, 'content' | 'priority'>[],
  ) {
    this.#entries = steps.map((step) => ({ ...step, status: 'pending' }));
  }

  async publish(): Promise<void> {
    await this.turn.update({ sessionUpdate: 'plan', entries: this.#entries.map((entry) => ({ ...entry })) });
  }

  /** Finishes the step that runs, if any, and starts the next one, if any. */
  async advance(): Promise<void> {
    const running = this.#entries.find((entry) => entry.status === 'in_progress');
    if (running) {
      running.status = 'completed';
    }
    const next = this.#entries.find((entry) => entry.status === 'pending');
    if (next) {
      next.status = 'in_progress';
    }
    await this.publish();
    await this.turn.pause(150);
  }
}
