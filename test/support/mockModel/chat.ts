/** OpenAI's chat completions. */
import { pieces } from './reply.js';
import { textOf, type Part } from './text.js';
import { usage, type Api, type Item, type Reply, type Schema } from './types.js';

type Body = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: string | readonly Part[] | null;
    readonly tool_calls?: readonly { readonly id: string }[] | null;
  }[];
  readonly tools?: readonly {
    readonly type?: string;
    readonly function?: { readonly name: string; readonly parameters?: Schema };
    readonly custom?: { readonly name: string };
  }[];
  readonly response_format?: { readonly type?: string; readonly json_schema?: { readonly schema?: Schema } };
};

const completion = { id: 'chatcmpl-mock', created: 1_700_000_000 } as const;

const usageBody = {
  prompt_tokens: usage.in,
  completion_tokens: usage.out,
  total_tokens: usage.in + usage.out,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

export const chat: Api = {
  name: 'chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read: (raw) => {
    const body = raw as Body;
    const json = /json/.test(body.response_format?.type ?? '');
    return {
      items: (body.messages ?? []).flatMap(({ role, content, tool_calls: calls }): Item[] => {
        if (role === 'user') {
          return [{ user: textOf(content) }];
        }
        return role === 'assistant' ? [{ callIds: (calls ?? []).map(({ id }) => id) }] : [];
      }),
      tools: (body.tools ?? []).map(({ custom, function: fn }) =>
        custom === undefined ? { name: fn?.name ?? '', schema: fn?.parameters } : { name: custom.name, custom: true },
      ),
      ...(json ? { json: body.response_format?.json_schema?.schema ?? true } : {}),
      stream: body.stream === true,
      model: body.model ?? '',
      includeUsage: body.stream_options?.include_usage === true,
    };
  },
  errorBody: openAiError,
  whole: (reply, { model }) => {
    const calls = toolCalls(reply);
    const message = {
      role: 'assistant',
      content: reply.text === '' ? null : reply.text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: finishReason(reply) }];
    return { ...completion, object: 'chat.completion', model, choices, usage: usageBody };
  },
  stream: async (reply, { model, includeUsage }, out) => {
    const chunk = { ...completion, object: 'chat.completion.chunk', model };
    const delta = (content: object, finish: string | null = null): Promise<void> =>
      out.send(null, { ...chunk, choices: [{ index: 0, delta: content, finish_reason: finish }] });
    await delta({ role: 'assistant', content: '' });
    for (const piece of pieces(reply.thought, reply.chunk)) {
      await delta({ reasoning_content: piece });
    }
    for (const piece of pieces(reply.text, reply.chunk)) {
      await delta({ content: piece });
    }
    await out.afterText();
    for (const call of toolCalls(reply)) {
      if (call.function === undefined) {
        await delta({ tool_calls: [call] });
        continue;
      }
      await delta({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] });
      for (const piece of pieces(call.function.arguments, 30)) {
        await delta({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
      }
    }
    await delta({}, finishReason(reply));
    if (includeUsage === true) {
      await out.send(null, { ...chunk, choices: [], usage: usageBody });
    }
    await out.raw('data: [DONE]\n\n');
  },
};

/** Also the shape of the responses API. */
export function openAiError(status: number, message: string): unknown {
  const type = { 400: 'invalid_request_error', 401: 'authentication_error', 429: 'rate_limit_error' }[status];
  const code = status === 401 ? 'invalid_api_key' : null;
  return { error: { message, type: type ?? 'api_error', param: null, code } };
}

function toolCalls(reply: Reply) {
  return reply.calls.map(({ id, name, args, input }, index) =>
    input === undefined
      ? { index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
      : { index, id, type: 'custom', custom: { name, input } },
  );
}

function finishReason({ calls, stop }: Reply): string {
  if (calls.length > 0) {
    return 'tool_calls';
  }
  return stop === 'length' ? 'length' : stop === undefined ? 'stop' : 'content_filter';
}
