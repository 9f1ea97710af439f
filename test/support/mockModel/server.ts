/**
 * A model on 127.0.0.1 that needs no network and no key, for agents under test. It answers what the prompt tells it to
 * (see directives.ts). A key that contains "bad" is refused with 401, "limit" with 429, "forbid" with 403.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { chat } from './chat.js';
import { gemini } from './gemini.js';
import { messages } from './messages.js';
import { lastUserText, replyTo, type Script } from './reply.js';
import { responses } from './responses.js';
import { usage, type Api, type Call, type Reply, type ReplyStream } from './types.js';

/** What was asked and answered. */
export type MockRequest = {
  readonly path: string;
  readonly status: number;
  readonly auxiliary?: boolean;
  readonly step?: number;
  /** Names of the tools that the agent offered. */
  readonly tools?: readonly string[];
  readonly calls?: readonly Call[];
  readonly lastUser?: string;
};

export type MockModel = {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly requests: readonly MockRequest[];
  /** Whether the text stood in anything that was asked, as a tool's result for one. */
  heard(text: string): boolean;
  /** Answers that are being streamed right now. */
  readonly streaming: number;
  /** Ends every connection. */
  close(): Promise<void>;
};

const apis: readonly Api[] = [chat, responses, messages, gemini];

const refusals = [
  [/bad/, 401],
  [/limit/, 429],
  [/forbid/, 403],
] as const;

/** Other side has gone: nothing is left to send. */
class Gone extends Error {}

/** Starts it on a free port. `script` holds the steps of a conversation without a directive, to be read by people. */
export async function startMockModel(script?: Script): Promise<MockModel> {
  const requests: MockRequest[] = [];
  const bodies: unknown[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answer(request, response, { requests, bodies, open }, script).catch((error: unknown) => {
      if (!(error instanceof Gone)) {
        process.stderr.write(
          `mock model: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
        );
      }
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    heard: (text) => bodies.some((body) => JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1))),
    get streaming() {
      return open.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { requests, bodies, open }: { requests: MockRequest[]; bodies: unknown[]; open: Set<ServerResponse> },
  script: Script | undefined,
): Promise<void> {
  const body = parse(await readAll(request));
  bodies.push(body);
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const path = url.pathname;
  const json = (status: number, value: unknown, log: Partial<MockRequest> = {}): void => {
    requests.push({ path, status, ...log });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const api = request.method === 'POST' ? apis.find(({ matches }) => matches(path)) : undefined;
  if (api === undefined) {
    const found = helperAnswer(request.method, path);
    json(found === undefined ? 404 : 200, found ?? { error: { message: `mock: no route ${path}` } });
    return;
  }
  const refused = refusals.find(([pattern]) => pattern.test(keyOf(request, url)))?.[1];
  if (refused !== undefined) {
    json(refused, api.errorBody(refused, refused === 401 ? 'invalid api key (mock)' : 'denied (mock)'));
    return;
  }
  const asked = api.read(body, path);
  const reply = replyTo(asked, script);
  const { auxiliary, step, calls } = reply;
  const tools = asked.tools.map(({ name }) => name);
  const log = { auxiliary, step, tools, calls, lastUser: lastUserText(asked.items).slice(-200) };
  if (reply.status !== undefined) {
    json(reply.status, api.errorBody(reply.status, reply.message ?? 'mock error'), log);
    return;
  }
  if (!asked.stream) {
    json(200, api.whole(reply, asked), log);
    return;
  }
  requests.push({ path, status: 200, ...log });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  open.add(response);
  response.once('close', () => open.delete(response));
  await api.stream(reply, asked, streamTo(response, reply));
  response.end();
}

function streamTo(response: ServerResponse, reply: Reply): ReplyStream {
  const write = (text: string): void => {
    if (response.destroyed) {
      throw new Gone();
    }
    response.write(text);
  };
  return {
    send: async (event, data) => {
      if (reply.delay !== undefined && reply.delay > 0) {
        await delay(reply.delay);
      }
      write(`${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
    },
    raw: async (text) => {
      write(text);
      return Promise.resolve();
    },
    afterText: async () => {
      if (reply.drop === true) {
        throw new Gone();
      }
      if (reply.hang === true && !response.destroyed) {
        await new Promise((_resolve, reject) => response.once('close', () => reject(new Gone())));
      }
    },
  };
}

/** Lists of models and counts of tokens, which some agents ask for before they begin. */
function helperAnswer(method: string | undefined, path: string): unknown {
  if (method === 'GET' && /\/models(\/[^/]+)?$/.test(path)) {
    const model = { id: 'mock-model', object: 'model', type: 'model', display_name: 'mock-model', owned_by: 'mock' };
    return { object: 'list', has_more: false, data: [model], models: [{ name: 'models/mock-model' }] };
  }
  if (path.endsWith('/count_tokens')) {
    return { input_tokens: usage.in };
  }
  return path.endsWith(':countTokens') ? { totalTokens: usage.in } : undefined;
}

function keyOf({ headers }: IncomingMessage, url: URL): string {
  const places = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key'], url.searchParams.get('key')];
  return places.filter((place) => typeof place === 'string').join(' ');
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
