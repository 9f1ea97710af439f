// @ts-check
/** What one fake agent process knows: its script, its sessions, and which script list serves which message. */
import { Output } from './output.mjs';
import { runSteps, sendFrame } from './steps.mjs';
import { Answers, Arrivals, Once } from './wire.mjs';

/**
 * @typedef {import('../fakeAgentScript.js').FakeAgentScript} FakeAgentScript
 * @typedef {import('../fakeAgentScript.js').PromptScript} PromptScript
 * @typedef {import('../fakeAgentScript.js').Frame} Frame
 * @typedef {import('../fakeAgentScript.js').Step} Step
 * @typedef {import('./output.mjs').Recorder} Recorder
 * @typedef {import('./steps.mjs').Run} Run
 */

/** @param {unknown} value */
const asObject = (value) =>
  /** @type {Record<string, unknown>} */ (typeof value === 'object' && value !== null ? value : {});

/**
 * The text of a prompt, all text blocks joined.
 * @param {unknown} params
 */
function promptText(params) {
  const blocks = asObject(params)['prompt'];
  if (!Array.isArray(blocks)) {
    return '';
  }
  return blocks
    .map((block) => asObject(block)['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

export class State {
  output = new Output();
  arrivals = new Arrivals();
  answers = new Answers();
  /** @type {Set<string>} */
  forbidden = new Set();
  /** @type {Record<string, unknown>} */
  saved = {};
  /** @type {Map<string, unknown>} */
  #cwds = new Map();
  #sessionCount = 0;
  /** Running turns, by session. @type {{ sessionId: unknown, cancelled: Once }[]} */
  #turns = [];
  #ignoresEof = false;
  /** @type {PromptScript[]} */
  #inOrder;

  /**
   * @param {FakeAgentScript} script
   * @param {Recorder} record
   */
  constructor(script, record) {
    this.script = script;
    this.record = record;
    this.#inOrder = (script.prompts ?? []).filter((prompt) => prompt.match === undefined);
  }

  /**
   * @param {string | undefined} name
   * @param {unknown} value
   */
  save(name, value) {
    if (name !== undefined) {
      this.saved[name] = value;
    }
  }

  /** @param {'eof' | 'SIGTERM' | 'SIGINT' | 'SIGHUP'} what */
  ignore(what) {
    if (what !== 'eof') {
      process.on(what, () => this.record.write('signal', { signal: what }));
      return;
    }
    if (!this.#ignoresEof) {
      setInterval(() => {}, 60_000);
    }
    this.#ignoresEof = true;
  }

  /** Runs the `start` steps; nothing was read before. */
  async start() {
    await this.#run(undefined, {}, this.script.start ?? []);
  }

  /** The end of stdin. */
  async end() {
    this.record.write('ended', {});
    await this.#run(undefined, {}, this.script.end ?? []);
    if (!this.#ignoresEof) {
      process.exit(0);
    }
  }

  /**
   * One line from the host. What it starts runs on by itself: the next line does not wait.
   * @param {string} line
   */
  receive(line) {
    /** @type {Frame | null} */
    let frame = null;
    try {
      const value = /** @type {unknown} */ (JSON.parse(line));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        frame = /** @type {Frame} */ (value);
      }
    } catch {
      // The record shows the line; a test decides what it means.
    }
    this.record.write('received', { line, frame });
    if (!frame) {
      return;
    }
    if (typeof frame.method !== 'string') {
      this.answers.add(frame);
      return;
    }
    this.#serve(frame.method, frame);
  }

  /**
   * @param {string} method
   * @param {Frame} frame
   */
  #serve(method, frame) {
    this.arrivals.add(method, frame.params);
    if (this.forbidden.has(method)) {
      this.record.write('violation', { method });
      void this.output.stderr(`fake agent: did not expect ${method}\n`);
    }
    const params = asObject(frame.params);
    if (method === 'session/cancel') {
      for (const turn of this.#turns) {
        if (turn.sessionId === params['sessionId']) {
          turn.cancelled.fire();
        }
      }
    }
    const request = 'id' in frame ? { id: frame.id, answered: false } : undefined;
    const sessionId = this.#sessionOf(method, params);
    const variables = { method, params, sessionId, cwd: this.#cwds.get(String(sessionId)), requestId: frame.id };
    if (method === 'session/prompt' && request) {
      void this.#prompt(request, variables, promptText(params));
      return;
    }
    void this.#run(request, variables, this.#stepsFor(method)).then(async () => {
      if (!request || request.answered) {
        return;
      }
      await this.#answer(request, this.#defaultAnswer(method, variables));
    });
  }

  /**
   * The session that a message is about. session/new makes one, so that its steps can name it before the answer.
   * @param {string} method
   * @param {Record<string, unknown>} params
   */
  #sessionOf(method, params) {
    const sessionId = method === 'session/new' ? `S${(this.#sessionCount += 1)}` : params['sessionId'];
    if (params['cwd'] !== undefined) {
      this.#cwds.set(String(sessionId), params['cwd']);
    }
    return sessionId;
  }

  /**
   * @param {string} method
   * @returns {readonly Step[]}
   */
  #stepsFor(method) {
    const script = this.script.on?.[method];
    if (!script) {
      return [];
    }
    if (!('calls' in script)) {
      return script;
    }
    return script.calls[Math.min(this.arrivals.count(method), script.calls.length) - 1] ?? [];
  }

  /**
   * @param {string} text
   * @returns {PromptScript | undefined}
   */
  #promptScript(text) {
    const matched = this.script.prompts?.find((prompt) => prompt.match !== undefined && text.includes(prompt.match));
    if (matched) {
      return matched;
    }
    const first = this.#inOrder[0];
    if (first && !first.repeat) {
      this.#inOrder.shift();
    }
    return first;
  }

  /**
   * @param {{ id: unknown, answered: boolean }} request
   * @param {Record<string, unknown>} variables
   * @param {string} text
   */
  async #prompt(request, variables, text) {
    const { sessionId } = variables;
    if (!this.script.parallelPrompts && this.#turns.some((turn) => turn.sessionId === sessionId)) {
      await this.#answer(request, { error: { code: -32600, message: 'a prompt is already running in this session' } });
      return;
    }
    const turn = { sessionId, cancelled: new Once() };
    this.#turns.push(turn);
    // The turn ends with its answer, also when more steps follow it.
    const over = () => {
      this.#turns = this.#turns.filter((other) => other !== turn);
    };
    const watched = {
      id: request.id,
      get answered() {
        return request.answered;
      },
      set answered(value) {
        request.answered = value;
        over();
      },
    };
    const script = this.#promptScript(text);
    const steps = this.script.on?.['session/prompt'] ? this.#stepsFor('session/prompt') : (script?.steps ?? OK);
    await this.#run(watched, { ...variables, text }, steps, turn.cancelled);
    if (request.answered) {
      return;
    }
    over();
    const stopReason = turn.cancelled.done ? 'cancelled' : (script?.stopReason ?? 'end_turn');
    await this.#answer(request, { result: { stopReason } });
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} variables
   */
  #defaultAnswer(method, variables) {
    const { script } = this;
    switch (method) {
      case 'initialize': {
        const agentInfo = { name: 'fake-agent', version: '1.0.0', ...script.agentInfo };
        return {
          result: {
            protocolVersion: script.protocolVersion ?? 1,
            agentCapabilities: script.capabilities ?? {},
            authMethods: script.authMethods ?? [],
            ...(script.agentInfo === null ? {} : { agentInfo }),
          },
        };
      }
      case 'session/new':
        return { result: { sessionId: variables['sessionId'], ...script.session } };
      case 'session/load':
      case 'session/resume':
        return { result: { ...script.session } };
      case 'session/set_config_option':
        return { result: { configOptions: script.session?.['configOptions'] ?? [] } };
      case 'authenticate':
      case 'logout':
      case 'session/set_mode':
      case 'session/close':
      case 'session/delete':
        return { result: {} };
      default:
        return { error: { code: -32601, message: `method not found: ${method}` } };
    }
  }

  /**
   * @param {{ id: unknown, answered: boolean }} request
   * @param {object} body
   */
  #answer(request, body) {
    request.answered = true;
    /** @type {Run} */
    const run = { request, variables: {}, cancelled: new Once() };
    return sendFrame(this, run, { jsonrpc: '2.0', id: request.id, ...body });
  }

  /**
   * Runs steps; a fault of the script ends the process with 70 and says why.
   * @param {Run['request']} request
   * @param {Record<string, unknown>} variables
   * @param {readonly Step[]} steps
   * @param {Once} [cancelled]
   */
  async #run(request, variables, steps, cancelled = new Once()) {
    try {
      await runSteps(this, { request, variables, cancelled }, steps);
    } catch (error) {
      this.record.write('failed', { message: String(error) });
      await this.output.stderr(`fake agent: ${String(error)}\n`);
      process.exit(70);
    }
  }
}

/** @type {readonly Step[]} */
const OK = [{ do: 'update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'ok' } } }];
