import { agent, RequestError } from '@agentclientprotocol/sdk';
import type {
  AgentApp,
  AgentContext,
  ClientCapabilities,
  PromptRequest,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { availableCommands, scriptFor } from './commands.js';
import { Session } from './session.js';
import { Turn, TurnCancelled } from './turn.js';

/** The agent's handlers, ready to be connected. `pace` scales its delays. */
export function demoAgent(pace: number): AgentApp {
  const sessions = new Map<string, Session>();
  let can: ClientCapabilities = {};

  const find = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    if (!session) {
      throw RequestError.resourceNotFound(sessionId);
    }
    return session;
  };

  return agent({ name: 'demo-agent' })
    .onRequest('initialize', ({ params }) => {
      can = params.clientCapabilities ?? {};
      return {
        protocolVersion: 1,
        agentInfo: { name: 'demo-agent', title: 'Demo Agent', version: '1.0.0' },
        agentCapabilities: { promptCapabilities: { embeddedContext: true }, sessionCapabilities: { close: {} } },
        authMethods: [],
      };
    })
    .onRequest('authenticate', () => ({}))
    .onRequest('session/new', ({ params, client }) => {
      const session = new Session(params.cwd);
      sessions.set(session.id, session);
      // After the answer, so that the host knows the session by then.
      setImmediate(() => {
        void client.notify('session/update', {
          sessionId: session.id,
          update: { sessionUpdate: 'available_commands_update', availableCommands },
        });
      });
      return { sessionId: session.id, modes: modesOf(session) };
    })
    .onRequest('session/close', ({ params }) => {
      sessions.get(params.sessionId)?.cancel();
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest('session/set_mode', async ({ params, client }) => {
      const session = find(params.sessionId);
      const mode = MODES.find(({ id }) => id === params.modeId);
      if (!mode) {
        throw RequestError.invalidParams({ details: `There is no mode ${params.modeId}.` });
      }
      session.mode = mode.id;
      const update = { sessionUpdate: 'current_mode_update' as const, currentModeId: mode.id };
      await client.notify('session/update', { sessionId: session.id, update });
      return {};
    })
    .onRequest('session/prompt', ({ params, client }) => prompt(find(params.sessionId), params, client, can, pace))
    .onNotification('session/cancel', ({ params }) => {
      sessions.get(params.sessionId)?.cancel();
    });
}

const MODES = [
  { id: 'ask', name: 'Ask before edits', description: 'Shows each edit before it makes it.' },
  { id: 'plan', name: 'Plan only', description: 'Makes a plan and shows edits, but changes nothing.' },
] as const;

function modesOf(session: Session): SessionModeState {
  return { currentModeId: session.mode, availableModes: [...MODES] };
}

async function prompt(
  session: Session,
  params: PromptRequest,
  client: AgentContext,
  can: ClientCapabilities,
  pace: number,
): Promise<{ stopReason: 'end_turn' | 'cancelled' }> {
  const signal = session.begin();
  if (!signal) {
    throw RequestError.invalidRequest({ details: 'A prompt is already running in this session.' });
  }
  const text = params.prompt
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
  try {
    await scriptFor(text)(new Turn(client, session, can, signal, pace), text);
    return { stopReason: 'end_turn' };
  } catch (error) {
    if (error instanceof TurnCancelled) {
      return { stopReason: 'cancelled' };
    }
    throw error;
  } finally {
    session.finish();
  }
}
