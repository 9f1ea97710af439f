/** A session without an agent: its link answers when the test says so. */
import { Bodies } from '../../src/agent/bodies.js';
import { AgentSession } from '../../src/agent/session.js';
import type { SessionLink } from '../../src/agent/sessionLink.js';
import type { SessionEvent } from '../../src/core/transcript/events.js';

export type Prompted = { readonly text: string; answer(result: unknown): void; fail(error: unknown): void };

export class FakeLink implements SessionLink {
  readonly agentName = 'Agent';
  readonly prompts: Prompted[] = [];
  readonly notified: string[] = [];
  readonly turns: string[] = [];
  /** Set it to make the next open fail, or wait. */
  opening: () => Promise<void> = () => Promise.resolve();

  async open(session: AgentSession): Promise<void> {
    await this.opening();
    session.sessionId = 'S1';
    session.emit({ type: 'sessionStarted', at: 0, sessionId: 'S1', modes: null, options: [] });
  }

  request(_method: string, params: unknown): Promise<unknown> {
    const { prompt } = params as { prompt: readonly { text: string }[] };
    return new Promise((answer, fail) => {
      this.prompts.push({ text: prompt.map(({ text }) => text).join(), answer, fail });
    });
  }

  notify(method: string): Promise<void> {
    this.notified.push(method);
    return Promise.resolve();
  }

  turnStarted(): void {
    this.turns.push('started');
  }

  turnEnded(_session: AgentSession, cancelled: boolean): void {
    this.turns.push(cancelled ? 'cancelled' : 'ended');
  }
}

export type FakeSession = { readonly session: AgentSession; readonly link: FakeLink; readonly events: SessionEvent[] };

export function fakeSession(): FakeSession {
  const link = new FakeLink();
  const session = new AgentSession('s1', link, new Bodies(), () => 1);
  const events: SessionEvent[] = [];
  session.onEvent((event) => events.push(event));
  return { session, link, events };
}

/** Lets everything run that waits for nothing outside. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
