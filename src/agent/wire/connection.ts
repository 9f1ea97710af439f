/**
 * One JSON-RPC connection to an agent over its stdin and stdout: our framing and tap on the way in, the SDK for
 * requests and responses. The only file that loads the SDK, and only when the first agent starts (it costs about
 * 100 ms to load).
 */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Sdk from '@agentclientprotocol/sdk/unstable';
import { HostError, messageOf } from '../../core/errors.js';
import { cut, limits } from '../../core/text/limits.js';
import { isRequest, kindOf } from './envelope.js';
import { FrameSplitter, type Noise } from './framing.js';
import { Tap, type TapSink } from './tap.js';
import { Outgoing, sizeOf } from './outgoing.js';
import { toRequestError } from './wireErrors.js';

export type RequestContext = {
  readonly signal: AbortSignal;
  /** Resolves when there is room for a large answer: the agent has to read those before it. */
  readonly room: () => Promise<void>;
};
export type RequestHandler = (params: Record<string, unknown>, context: RequestContext) => Promise<unknown>;
/** Methods of the client that are served. Any other request is answered with -32601. */
export type ServedMethods = Readonly<Partial<Record<ServedMethod, RequestHandler>>>;
export type ServedMethod =
  | 'fs/read_text_file'
  | 'fs/write_text_file'
  | 'terminal/create'
  | 'terminal/output'
  | 'terminal/wait_for_exit'
  | 'terminal/kill'
  | 'terminal/release';

export type ConnectionSink = TapSink & {
  readonly served: ServedMethods;
  onNoise(line: string): void;
  /** Every message in wire order as JSON text, which is there anyway: for a recording. Must not throw. */
  onTraffic?(direction: 'in' | 'out', json: string): void;
};

export type RequestOptions = {
  /** Rejects with a HostError `cancelled` after so long, and tells the agent by `$/cancel_request`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export interface Connection {
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** Resolves when the connection ended, for whatever reason; `reason` says which. */
  readonly closed: Promise<void>;
  readonly reason: string | undefined;
  readonly noise: Noise;
  /** Resolves when every request of the agent is answered, or after `ms`. */
  drained(ms: number): Promise<void>;
  /** Number of protocol messages that arrived. */
  readonly received: number;
  /** Rejects what is pending. Leaves the process alone. */
  close(reason?: string): void;
}

let loading: Promise<typeof Sdk> | undefined;
/** Loads the SDK once. Call it early to overlap with the start of a process. */
export function loadSdk(): Promise<typeof Sdk> {
  loading ??= import('@agentclientprotocol/sdk/unstable');
  return loading;
}

/**
 * Connects. Reading starts at once, so nothing that the agent prints is lost or left to block it. Errors of requests
 * are the SDK's `RequestError` (`code`, `message`, `data`) where the agent answered with one, else plain errors.
 */
export async function openConnection(
  io: { readonly stdin: Writable; readonly stdout: Readable },
  sink: ConnectionSink,
): Promise<Connection> {
  const sdk = await loadSdk();
  return new SdkConnection(sdk, io, sink);
}

class SdkConnection implements Connection {
  readonly closed: Promise<void>;
  reason: string | undefined;
  received = 0;
  #refused = 0;
  #unanswered = 0;
  #atEnd = false;
  /** What came behind an answer that is being taken in. */
  #behind: [message: Record<string, unknown>, line: string][] | undefined;
  /** Ids of our requests that have no answer yet. */
  readonly #asked = new Set<unknown>();
  readonly #outgoing = new Outgoing();
  readonly #splitter: FrameSplitter;
  readonly #tap: Tap;
  readonly #connection: Sdk.ClientConnection;
  #controller!: ReadableStreamDefaultController<Sdk.AnyMessage>;
  #ended = false;

  constructor(
    private readonly sdk: typeof Sdk,
    private readonly io: { readonly stdin: Writable; readonly stdout: Readable },
    private readonly sink: ConnectionSink,
  ) {
    this.#tap = new Tap(sink);
    this.#splitter = new FrameSplitter({
      onMessage: (message, line) => {
        this.#sort(message, line);
      },
      onNoise: (line) => {
        sink.onNoise(line);
      },
      onBatch: () => {
        this.#refuse('ACP does not allow JSON-RPC batches');
      },
      onOverflow: () => {
        this.close(`The agent sent a message of more than ${String(limits.frame >> 20)} MiB.`);
      },
    });
    this.#connection = this.#connect();
    this.closed = this.#connection.closed.then(() => {
      this.#ended = true;
      this.#outgoing.end();
      this.reason ??= 'The connection was closed.';
      this.#tap.close();
    });
    io.stdout.on('data', (chunk: Buffer) => {
      this.#splitter.push(chunk);
    });
    io.stdout.once('end', () => {
      this.#end();
    });
    io.stdout.once('close', () => {
      this.#end();
    });
    io.stdout.on('error', () => {
      this.#end();
    });
  }

  get noise(): Noise {
    return this.#splitter.noise;
  }

  async request(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    const signals: AbortSignal[] = [];
    if (options.signal) {
      signals.push(options.signal);
    }
    const timer = new AbortController();
    const timeout =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timer.abort(new HostError('cancelled', `No answer to ${method} in time.`));
          }, options.timeoutMs);
    signals.push(timer.signal);
    try {
      return await this.#connection.agent.request(method, params, {
        cancellationSignal: AbortSignal.any(signals),
        stopWaitingOnCancel: true,
      });
    } catch (error) {
      if (timer.signal.aborted) {
        throw timer.signal.reason as HostError;
      }
      throw error;
    } finally {
      clearTimeout(timeout);
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#connection.agent.notify(method, params);
  }

  async drained(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (this.#unanswered > 0 && !this.#ended && Date.now() < end) {
      await delay(5);
    }
  }

  close(reason?: string): void {
    this.reason ??= reason;
    this.#ended = true;
    this.#tap.close();
    this.#connection.close(new Error(reason ?? 'The connection was closed.'));
  }

  #connect(): Sdk.ClientConnection {
    const { sdk, sink } = this;
    const app = sdk.client({ name: 'acp-host' });
    app.onRequest(sdk.methods.client.session.requestPermission, async ({ params, signal }) => {
      try {
        return await this.#tap.settle(params._meta, signal);
      } catch (error) {
        throw toRequestError(sdk, error);
      }
    });
    const room = (): Promise<void> => this.#outgoing.room();
    for (const [method, handler] of Object.entries(sink.served)) {
      const asSent = (params: unknown): unknown => params;
      app.onRequest(method, asSent, async ({ params, signal }) => {
        try {
          const result = await handler(asRecord(params), { signal, room });
          this.#outgoing.made(sizeOf(result));
          return result;
        } catch (error) {
          throw toRequestError(sdk, error);
        }
      });
    }
    app.onRequest('*', ({ method }) => {
      throw sdk.RequestError.methodNotFound(cut(method, limits.word));
    });
    app.onNotification('*', () => undefined);
    return app.connect({ readable: this.#readable(), writable: this.#writable() });
  }

  #readable(): ReadableStream<Sdk.AnyMessage> {
    return new ReadableStream<Sdk.AnyMessage>({
      start: (controller) => {
        this.#controller = controller;
      },
      // The SDK ends the connection itself where it cannot write: nothing may be put into the stream after that.
      cancel: () => {
        this.#ended = true;
      },
    });
  }

  #writable(): WritableStream<Sdk.AnyMessage> {
    return new WritableStream<Sdk.AnyMessage>({ write: (message) => this.#send(message) });
  }

  async #send(message: Sdk.AnyMessage): Promise<void> {
    const json = JSON.stringify(message);
    if (json.length > limits.outgoing) {
      throw new HostError('tooLarge', 'A message to the agent was too large to send.');
    }
    if (!('method' in message)) {
      this.#unanswered -= 1;
    } else if ('id' in message) {
      this.#asked.add(message.id);
    }
    this.sink.onTraffic?.('out', json);
    const { stdin } = this.io;
    if (stdin.destroyed || stdin.writableEnded) {
      throw new HostError('io', 'The agent no longer reads.');
    }
    if (!stdin.write(`${json}\n`)) {
      await writable(stdin);
    }
    this.#outgoing.written('result' in message ? sizeOf(message.result) : 0);
  }

  /**
   * The SDK hands an answer on a few steps later, and an update that came behind it in the same bytes would be taken
   * for one before it: as part of a turn that has ended. So everything behind an answer waits until it was taken in.
   */
  #inOrder(message: Record<string, unknown>, line: string): void {
    if (this.#behind !== undefined) {
      this.#behind.push([message, line]);
      return;
    }
    if (!('method' in message) && !this.#asked.delete(message['id'])) {
      // An answer to nothing, or a second one.
      this.#splitter.addNoise(line);
      return;
    }
    this.#receive(message, line);
    if (!('method' in message)) {
      this.#behind = [];
      setImmediate(() => {
        this.#goOn();
      });
    }
  }

  #goOn(): void {
    const behind = this.#behind ?? [];
    this.#behind = undefined;
    for (const [message, line] of behind) {
      this.#inOrder(message, line);
    }
    this.#finishAtEnd();
  }

  #receive(message: Record<string, unknown>, json: string): void {
    if (this.#ended) {
      return;
    }
    this.received += 1;
    this.sink.onTraffic?.('in', json);
    this.#unanswered += isRequest(message) ? 1 : 0;
    if (this.#unanswered > limits.unansweredRequests) {
      this.close(
        `The agent sent more than ${String(limits.unansweredRequests)} requests without waiting for an answer.`,
      );
      return;
    }
    let forSdk: Sdk.AnyMessage | undefined;
    try {
      forSdk = this.#tap.take(message);
    } catch (error) {
      // A bug of ours in one update must not end the session.
      this.sink.onNoise(`Could not handle a message: ${messageOf(error)}`);
      return;
    }
    if (forSdk !== undefined) {
      this.#controller.enqueue(forSdk);
    }
  }

  #sort(message: Record<string, unknown>, line: string): void {
    switch (kindOf(message)) {
      case 'message':
        this.#inOrder(message, line);
        return;
      case 'invalid':
        this.#refuse('This is no valid JSON-RPC request');
        return;
      case 'noise':
        this.#splitter.addNoise(line);
    }
  }

  /** Answers what has no id to answer to, a bounded number of times: whoever sends such things may not read either. */
  #refuse(message: string): void {
    this.#refused += 1;
    if (this.#refused <= limits.refusals && !this.io.stdin.destroyed && !this.io.stdin.writableEnded) {
      const error = { code: -32600, message };
      this.io.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
    }
  }

  #end(): void {
    if (this.#ended || this.#atEnd) {
      return;
    }
    this.#splitter.end();
    this.#atEnd = true;
    this.#finishAtEnd();
  }

  #finishAtEnd(): void {
    if (this.#ended || !this.#atEnd || this.#behind !== undefined) {
      return;
    }
    this.#ended = true;
    this.reason ??= 'The agent closed its output.';
    this.#controller.close();
  }
}

function asRecord(params: unknown): Record<string, unknown> {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new HostError('badParams', 'The parameters must be an object.');
  }
  return params as Record<string, unknown>;
}

/** Resolves when more may be written, and also when the stream ends: the next write then says so. */
function writable(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      stream.off('error', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
    stream.on('error', done);
  });
}
