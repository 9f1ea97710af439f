/**
 * The script of the fake agent, as types. `fakeAgent/fakeAgent.mjs` explains how a script runs; these types are
 * the one description of its format, for the program (by JSDoc) and for the tests.
 *
 * Every string in a frame, a result, an update or a text is a template: `{{name}}` is replaced by a variable
 * (`sessionId`, `cwd`, `requestId`, `method`, `params`, `text` of the prompt, `i` in a repeat, `pid`, and every
 * name that a step saved with `as`). A dotted path reaches inside (`{{ask.result.outcome}}`); a string that is
 * nothing but one template keeps the type of the value; `{{json ask}}` gives the value as JSON text.
 */

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** The error member of a JSON-RPC answer. */
export type RpcErrorShape = { readonly code: number; readonly message: string; readonly data?: Json };

/**
 * Where a frame is cut into several writes: byte offsets, `bytes` (one byte each) or `insideCharacters` (once inside
 * every character of more than one byte).
 */
export type Cuts = readonly number[] | 'bytes' | 'insideCharacters';

/** How a send is split; `delayMs` passes between two writes. */
export type Cutting = { readonly cuts?: Cuts; readonly delayMs?: number };

export type Step =
  /** Answers the request that this list of steps handles. */
  | ({ readonly do: 'respond'; readonly result?: Json; readonly error?: RpcErrorShape } & Cutting)
  /** Says that the request stays without an answer. */
  | { readonly do: 'noResponse' }
  /** `session/update` for the current session, or for `sessionId`. */
  | ({ readonly do: 'update'; readonly update: JsonObject; readonly sessionId?: string } & Cutting)
  | ({ readonly do: 'notify'; readonly method: string; readonly params?: Json } & Cutting)
  /** A request to the host; waits for its answer unless `wait` is false; `as` saves `{result}` or `{error}`. */
  | ({
      readonly do: 'request';
      readonly method: string;
      readonly params?: Json;
      readonly id?: Json;
      readonly as?: string;
      readonly wait?: boolean;
    } & Cutting)
  /** Waits for the answer to an earlier request with `wait: false`, by its id. */
  | { readonly do: 'waitResponse'; readonly id: Json; readonly as?: string }
  /** Any JSON value as one line; `template: false` sends it to the letter. */
  | ({ readonly do: 'frame'; readonly frame: Json; readonly template?: boolean } & Cutting)
  /** Bytes to the letter, with no line end added. */
  | ({ readonly do: 'raw'; readonly text?: string; readonly base64?: string } & Cutting)
  /** One line on stdout that is no frame. */
  | { readonly do: 'noise'; readonly text: string }
  /** Text, or `bytes` bytes of filler in lines, on stderr; goes on when the pipe took them. */
  | { readonly do: 'stderr'; readonly text?: string; readonly bytes?: number }
  /** Runs the steps and sends all that they send in a single write. They must not wait for an answer. */
  | { readonly do: 'oneWrite'; readonly steps: readonly Step[] }
  /** Ends early when the turn is cancelled, unless `uninterrupted`. */
  | { readonly do: 'wait'; readonly ms: number; readonly uninterrupted?: boolean }
  /** Waits until `method` came `count` times (1) since the start; `as` saves the last params. */
  | { readonly do: 'waitFor'; readonly method: string; readonly count?: number; readonly as?: string }
  /** Waits for `session/cancel` of this turn, also one that came before this step; `never` waits for ever. */
  | { readonly do: 'hang'; readonly until?: 'cancel' | 'never' }
  /** `count` chunks of `chars` characters, as fast as the pipe takes them; stops at a cancel unless `ignoreCancel`. */
  | {
      readonly do: 'flood';
      readonly count: number;
      readonly chars: number;
      readonly update?: 'agent_message_chunk' | 'agent_thought_chunk';
      readonly text?: 'markdown' | 'plain';
      readonly ignoreCancel?: boolean;
    }
  /** `updates` updates of one tool call whose text output grows by `bytesEach` and is sent whole each time. */
  | { readonly do: 'growTool'; readonly toolCallId: string; readonly updates: number; readonly bytesEach: number }
  /** Starts a child that stays; recorded as `spawned`, and its pid written to `pidFile`. */
  | {
      readonly do: 'spawn';
      readonly name?: string;
      readonly pidFile?: string;
      readonly detached?: boolean;
      readonly ignoreEof?: boolean;
      readonly ignoreTerm?: boolean;
      /** The child keeps our stdout and stderr open. */
      readonly holdOutput?: boolean;
    }
  | { readonly do: 'exit'; readonly code?: number; readonly signal?: string }
  /** `eof`: the end of stdin does not end us. A signal name: it does nothing but being recorded. */
  | { readonly do: 'ignore'; readonly what: readonly ('eof' | 'SIGTERM' | 'SIGINT' | 'SIGHUP')[] }
  /** From here on an arrival of `method` is a violation (recorded, and a line on stderr). */
  | { readonly do: 'expectNone'; readonly method: string }
  /** Saves how often `method` came so far, and records it. */
  | { readonly do: 'count'; readonly method: string; readonly as?: string }
  | { readonly do: 'stopReading' }
  | { readonly do: 'readOn' }
  | { readonly do: 'closeStdout' }
  /** Writes a file by itself, past the host. */
  | { readonly do: 'disk'; readonly path: string; readonly text: string }
  /** Adds `{"event":"note"}` to the record. */
  | { readonly do: 'note'; readonly value: Json }
  | { readonly do: 'repeat'; readonly times: number; readonly steps: readonly Step[] }
  /** `value` is a template; compared by its JSON text. */
  | {
      readonly do: 'if';
      readonly value: Json;
      readonly equals: Json;
      readonly then: readonly Step[];
      readonly else?: readonly Step[];
    };

/** One scripted prompt. Entries with `match` (a part of the text) are tried first; the others are used up in order. */
export type PromptScript = {
  readonly match?: string;
  /** This entry is not used up. Entries with `match` never are. */
  readonly repeat?: boolean;
  readonly stopReason?: string;
  readonly steps: readonly Step[];
};

/** Steps for each arrival of a method, or one list per arrival (the last one stays). */
export type MethodScript = readonly Step[] | { readonly calls: readonly (readonly Step[])[] };

export type FakeAgentScript = {
  /** Overrides of agentInfo; `null` leaves it out. */
  readonly agentInfo?: JsonObject | null;
  readonly protocolVersion?: Json;
  readonly capabilities?: JsonObject;
  readonly authMethods?: readonly Json[];
  /** Added to the results of session/new, session/load and session/resume: modes, configOptions. */
  readonly session?: JsonObject;
  /** Run before anything is read. */
  readonly start?: readonly Step[];
  /** A request whose steps send no answer gets the default answer after them. */
  readonly on?: { readonly [method: string]: MethodScript };
  readonly prompts?: readonly PromptScript[];
  /** Run at the end of stdin, before leaving with status 0. */
  readonly end?: readonly Step[];
  /** Serve a second prompt while one runs, instead of refusing it with -32600. */
  readonly parallelPrompts?: boolean;
  /** Names of environment variables whose values go to the record. All names always do. */
  readonly recordEnv?: readonly string[];
};

/** A message as it came from the host. */
export type Frame = {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: RpcErrorShape;
};

/** One line of the record file. `line` is what came, to the letter; `frame` is null where it is no JSON object. */
export type RecordLine =
  | { readonly event: 'received'; readonly at: number; readonly line: string; readonly frame: Frame | null }
  | {
      readonly event: 'started';
      readonly at: number;
      readonly pid: number;
      readonly cwd: string;
      readonly args: readonly string[];
      readonly envNames: readonly string[];
      readonly env: { readonly [name: string]: string };
    }
  | { readonly event: 'asked'; readonly at: number; readonly id: Json; readonly method: string }
  | { readonly event: 'spawned'; readonly at: number; readonly pid: number; readonly name: string }
  | { readonly event: 'violation'; readonly at: number; readonly method: string }
  | { readonly event: 'count'; readonly at: number; readonly method: string; readonly count: number }
  | { readonly event: 'signal'; readonly at: number; readonly signal: string }
  | { readonly event: 'note'; readonly at: number; readonly value: Json }
  | { readonly event: 'failed'; readonly at: number; readonly message: string }
  | { readonly event: 'ended'; readonly at: number };
