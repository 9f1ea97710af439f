/** The edge where an expected refusal becomes a JSON-RPC error for the agent. A bug's message never crosses it. */
import type * as Sdk from '@agentclientprotocol/sdk/unstable';
import { HostError, type HostErrorReason } from '../../core/errors.js';

const invalidParams = -32602;
const internal = -32603;
const cancelled = -32800;
const notFound = -32002;
export const methodNotFound = -32601;
/** An agent's answer where nobody is signed in. Never the host's: agents would take it for "sign in". */
export const authRequired = -32000;

/** The code for each reason. */
export function codeOf(reason: HostErrorReason): number {
  switch (reason) {
    case 'notFound':
      return notFound;
    case 'off':
      return methodNotFound;
    case 'cancelled':
      return cancelled;
    case 'badPath':
    case 'outside':
    case 'denied':
    case 'notFile':
    case 'binary':
    case 'notUtf8':
    case 'tooLarge':
    case 'unknownSession':
    case 'badParams':
      return invalidParams;
    case 'noAccess':
    case 'conflict':
    case 'moved':
    case 'refused':
    case 'io':
      return internal;
  }
}

/** A JSON-RPC error with our sentence and the reason as data; for a bug, only "Internal error". */
export function toRequestError(sdk: typeof Sdk, error: unknown): Sdk.RequestError {
  if (error instanceof sdk.RequestError) {
    return error;
  }
  if (error instanceof HostError) {
    return new sdk.RequestError(codeOf(error.reason), error.message, { reason: error.reason });
  }
  return new sdk.RequestError(internal, 'Internal error');
}

/** Code, message and data of an error response of the agent, or undefined for any other failure. */
export function agentError(
  error: unknown,
): { readonly code: number; readonly message: string; readonly data: unknown } | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'number') {
    return { code: error.code, message: error.message, data: 'data' in error ? error.data : undefined };
  }
  return undefined;
}
