/** Google's generateContent. */
import { pieces } from './reply.js';
import { textOf } from './text.js';
import { usage, type Api, type Item, type Reply, type Schema } from './types.js';

type Body = {
  readonly contents?: readonly {
    readonly role?: string;
    readonly parts?: readonly { readonly text?: string; readonly functionCall?: object }[];
  }[];
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly {
      readonly name: string;
      readonly parameters?: Schema;
      readonly parametersJsonSchema?: Schema;
    }[];
  }[];
  readonly generationConfig?: {
    readonly responseMimeType?: string;
    readonly responseSchema?: Schema;
    readonly responseJsonSchema?: Schema;
  };
};

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
};

export const gemini: Api = {
  name: 'gemini',
  matches: (path) => /:(stream)?generateContent$/i.test(path),
  read: (raw, path) => {
    const body = raw as Body;
    const { responseMimeType, responseSchema, responseJsonSchema } = body.generationConfig ?? {};
    return {
      items: (body.contents ?? []).flatMap(({ role, parts = [] }): Item[] => {
        if (role === 'model') {
          return parts.some(({ functionCall }) => functionCall !== undefined) ? [{ callTurn: true }] : [];
        }
        const text = textOf(parts);
        return text === '' ? [] : [{ user: text }];
      }),
      tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, parameters, parametersJsonSchema }) => ({
          name,
          schema: parametersJsonSchema ?? parameters,
        })),
      ),
      ...(/json/.test(responseMimeType ?? '') ? { json: responseJsonSchema ?? responseSchema ?? true } : {}),
      stream: /:stream/i.test(path),
      model: /\/models\/([^/:]+):/.exec(path)?.[1] ?? '',
    };
  },
  errorBody: (status, message) => {
    const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
    const details = status === 400 || status === 401 ? [{ ...reason, domain: 'googleapis.com' }] : [];
    return { error: { code: status, message, status: statuses[status] ?? 'INTERNAL', details } };
  },
  whole: (reply, { model }) => {
    const text = reply.text === '' ? [] : [{ text: reply.text }];
    return chunk(model, [...text, ...functionCalls(reply)], finishReason(reply));
  },
  stream: async (reply, { model }, out) => {
    if (reply.thought !== undefined && reply.thought !== '') {
      // A summary of thoughts comes whole, with a heading.
      await out.send(null, chunk(model, [{ text: `**Thinking** ${reply.thought}`, thought: true }]));
    }
    for (const text of pieces(reply.text, reply.chunk)) {
      await out.send(null, chunk(model, [{ text }]));
    }
    await out.afterText();
    const calls = functionCalls(reply);
    await out.send(null, chunk(model, calls.length > 0 ? calls : [{ text: '' }], finishReason(reply)));
  },
};

function chunk(model: string, parts: readonly object[], finishReason?: string): unknown {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata: {
      promptTokenCount: usage.in,
      candidatesTokenCount: usage.out,
      totalTokenCount: usage.in + usage.out,
    },
    modelVersion: model,
    responseId: 'mock',
  };
}

function functionCalls({ calls }: Reply): readonly object[] {
  return calls.map(({ id, name, args }) => ({ functionCall: { id, name, args }, thoughtSignature: 'bW9jaw==' }));
}

function finishReason({ stop }: Reply): string {
  return stop === 'length' ? 'MAX_TOKENS' : stop === undefined ? 'STOP' : 'SAFETY';
}
