/**
 * Plays a recording through what a live agent goes through: splitter, tap, session, normalize, reduce, and the one
 * queue of requests. Only the process and the SDK are not there: what the host sent then is read off the recording.
 */
import { Approvals } from '../../src/agent/approvals.js';
import { Bodies } from '../../src/agent/bodies.js';
import { Expectations } from '../../src/agent/files/expectations.js';
import { createFileService } from '../../src/agent/files/fileService.js';
import { requestPermission } from '../../src/agent/permissions.js';
import { AgentSession } from '../../src/agent/session.js';
import type { SessionLink } from '../../src/agent/sessionLink.js';
import { FrameSplitter, isRecord } from '../../src/agent/wire/framing.js';
import { Tap, type PermissionParams } from '../../src/agent/wire/tap.js';
import type { TrafficLine } from '../../src/agent/wire/traffic.js';
import type { Transcript } from '../../src/core/transcript/model.js';
import { normalizeModes, normalizeOptions } from '../../src/core/transcript/normalizeSetup.js';

type Message = Readonly<Record<string, unknown>>;
type Prompt = { readonly session: AgentSession; resolve(result: unknown): void; reject(error: Error): void };

const START = 1_000_000;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Replay {
  readonly sessions = new Map<string, AgentSession>();
  /** What the splitter or the session could not take. */
  readonly faults: unknown[] = [];
  #t = 0;
  readonly #bodies = new Bodies();
  readonly #approvals = new Approvals();
  /** The host's requests that have no answer yet, by id. */
  readonly #sent = new Map<unknown, Message>();
  /** The agent's requests that have no answer yet, by id. */
  readonly #asked = new Map<unknown, Message>();
  /** Prompts of the recording, in order, and those that the session has sent. */
  readonly #recorded: unknown[] = [];
  readonly #prompts: Prompt[] = [];
  readonly #answers = new Map<unknown, Message>();
  readonly #early: Message[] = [];
  readonly #tap = new Tap({
    onUpdate: (params) => this.#update(params),
    onPermission: (params, signal) => this.#permission(params, signal),
  });
  readonly #splitter = new FrameSplitter({
    onMessage: (message) => this.#fromAgent(message),
    onNoise: () => undefined,
    onBatch: () => this.faults.push('batch'),
    onOverflow: () => this.faults.push('overflow'),
  });

  /** `folder` stands for the folder of the recording: paths of it are looked at as a live host would. */
  constructor(private readonly folder: string) {}

  async play(lines: readonly TrafficLine[]): Promise<void> {
    for (const line of lines) {
      this.#t = line.t;
      if (line.dir === 'a2c') {
        this.#splitter.push(Buffer.from(`${JSON.stringify(line.msg)}\n`));
      } else if (line.dir === 'stdout-noise') {
        this.#splitter.push(Buffer.from(`${line.line}\n`));
      } else if (line.dir === 'c2a') {
        await this.#fromHost(line.msg);
      } else if (line.dir === 'note' && line.line.startsWith('exit ')) {
        this.#exit(line.line);
      }
      await settled();
    }
    this.#exit('exit code=0 signal=null');
    for (const session of this.sessions.values()) {
      session.dispose();
    }
  }

  get transcripts(): readonly Transcript[] {
    return [...this.sessions.values()].map(({ transcript }) => transcript);
  }

  async #fromHost(message: Message): Promise<void> {
    const { id, method } = message;
    const params = isRecord(message['params']) ? message['params'] : {};
    if (method === undefined) {
      await this.#answer(id, message);
      return;
    }
    if (id !== undefined) {
      this.#sent.set(id, message);
    }
    const session = this.#session(params['sessionId']);
    if (method === 'session/load' || method === 'session/resume') {
      this.#open(params['sessionId'], {});
    } else if (method === 'session/cancel') {
      session?.cancel();
    } else if (method === 'session/prompt' && session !== undefined) {
      this.#recorded.push(id);
      session.prompt(promptText(params['prompt']));
    }
  }

  #fromAgent(message: Record<string, unknown>): void {
    try {
      const left = this.#tap.take(message) as Message | undefined;
      if (left !== undefined && message['method'] === undefined) {
        this.#response(message);
      } else if (message['method'] !== undefined && message['id'] !== undefined) {
        this.#asked.set(message['id'], message);
      }
    } catch (error) {
      this.faults.push(error);
    }
  }

  #response(message: Message): void {
    const request = this.#sent.get(message['id']);
    this.#sent.delete(message['id']);
    const result = isRecord(message['result']) ? message['result'] : {};
    const params = isRecord(request?.['params']) ? request['params'] : {};
    switch (request?.['method']) {
      case 'session/new':
        this.#open(result['sessionId'], result);
        break;
      case 'session/load':
      case 'session/resume':
        this.#started(this.#session(params['sessionId']), result);
        break;
      case 'session/prompt':
        this.#answers.set(message['id'], message);
        this.#endPrompts();
    }
  }

  #open(id: unknown, result: Message): void {
    if (typeof id !== 'string') {
      return;
    }
    const link: SessionLink = {
      agentName: 'Agent',
      open: () => Promise.resolve(),
      request: (method) => (method === 'session/prompt' ? this.#prompt(id) : Promise.resolve({})),
      notify: () => Promise.resolve(),
      turnStarted: () => undefined,
      turnEnded: () => undefined,
    };
    const session = new AgentSession(id, link, this.#bodies, () => START + this.#t);
    session.sessionId = id;
    const before = this.sessions.get(id);
    if (before !== undefined) {
      // A load tells the conversation anew, by another process.
      this.sessions.set(`${id} before ${String(this.#t)}`, before);
    }
    this.sessions.set(id, session);
    this.#started(session, result);
    for (const params of this.#early.splice(0)) {
      this.#update(params);
    }
  }

  #started(session: AgentSession | undefined, result: Message): void {
    const modes = normalizeModes(result['modes']);
    const options = normalizeOptions(result['configOptions']);
    session?.emit({ type: 'sessionStarted', at: session.now(), sessionId: session.key, modes, options });
  }

  #prompt(id: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const session = this.sessions.get(id);
      if (session !== undefined) {
        this.#prompts.push({ session, resolve, reject });
        queueMicrotask(() => this.#endPrompts());
      }
    });
  }

  /** The host sends its prompts one by one, also where the recording has two at once: the order is the same. */
  #endPrompts(): void {
    for (const [index, prompt] of this.#prompts.entries()) {
      const answer = this.#answers.get(this.#recorded[index]);
      const error = answer?.['error'];
      if (isRecord(error)) {
        prompt.reject(Object.assign(new Error(String(error['message'])), { code: error['code'], data: error['data'] }));
      } else if (answer !== undefined) {
        prompt.resolve(answer['result']);
      }
    }
  }

  #update(params: Message): void {
    const session = this.#session(params['sessionId']);
    if (session === undefined) {
      this.#early.push(params);
    } else {
      session.update(params['update']);
    }
  }

  #permission(params: PermissionParams, signal: AbortSignal): ReturnType<typeof requestPermission> {
    const session = this.#session(params.sessionId);
    if (session === undefined) {
      return Promise.resolve({ outcome: { outcome: 'cancelled' as const } });
    }
    const { key, now } = session;
    const gate = this.#approvals.gate({ key, agentName: 'Agent', now, emit: (event) => session.emit(event) });
    const policy = () => ({ read: true, write: 'ask' as const, terminal: 'ask' as const, acknowledged: false });
    const expectations = new Expectations();
    const files = createFileService({
      ...{ roots: [this.folder], folderName: 'workspace', policy, gate, expectations, onFact: () => undefined },
      editor: { openText: () => undefined, write: () => Promise.resolve({ outcome: 'notOpen' as const }) },
    });
    const log = { info: () => undefined, warn: (what: string) => void this.faults.push(what) };
    const bodyText = (id: string) => this.#bodies.get(id);
    return requestPermission(
      { session, gate, files, expectations, log, agentName: 'Agent', folderPath: this.folder, policy, bodyText },
      params,
      signal,
    );
  }

  /** What the host answered then is answered now; a request that is settled already stays so. */
  async #answer(id: unknown, message: Message): Promise<void> {
    const request = this.#asked.get(id);
    this.#asked.delete(id);
    const params = isRecord(request?.['params']) ? request['params'] : {};
    const result = isRecord(message['result']) ? message['result'] : {};
    if (request?.['method'] === 'session/request_permission') {
      const call = isRecord(params['toolCall']) ? params['toolCall']['toolCallId'] : undefined;
      const waiting = () => this.#approvals.pending.find(({ approval }) => approval.toolCallId === call);
      while (waiting()?.approval.preparing === true) {
        await settled();
      }
      const approvalId = waiting()?.approval.approvalId ?? '';
      const outcome = isRecord(result['outcome']) ? result['outcome'] : {};
      if (typeof outcome['optionId'] === 'string') {
        this.#approvals.answer(approvalId, outcome['optionId']);
      } else {
        this.#approvals.decide(approvalId, 'cancel');
      }
      return;
    }
    this.#terminal(request, params, result);
  }

  #terminal(request: Message | undefined, params: Message, result: Message): void {
    const session = this.#session(params['sessionId']);
    const terminalId = String(params['terminalId'] ?? result['terminalId']);
    const at = session?.now() ?? 0;
    switch (request?.['method']) {
      case 'terminal/create':
        session?.emit({ type: 'terminalStarted', at, terminalId, command: String(params['command']) });
        break;
      case 'terminal/output': {
        const tail = String(result['output']);
        const lines = tail.split('\n').length - 1;
        session?.emit({ type: 'terminalOutput', at, terminalId, tail, lines, truncated: result['truncated'] === true });
        break;
      }
      case 'terminal/wait_for_exit':
        session?.emit({ type: 'terminalExited', at, terminalId, code: Number(result['exitCode'] ?? 0), signal: null });
    }
  }

  #exit(note: string): void {
    const [, code = 'null', signal = 'null'] = /code=(\w+) signal=(\w+)/.exec(note) ?? [];
    for (const session of this.sessions.values()) {
      // Where no turn runs, the end is the one that was asked for.
      if (session.busy) {
        session.agentGone({
          exit: {
            code: code === 'null' ? null : Number(code),
            signal: signal === 'null' ? null : signal,
            tail: [],
            afterMs: this.#t,
          },
        });
      }
    }
  }

  #session(id: unknown): AgentSession | undefined {
    return typeof id === 'string' ? this.sessions.get(id) : undefined;
  }
}

function promptText(prompt: unknown): string {
  const blocks = Array.isArray(prompt) ? (prompt as unknown[]) : [];
  return blocks.map((block) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('\n');
}
