/** The mock model speaks four APIs. Real agents prove one of them; this holds the others to the same conversation. */
import assert from 'node:assert/strict';
import { startMockModel, type MockModel } from '../support/mockModel/server.js';

const DIRECTIVE = '[[mock:read path=/a/file.txt]]';
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

type Dialect = {
  readonly path: string;
  readonly tools: unknown;
  /** The conversation at the first request, and at the second with the call of the first answered. */
  readonly first: object;
  second(callId: string): object;
};

const user = { role: 'user', content: DIRECTIVE };

const dialects: Readonly<Record<string, Dialect>> = {
  chat: {
    path: '/v1/chat/completions',
    tools: [{ type: 'function', function: { name: 'Read', parameters: schema } }],
    first: { messages: [user] },
    second: (id) => ({
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'Read' } }] },
        { role: 'tool', tool_call_id: id, content: 'text' },
      ],
    }),
  },
  responses: {
    path: '/v1/responses',
    tools: [{ type: 'function', name: 'read_file', parameters: schema }],
    first: { input: [user] },
    second: (id) => ({
      input: [
        user,
        { type: 'function_call', call_id: id },
        { type: 'function_call_output', call_id: id, output: 'text' },
      ],
    }),
  },
  messages: {
    path: '/v1/messages',
    tools: [{ name: 'Read', input_schema: schema }],
    first: { messages: [user] },
    second: (id) => ({
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'text' }] },
      ],
    }),
  },
  gemini: {
    path: '/v1beta/models/mock:streamGenerateContent',
    tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: schema }] }],
    first: { contents: [{ role: 'user', parts: [{ text: DIRECTIVE }] }] },
    second: () => ({
      contents: [
        { role: 'user', parts: [{ text: DIRECTIVE }] },
        { role: 'model', parts: [{ functionCall: { name: 'read_file' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read_file' } }] },
      ],
    }),
  },
};

describe('mock model', () => {
  let model: MockModel;

  before(async () => {
    model = await startMockModel();
  });
  after(() => model.close());

  const ask = async ({ path, tools }: Dialect, conversation: object, key = 'fine'): Promise<Response> =>
    fetch(model.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'mock', stream: true, tools, ...conversation }),
    });

  /** Everything that the events carry as text, of whatever kind. */
  const streamed = async (response: Response): Promise<string> =>
    [...(await response.text()).matchAll(/"(?:content|text|delta|arguments|partial_json)":"((?:[^"\\]|\\.)*)"/g)]
      .map(([, text = '']) => JSON.parse(`"${text}"`) as string)
      .join('');

  for (const [name, dialect] of Object.entries(dialects)) {
    it(`calls a tool and then answers, in ${name}`, async () => {
      await (await ask(dialect, dialect.first)).text();
      const asked = model.requests.at(-1);
      assert.deepEqual([asked?.step, asked?.calls?.[0]?.args], [0, { path: '/a/file.txt' }]);
      const body = await (await ask(dialect, dialect.first)).text();
      const id = /call_mk0x0_\w+/.exec(body)?.[0] ?? '';
      assert.notEqual(id, '');
      const answer = await streamed(await ask(dialect, dialect.second(id)));
      assert.match(answer, /I have read it\./);
      assert.equal(model.requests.at(-1)?.step, 1);
    });

    it(`refuses a bad key, in ${name}`, async () => {
      const refused = await ask(dialect, dialect.first, 'bad-key');
      assert.equal(refused.status, 401);
      assert.match(await refused.text(), /invalid api key/);
    });
  }
});
