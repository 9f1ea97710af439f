/** Anthropic's messages. */
import { pieces } from './reply.js';
import { textOf, type Part } from './text.js';
import { usage, type Api, type Item, type Reply, type Schema } from './types.js';

type Format = { readonly schema?: Schema };

type Body = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly (Part & { readonly type?: string; readonly id?: string })[];
  }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema?: Schema }[];
  readonly output_config?: { readonly format?: Format };
  readonly output_format?: Format;
};

const usageBody = {
  input_tokens: usage.in,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: usage.out,
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const messages: Api = {
  name: 'messages',
  matches: (path) => path.endsWith('/messages'),
  read: (raw) => {
    const body = raw as Body;
    const format = body.output_config?.format ?? body.output_format;
    return {
      items: (body.messages ?? []).map(({ role, content }): Item => {
        const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
        return role === 'user'
          ? { user: textOf(parts.filter(({ type }) => type === 'text')) }
          : { callIds: parts.flatMap(({ type, id }) => (type === 'tool_use' && id !== undefined ? [id] : [])) };
      }),
      tools: (body.tools ?? []).map(({ name, input_schema: schema }) => ({ name, schema })),
      ...(format === undefined ? {} : { json: format.schema ?? true }),
      stream: body.stream === true,
      model: body.model ?? '',
    };
  },
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_mock',
  }),
  whole: (reply, { model }) => message(reply, model),
  stream: async (reply, { model }, out) => {
    const send = (type: string, fields: object): Promise<void> => out.send(type, { type, ...fields });
    const whole = message(reply, model);
    const start = { ...whole, content: [], stop_reason: null, usage: { ...usageBody, output_tokens: 1 } };
    await send('message_start', { message: start });
    for (const [index, block] of whole.content.entries()) {
      const { empty, deltas } = streamed(block, reply.chunk);
      await send('content_block_start', { index, content_block: empty });
      for (const delta of deltas) {
        await send('content_block_delta', { index, delta });
      }
      if (block.type === 'text') {
        await out.afterText();
      }
      await send('content_block_stop', { index });
    }
    const end = { stop_reason: whole.stop_reason, stop_sequence: null };
    await send('message_delta', { delta: end, usage: { output_tokens: usage.out } });
    await send('message_stop', {});
  },
};

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

function message(reply: Reply, model: string) {
  const content: readonly Block[] = [
    ...(reply.thought === undefined
      ? []
      : [{ type: 'thinking' as const, thinking: reply.thought, signature: 'bW9jaw==' }]),
    ...(reply.text === '' ? [] : [{ type: 'text' as const, text: reply.text }]),
    ...reply.calls.map(({ id, name, args }) => ({ type: 'tool_use' as const, id: `toolu_${id}`, name, input: args })),
  ];
  return {
    id: `msg_mock_${reply.seed}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: usageBody,
  };
}

/** A block as it begins, and the deltas that fill it. */
function streamed(block: Block, chunk: number | undefined): { readonly empty: object; readonly deltas: object[] } {
  switch (block.type) {
    case 'text':
      return {
        empty: { type: 'text', text: '' },
        deltas: pieces(block.text, chunk).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        empty: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(block.thinking, chunk).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
      return {
        empty: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block.input), 30).map((json) => ({
          type: 'input_json_delta',
          partial_json: json,
        })),
      };
  }
}

function stopReason({ calls, stop }: Reply): string {
  if (calls.length > 0) {
    return 'tool_use';
  }
  return stop === 'length' ? 'max_tokens' : stop === undefined ? 'end_turn' : 'refusal';
}
