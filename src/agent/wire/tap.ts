/**
 * What is taken out of the stream before the SDK sees it, in the order of the wire.
 *
 * The SDK (2.4.0, measured) drops whole updates that it does not know, refuses a permission request for one unknown
 * option kind, and lets responses overtake notifications. So `session/update` is handed on here, at once and whole,
 * and a permission request is registered here, at its place between the updates; the SDK gets a bare form of it and
 * does the bookkeeping of ids, cancellation and the response.
 */
import type { AnyMessage, RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { isRecord } from './framing.js';

export type PermissionParams = {
  readonly sessionId: string;
  readonly toolCall: Record<string, unknown> & { readonly toolCallId: string };
  readonly options: readonly unknown[];
};

export type TapSink = {
  /** `params` of a `session/update`, as sent. Must not throw and must not wait. */
  onUpdate(params: Record<string, unknown>): void;
  /** A permission request, called in wire order. Settles with the answer for the wire; `signal` ends the wait. */
  onPermission(params: PermissionParams, signal: AbortSignal): Promise<RequestPermissionResponse>;
};

type Pending = { readonly answer: Promise<RequestPermissionResponse>; readonly abort: AbortController };

const tokenKey = 'acpHost.token';

/** Takes updates and permission requests out of one connection's stream. */
export class Tap {
  #next = 1;
  readonly #pending = new Map<number, Pending>();

  constructor(private readonly sink: TapSink) {}

  /** What the SDK is to see of this message, or undefined where it was taken whole. */
  take(message: Record<string, unknown>): AnyMessage | undefined {
    const params = message['params'];
    if (message['method'] === 'session/update' && !('id' in message)) {
      if (isRecord(params)) {
        this.sink.onUpdate(params);
      }
      return undefined;
    }
    if (message['method'] === 'session/request_permission' && 'id' in message) {
      // What is none is shown to the SDK without its content: its refusal would describe every fault of it.
      const bare = isPermission(params) ? this.#register(params) : {};
      return { ...message, params: bare } as unknown as AnyMessage;
    }
    return message as unknown as AnyMessage;
  }

  /** The answer to a permission request that was registered in `take`. Called by the SDK's handler. */
  settle(meta: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const token = isRecord(meta) ? meta[tokenKey] : undefined;
    const pending = typeof token === 'number' ? this.#pending.get(token) : undefined;
    if (typeof token !== 'number' || pending === undefined) {
      return Promise.resolve({ outcome: { outcome: 'cancelled' } });
    }
    this.#pending.delete(token);
    const { abort, answer } = pending;
    if (signal.aborted) {
      abort.abort(signal.reason);
    } else {
      signal.addEventListener(
        'abort',
        () => {
          abort.abort(signal.reason);
        },
        { once: true },
      );
    }
    return answer;
  }

  /** The connection ended: requests that the SDK never came to are withdrawn. */
  close(): void {
    for (const { abort } of this.#pending.values()) {
      abort.abort();
    }
    this.#pending.clear();
  }

  #register(params: PermissionParams): Record<string, unknown> {
    const token = this.#next++;
    const abort = new AbortController();
    const answer = this.sink.onPermission(params, abort.signal);
    // It may reject before the SDK comes to it; the SDK's handler passes the rejection on.
    void answer.catch(() => undefined);
    this.#pending.set(token, { abort, answer });
    return {
      sessionId: params.sessionId,
      toolCall: { toolCallId: params.toolCall.toolCallId },
      options: [],
      _meta: { [tokenKey]: token },
    };
  }
}

function isPermission(params: unknown): params is PermissionParams {
  return (
    isRecord(params) &&
    typeof params['sessionId'] === 'string' &&
    isRecord(params['toolCall']) &&
    typeof params['toolCall']['toolCallId'] === 'string' &&
    Array.isArray(params['options'])
  );
}
