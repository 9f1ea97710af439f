/**
 * Expected failures of the host, told apart by `reason`; bugs throw ordinary errors. They are turned into a JSON-RPC
 * error for the agent and into words for a person at two edges only, so a message here is plain and holds no stack.
 */
export type HostErrorReason =
  | 'badPath'
  | 'outside'
  | 'denied'
  | 'notFound'
  | 'notFile'
  | 'binary'
  | 'notUtf8'
  | 'tooLarge'
  | 'noAccess'
  | 'conflict'
  | 'moved'
  | 'off'
  | 'refused'
  | 'unknownSession'
  | 'cancelled'
  | 'badParams'
  | 'io';

export class HostError extends Error {
  override readonly name = 'HostError';
  constructor(
    readonly reason: HostErrorReason,
    message: string,
  ) {
    super(message);
  }
}

/** The message of anything that was thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
