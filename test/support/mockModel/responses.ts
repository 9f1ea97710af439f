/** OpenAI's responses. */
import { openAiError } from './chat.js';
import { pieces } from './reply.js';
import { textOf, type Part } from './text.js';
import { usage, type Api, type Item, type Reply, type ReplyStream, type Schema, type Tool } from './types.js';

type ToolBody = { readonly type?: string; readonly name?: string; readonly parameters?: Schema };

type Body = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly input?:
    | string
    | readonly {
        readonly role?: string;
        readonly content?: string | readonly Part[] | null;
        readonly call_id?: string;
      }[];
  readonly tools?: readonly (ToolBody & { readonly tools?: readonly ToolBody[] })[];
  readonly text?: { readonly format?: { readonly type?: string; readonly schema?: Schema } };
};

const usageBody = {
  input_tokens: usage.in,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.out,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.in + usage.out,
};

export const responses: Api = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read: (raw) => {
    const body = raw as Body;
    const format = body.text?.format;
    const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
    return {
      items: input.flatMap((item): Item[] => [
        ...(item.role === 'user' ? [{ user: textOf(item.content) }] : []),
        ...('call_id' in item && item.call_id !== undefined ? [{ callIds: [item.call_id] }] : []),
      ]),
      tools: (body.tools ?? []).flatMap(({ tools, ...tool }) =>
        tool.type === 'namespace' ? (tools ?? []).map((inner) => readTool(inner, tool.name)) : [readTool(tool)],
      ),
      ...(/json/.test(format?.type ?? '') ? { json: format?.schema ?? true } : {}),
      stream: body.stream === true,
      model: body.model ?? '',
    };
  },
  errorBody: openAiError,
  whole: (reply, { model }) =>
    response(reply, model, { status: 'completed', usage: usageBody, output: outputOf(reply) }),
  stream: async (reply, { model }, out) => {
    let sequence = 0;
    const send = (type: string, fields: object): Promise<void> =>
      out.send(type, { type, sequence_number: sequence++, ...fields });
    const output = outputOf(reply);
    await send('response.created', { response: response(reply, model, { status: 'in_progress' }) });
    for (const [index, item] of output.entries()) {
      await streamItem(item, { item_id: item.id, output_index: index }, reply, send, out);
    }
    if (reply.stop === undefined) {
      const whole = response(reply, model, { status: 'completed', usage: usageBody, output });
      await send('response.completed', { response: whole });
    } else {
      const reason = reply.stop === 'length' ? 'max_output_tokens' : 'content_filter';
      const whole = { status: 'incomplete', usage: usageBody, output, incomplete_details: { reason } };
      await send('response.incomplete', { response: response(reply, model, whole) });
    }
  },
};

function readTool(tool: ToolBody, namespace?: string): Tool {
  const name = tool.name ?? tool.type ?? '';
  return { name, namespace, schema: tool.parameters, custom: tool.type === 'custom' };
}

function response(reply: Reply, model: string, fields: object): object {
  return {
    id: `resp_mock_${reply.seed}`,
    object: 'response',
    created_at: 1_700_000_000,
    model,
    error: null,
    incomplete_details: null,
    output: [],
    parallel_tool_calls: true,
    tools: [],
    usage: null,
    metadata: {},
    ...fields,
  };
}

function outputOf({ thought, text, calls, seed }: Reply) {
  const summary = thought === undefined ? [] : [{ type: 'summary_text' as const, text: thought }];
  const content = [{ type: 'output_text' as const, text, annotations: [] }];
  return [
    ...(thought === undefined ? [] : [{ type: 'reasoning' as const, id: 'rs_mock', summary }]),
    ...(text === ''
      ? []
      : [{ type: 'message' as const, id: `msg_${seed}`, status: 'completed', role: 'assistant', content }]),
    ...calls.map(({ id, name, args, input, namespace }) =>
      input === undefined
        ? {
            type: 'function_call' as const,
            id: `fc_${id}`,
            call_id: id,
            name,
            ...(namespace === undefined ? {} : { namespace }),
            arguments: JSON.stringify(args),
            status: 'completed',
          }
        : { type: 'custom_tool_call' as const, id: `ctc_${id}`, call_id: id, name, input, status: 'completed' },
    ),
  ];
}

async function streamItem(
  item: ReturnType<typeof outputOf>[number],
  at: { readonly item_id: string; readonly output_index: number },
  reply: Reply,
  send: (type: string, fields: object) => Promise<void>,
  out: ReplyStream,
): Promise<void> {
  const { output_index } = at;
  const deltas = async (type: string, text: string, size: number | undefined, where: object = {}): Promise<void> => {
    for (const delta of pieces(text, size)) {
      await send(`response.${type}.delta`, { ...at, ...where, delta });
    }
  };
  const added = (empty: object): Promise<void> =>
    send('response.output_item.added', { output_index, item: { ...item, ...empty, status: 'in_progress' } });
  switch (item.type) {
    case 'message': {
      const [part] = item.content;
      const where = { content_index: 0 };
      await added({ content: [] });
      await send('response.content_part.added', { ...at, ...where, part: { ...part, text: '' } });
      await deltas('output_text', reply.text, reply.chunk, where);
      await out.afterText();
      await send('response.output_text.done', { ...at, ...where, text: reply.text });
      await send('response.content_part.done', { ...at, ...where, part });
      break;
    }
    case 'reasoning': {
      const [part] = item.summary;
      const where = { summary_index: 0 };
      await added({ summary: [] });
      await send('response.reasoning_summary_part.added', { ...at, ...where, part: { ...part, text: '' } });
      await deltas('reasoning_summary_text', reply.thought ?? '', reply.chunk, where);
      await send('response.reasoning_summary_text.done', { ...at, ...where, text: reply.thought });
      await send('response.reasoning_summary_part.done', { ...at, ...where, part });
      break;
    }
    case 'function_call':
      await added({ arguments: '' });
      await deltas('function_call_arguments', item.arguments, 30);
      await send('response.function_call_arguments.done', { ...at, arguments: item.arguments });
      break;
    case 'custom_tool_call':
      await added({ input: '' });
      await deltas('custom_tool_call_input', item.input, 30);
      await send('response.custom_tool_call_input.done', { ...at, input: item.input });
  }
  await send('response.output_item.done', { output_index, item });
}
