/**
 * The start of a conversation with an agent: connect, `initialize`, and what came of it. Readiness is this handshake
 * and nothing else. Used by the live agent and by the probe.
 * https://agentclientprotocol.com/protocol/initialization
 */
import { messageOf } from '../core/errors.js';
import { protocolVersion, type ExitFacts, type StartFailure } from '../core/failures.js';
import { cut, limits } from '../core/text/limits.js';
import { redact } from '../core/text/redact.js';
import type { AgentProcess } from './process/process.js';
import { quirksOf, type Quirk } from './quirks.js';
import { describeError } from './turnErrors.js';
import { openConnection, type Connection, type ConnectionSink } from './wire/connection.js';
import { isRecord } from './wire/framing.js';
import { agentError } from './wire/wireErrors.js';
import { within } from './within.js';

export type Advertised = { readonly read: boolean; readonly write: boolean; readonly terminal: boolean };
export type AgentInfo = { readonly name: string; readonly title?: string; readonly version?: string };
export type AuthMethod = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description?: string;
};

/** What an agent answered to `initialize`, with everything optional read as "not supported". */
export type Initialized = {
  readonly protocolVersion: number;
  readonly agentInfo: AgentInfo | null;
  /** As sent. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly authMethods: readonly AuthMethod[];
  readonly advertised: Advertised;
  readonly quirks: ReadonlySet<Quirk>;
  readonly can: Offered;
};

/** What may be called. Nothing else of the agent's methods that need an offer is. */
export type Offered = {
  readonly load: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly fork: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly logout: boolean;
  readonly additionalDirectories: boolean;
};

export type HandshakeOptions = {
  readonly command: string;
  readonly timeoutMs: number;
  readonly clientVersion: string;
  readonly advertised: Advertised;
  readonly sink: ConnectionSink;
  readonly signal?: AbortSignal;
};

export type HandshakeResult =
  | { readonly ok: true; readonly connection: Connection; readonly initialized: Initialized }
  | { readonly ok: false; readonly connection: Connection; readonly failure: StartFailure };

/**
 * Connects and initializes. The answer is raced with the time limit and with the end of the process. On failure the
 * connection is closed; ending the process is the caller's. Never rejects.
 */
export async function handshake(process: AgentProcess, options: HandshakeOptions): Promise<HandshakeResult> {
  const { command, timeoutMs, advertised, sink } = options;
  const connection = await openConnection(process, sink);
  const failed = (failure: StartFailure): HandshakeResult => {
    connection.close();
    return { ok: false, connection, failure };
  };
  const params = {
    protocolVersion,
    clientCapabilities: {
      fs: { readTextFile: advertised.read, writeTextFile: advertised.write },
      terminal: advertised.terminal,
      // Not in the protocol: Claude's adapters then tell the output of the commands that they run themselves.
      _meta: { terminal_output: true },
    },
    clientInfo: { name: 'acp-host', title: 'ACP Host', version: options.clientVersion },
  };
  const timer = new AbortController();
  const timeout = setTimeout(() => {
    timer.abort();
  }, timeoutMs);
  const signal = options.signal === undefined ? timer.signal : AbortSignal.any([timer.signal, options.signal]);
  try {
    const answer = await Promise.race([
      connection.request('initialize', params, { signal }).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      ),
      process.exited.then((exit) => ({ exit })),
    ]);
    if ('result' in answer) {
      const initialized = readInitialized(answer.result, advertised);
      return initialized.protocolVersion === protocolVersion
        ? { ok: true, connection, initialized }
        : failed({ reason: 'incompatible_protocol', command, offered: offeredVersion(answer.result) });
    }
    if ('error' in answer) {
      const refused = agentError(answer.error);
      if (timer.signal.aborted) {
        return failed({
          reason: 'handshake_timeout',
          command,
          method: 'initialize',
          ms: timeoutMs,
          noise: connection.noise.lines,
          stderrTail: process.stderrTail(limits.stderrTail),
        });
      }
      if (refused !== undefined) {
        return failed({
          reason: 'handshake_error',
          command,
          method: 'initialize',
          code: refused.code,
          message: describeError(answer.error).message,
          stderrTail: process.stderrTail(limits.stderrTail),
        });
      }
      const exit = await within(process.exited, limits.exitDrain * 4);
      if (exit === undefined) {
        return failed({
          reason: 'handshake_error',
          command,
          method: 'initialize',
          code: null,
          message: redact(connection.reason ?? messageOf(answer.error)),
          stderrTail: process.stderrTail(limits.stderrTail),
        });
      }
    }
    return failed(exitFailure(process, command, await process.exited, 'initialize'));
  } finally {
    clearTimeout(timeout);
  }
}

/** The failure of a process that ended before it answered `during`. */
export function exitFailure(process: AgentProcess, command: string, exit: ExitFacts, during: string): StartFailure {
  const stderrTail = process.stderrTail(limits.stderrTail);
  return exit.code === 127
    ? { reason: 'missing_binary', command, detail: 'exit127', exit, stderrTail }
    : { reason: 'spawn_error', command, detail: 'exited', exit, during, stderrTail };
}

/** The capabilities of an agent, from the untrusted result of `initialize`. */
export function readInitialized(result: unknown, advertised: Advertised): Initialized {
  const answer = isRecord(result) ? result : {};
  const capabilities = isRecord(answer['agentCapabilities']) ? answer['agentCapabilities'] : {};
  const session = isRecord(capabilities['sessionCapabilities']) ? capabilities['sessionCapabilities'] : {};
  const auth = isRecord(capabilities['auth']) ? capabilities['auth'] : {};
  const offers = (value: unknown): boolean => isRecord(value);
  const agentInfo = readInfo(answer['agentInfo']);
  const quirks = quirksOf(agentInfo);
  return {
    protocolVersion: typeof answer['protocolVersion'] === 'number' ? answer['protocolVersion'] : Number.NaN,
    agentInfo,
    quirks,
    capabilities,
    authMethods: Array.isArray(answer['authMethods']) ? answer['authMethods'].slice(0, 20).flatMap(readAuthMethod) : [],
    advertised,
    can: {
      load: capabilities['loadSession'] === true && !quirks.has('loadIsBroken'),
      resume: offers(session['resume']),
      list: offers(session['list']),
      fork: offers(session['fork']),
      close: offers(session['close']),
      delete: offers(session['delete']),
      logout: offers(auth['logout']),
      additionalDirectories: offers(session['additionalDirectories']),
    },
  };
}

function readInfo(value: unknown): AgentInfo | null {
  if (!isRecord(value) || typeof value['name'] !== 'string') {
    return null;
  }
  const { name, title, version } = value;
  return {
    name: cut(name, limits.word),
    ...(typeof title === 'string' ? { title: cut(title, limits.word) } : {}),
    ...(typeof version === 'string' ? { version: cut(version, limits.word) } : {}),
  };
}

function readAuthMethod(value: unknown): AuthMethod[] {
  if (!isRecord(value) || typeof value['id'] !== 'string') {
    return [];
  }
  const { id, name, type, description } = value;
  return [
    {
      id: cut(id, limits.identifier),
      name: cut(typeof name === 'string' ? name : id, limits.word),
      type: typeof type === 'string' ? cut(type, limits.word) : 'agent',
      ...(typeof description === 'string' ? { description: cut(description, limits.title) } : {}),
    },
  ];
}

function offeredVersion(result: unknown): unknown {
  return isRecord(result) ? result['protocolVersion'] : undefined;
}
