/** From a configured command to an initialized agent: environment, process, handshake. */
import type { StartFailure } from '../core/failures.js';
import { limits } from '../core/text/limits.js';
import { handshake, type Advertised, type Initialized } from './handshake.js';
import type { AgentServices, AgentSpec } from './agent.js';
import type { BaseEnvironment } from './process/environment.js';
import { startAgent, type AgentProcess } from './process/process.js';
import type { Connection, ConnectionSink } from './wire/connection.js';

export type LiveAgent = {
  readonly process: AgentProcess;
  readonly connection: Connection;
  readonly initialized: Initialized;
};

export type LaunchRequest = {
  readonly spec: AgentSpec;
  readonly cwd: string;
  readonly base: BaseEnvironment;
  readonly services: Pick<AgentServices, 'passEnvironment' | 'handshakeTimeoutMs' | 'clientVersion' | 'log' | 'secret'>;
  readonly advertised: Advertised;
  readonly sink: ConnectionSink;
  /** Called as soon as there is a process, so that it can be ended while the handshake runs. */
  onProcess(process: AgentProcess): void;
};

/** Starts and initializes. On failure nothing is left running. Never rejects. */
export async function launchAgent(request: LaunchRequest): Promise<LiveAgent | StartFailure> {
  const { spec, services, cwd, base } = request;
  const { command, args, env: agentEnv } = spec;
  const { log, clientVersion } = services;
  const secret = services.secret === undefined ? {} : { secret: services.secret };
  const pass = services.passEnvironment();
  const started = await startAgent({ command, args, agentEnv, pass, cwd, base, log, ...secret });
  if (!started.ok) {
    return started.failure;
  }
  request.onProcess(started.process);
  const { advertised, sink } = request;
  const timeoutMs = services.handshakeTimeoutMs(spec);
  const result = await handshake(started.process, { command, timeoutMs, clientVersion, advertised, sink });
  if (!result.ok) {
    await started.process.stop(limits.stopFast);
    return result.failure;
  }
  return { process: started.process, connection: result.connection, initialized: result.initialized };
}
