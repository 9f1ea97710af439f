/** What the mock model speaks of inside, whatever API a request came by. */
import type { JsonObject } from '../fakeAgentScript.js';

/** A plan's items: text and status, in the words pending, in_progress and completed. */
export type PlanItem = readonly [text: string, status: string];

/** What a step wants done. The tool is chosen from those that the agent offers in its request. */
export type Deed = {
  readonly do?: 'read' | 'write' | 'edit' | 'shell' | 'plan' | 'list' | 'fetch';
  readonly path?: string | undefined;
  readonly content?: string | undefined;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly command?: string | undefined;
  readonly url?: string | undefined;
  readonly items?: readonly PlanItem[];
  /** The exact name of a tool, instead of `do`. */
  readonly tool?: string;
  /** A part of a tool's name, instead of `do`. */
  readonly toolLike?: string;
  /** Arguments to the letter; with `do` they go over the ones made up. */
  readonly args?: JsonObject;
};

/** One answer of the model. */
export type Step = Deed & {
  readonly text?: string;
  readonly thought?: string;
  /** Characters of a delta (20). */
  readonly chunk?: number;
  /** Milliseconds before each delta (0). */
  readonly delay?: number;
  /** Several calls at once, instead of `do`. */
  readonly parallel?: readonly Deed[];
  /** Streams the text and then nothing more. */
  readonly hang?: boolean;
  /** Streams the text and then cuts the connection. */
  readonly drop?: boolean;
  /** Answers with this HTTP status. */
  readonly status?: number;
  readonly message?: string;
  readonly stop?: 'length' | 'refusal' | 'content_filter';
};

/** A JSON schema as agents send it: only what the mock model looks at. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
};

export type Tool = {
  readonly name: string;
  readonly schema?: Schema | undefined;
  /** Takes free text instead of JSON arguments. */
  readonly custom?: boolean;
  readonly namespace?: string | undefined;
};

export type Args = Readonly<Record<string, unknown>>;

export type Call = {
  readonly name: string;
  readonly args: Args;
  readonly namespace?: string | undefined;
  /** The free text of a custom tool. */
  readonly input?: string;
};

/** A piece of the conversation: what the user wrote, the calls of an assistant, or a turn with calls without ids. */
export type Item = { readonly user: string } | { readonly callIds: readonly string[] } | { readonly callTurn: true };

/** A request for an answer, read from any of the APIs. */
export type ModelRequest = {
  readonly items: readonly Item[];
  readonly tools: readonly Tool[];
  /** Set where the answer has to be JSON. */
  readonly json?: Schema | true;
  readonly stream: boolean;
  readonly model: string;
  /** OpenAI chat: a last chunk with the usage is asked for. */
  readonly includeUsage?: boolean;
};

/** What is answered, before it is put into the words of an API. */
export type Reply = Omit<Step, keyof Deed | 'parallel' | 'text'> & {
  readonly text: string;
  readonly calls: readonly (Call & { readonly id: string })[];
  readonly step: number;
  /** The same for the same place in the same conversation. */
  readonly seed: string;
  /** Not part of a turn: a title, a summary, or another helper's question. */
  readonly auxiliary: boolean;
};

/** The stream of one answer. Each call may wait, and rejects when the other side has gone. */
export interface ReplyStream {
  send(event: string | null, data: unknown): Promise<void>;
  raw(text: string): Promise<void>;
  /** Where the text ends: a reply that hangs or drops does it here. */
  afterText(): Promise<void>;
}

/** One of the APIs that the mock model speaks. */
export type Api = {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini';
  /** Whether a POST to this path is a request for an answer. */
  matches(path: string): boolean;
  read(body: unknown, path: string): ModelRequest;
  errorBody(status: number, message: string): unknown;
  /** The whole answer in one body. */
  whole(reply: Reply, request: ModelRequest): unknown;
  stream(reply: Reply, request: ModelRequest, out: ReplyStream): Promise<void>;
};

/** Tokens that every answer is said to have cost. */
export const usage = { in: 120, out: 30 } as const;
