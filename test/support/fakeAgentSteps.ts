/** Short names for the steps of a fake agent's script. Each returns plain data; what a step does: fakeAgentScript.ts. */
import type { Cutting, Json, JsonObject, RpcErrorShape, Step } from './fakeAgentScript.js';

/** One option of a permission request. `kind` is free: agents send kinds that no schema knows. */
export type OptionShape = { readonly optionId: string; readonly name: string; readonly kind: string };

/** One entry of a plan. Values are free for the same reason. */
export type PlanEntryShape = { readonly content: string; readonly priority?: string; readonly status?: string };

/** Allow once, allow always, reject once: what most agents offer. */
export const usualOptions: readonly OptionShape[] = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** A `session/update` of any shape. */
export const update = (body: JsonObject, cutting: Cutting = {}): Step => ({ do: 'update', update: body, ...cutting });

/** A chunk of the answer. */
export const text = (value: string, messageId?: string): Step => chunk('agent_message_chunk', value, messageId);

/** A chunk of a thought. */
export const thought = (value: string, messageId?: string): Step => chunk('agent_thought_chunk', value, messageId);

/** A chunk of what the person said, as agents replay it. */
export const userText = (value: string, messageId?: string): Step => chunk('user_message_chunk', value, messageId);

function chunk(sessionUpdate: string, value: string, messageId: string | undefined): Step {
  return update({ sessionUpdate, content: { type: 'text', text: value }, messageId });
}

/** Announces a tool call. */
export const toolCall = (toolCallId: string, fields: JsonObject = {}): Step =>
  update({ sessionUpdate: 'tool_call', toolCallId, title: toolCallId, kind: 'other', status: 'pending', ...fields });

/** Changes a tool call. */
export const toolUpdate = (toolCallId: string, fields: JsonObject): Step =>
  update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });

/** Replaces the plan. */
export const plan = (...entries: readonly PlanEntryShape[]): Step =>
  update({
    sessionUpdate: 'plan',
    entries: entries.map((entry) => ({ priority: 'medium', status: 'pending', ...entry })),
  });

/** Content of a tool call: a diff. */
export const diff = (path: string, oldText: string | null, newText: string): JsonObject => ({
  type: 'diff',
  path,
  oldText,
  newText,
});

/** Content of a tool call: text. */
export const textContent = (value: string): JsonObject => ({
  type: 'content',
  content: { type: 'text', text: value },
});

/** How a request is sent. `as` defaults to the id where one is given; `wait: false` goes on without the answer. */
export type RequestOptions = Cutting & { readonly id?: Json; readonly as?: string; readonly wait?: boolean };

/** Any request to the host. */
export const request = (method: string, params: Json, options: RequestOptions = {}): Step => ({
  do: 'request',
  method,
  params,
  ...options,
});

const inSession = (method: string, params: JsonObject, options: RequestOptions): Step =>
  request(method, { sessionId: '{{sessionId}}', ...params }, options);

/** `session/request_permission` for a tool call, given by its id or as an object. */
export const permission = (
  toolCallOrId: string | JsonObject,
  options: readonly OptionShape[] = usualOptions,
  how: RequestOptions = {},
): Step => {
  const call = typeof toolCallOrId === 'string' ? { toolCallId: toolCallOrId } : toolCallOrId;
  return inSession('session/request_permission', { toolCall: call, options }, how);
};

/** `fs/read_text_file`. `window` may hold `line` and `limit`. */
export const readFile = (path: string, window: JsonObject = {}, how: RequestOptions = {}): Step =>
  inSession('fs/read_text_file', { path, ...window }, how);

/** `fs/write_text_file`. */
export const writeFile = (path: string, content: string, how: RequestOptions = {}): Step =>
  inSession('fs/write_text_file', { path, content }, how);

/** `terminal/create`. */
export const createTerminal = (command: string, fields: JsonObject = {}, how: RequestOptions = {}): Step =>
  inSession('terminal/create', { command, ...fields }, how);

/** Another `terminal/*` request (`output`, `wait_for_exit`, `kill`, `release`) for the terminal saved under `name`. */
export const terminal = (action: string, name: string, how: RequestOptions = {}): Step =>
  inSession(`terminal/${action}`, { terminalId: `{{${name}.result.terminalId}}` }, how);

/** Says what a saved name holds, as JSON text in a chunk: `echo('ask')` shows what the host answered. */
export const echo = (name: string): Step => text(`{{json ${name}}}`);

/** Waits for the answer to an earlier request with `wait: false`. */
export const waitResponse = (id: Json, as?: string): Step => ({
  do: 'waitResponse',
  id,
  ...(as === undefined ? {} : { as }),
});

/** Answers the request that these steps serve. */
export const respond = (result: Json = {}, cutting: Cutting = {}): Step => ({ do: 'respond', result, ...cutting });

/** Answers it with an error. */
export const fail = (error: RpcErrorShape): Step => ({ do: 'respond', error });

/** Leaves it without an answer. */
export const noResponse = (): Step => ({ do: 'noResponse' });

/** Any JSON value as one line. */
export const frame = (value: Json, cutting: Cutting = {}): Step => ({ do: 'frame', frame: value, ...cutting });

/** Bytes to the letter, without a line end. */
export const raw = (value: string, cutting: Cutting = {}): Step => ({ do: 'raw', text: value, ...cutting });

/** A line on stdout that is no frame. */
export const noise = (line: string): Step => ({ do: 'noise', text: line });

/** Text, or so many bytes of filler, on stderr. */
export const stderr = (value: string | number): Step =>
  typeof value === 'number' ? { do: 'stderr', bytes: value } : { do: 'stderr', text: value };

/** Sends all that the steps send in one write. */
export const oneWrite = (...steps: readonly Step[]): Step => ({ do: 'oneWrite', steps });

/** Waits; a cancel ends it early. */
export const wait = (ms: number): Step => ({ do: 'wait', ms });

/** Waits until `method` came `count` times since the start. */
export const waitFor = (method: string, count = 1): Step => ({ do: 'waitFor', method, count });

/** Hangs until the turn is cancelled, or for ever. */
export const hang = (until: 'cancel' | 'never' = 'cancel'): Step => ({ do: 'hang', until });

/** Ends the process with a status, or by a signal. */
export const exit = (how: number | NodeJS.Signals = 0): Step =>
  typeof how === 'number' ? { do: 'exit', code: how } : { do: 'exit', signal: how };

/** A chunk flood; see the step. */
export const flood = (count: number, chars: number, kind: 'markdown' | 'plain' = 'markdown'): Step => ({
  do: 'flood',
  count,
  chars,
  text: kind,
});
