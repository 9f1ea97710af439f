/** What a conversation knows of the process behind it. */
import type { ExitFacts } from '../core/failures.js';
import type { Notice } from '../core/transcript/model.js';
import type { Initialized } from './handshake.js';
import type { AgentSession } from './session.js';

/** What a session needs of the process it talks to. */
export interface SessionLink {
  readonly agentName: string;
  readonly initialized?: Pick<Initialized, 'quirks'> | null;
  /** Starts the agent if need be and opens a session on it. Rejects with `StartError` or the agent's error. */
  open(session: AgentSession, signal: AbortSignal): Promise<unknown>;
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** Called as a turn begins and ends: budgets and expectations of files and terminals follow the turn. */
  turnStarted(session: AgentSession, text: string): void;
  turnEnded(session: AgentSession, cancelled: boolean): void;
}

/** A start that failed, with the notice that tells a person why. */
export class StartError extends Error {
  constructor(
    readonly reason: string,
    message: string,
    readonly notice: Notice,
    readonly nextStep: string = '',
  ) {
    super(message);
  }
}

/** How a process ended by itself. */
export type OwnEnd = ExitFacts & {
  /** The last lines of its stderr. */
  readonly tail: readonly string[];
  readonly afterMs: number;
  readonly isLoop?: boolean;
};

/** What to say where a process is gone. */
export type Gone = {
  /** Undefined where we ended it. */
  readonly exit?: OwnEnd;
  readonly seam?: Notice;
  /** Whether the agent can go on with the conversation after a new start; undefined where nobody knows. */
  readonly reloads?: boolean | undefined;
};
