/**
 * What belongs to one session on the agent's side of the host: its files behind the jail, its terminals, its requests
 * for permission. A call reaches it only with the id of its session.
 */
import { homedir } from 'node:os';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { HostError } from '../core/errors.js';
import { repeatsNotice } from '../core/notices.js';
import { limits } from '../core/text/limits.js';
import { names } from '../core/transcript/tools.js';
import type { Agent } from './agent.js';
import { Withdrawal, type ApprovalOwner } from './approvals.js';
import { Expectations } from './files/expectations.js';
import { createFileService, type FileService } from './files/fileService.js';
import { OutsidePaths } from './outsidePaths.js';
import { requestPermission } from './permissions.js';
import type { ApprovalGate, FileFact, ServePolicy } from './ports.js';
import type { AgentSession } from './session.js';
import { Terminals } from './terminals/terminals.js';
import type { RequestContext } from './wire/connection.js';
import type { PermissionParams } from './wire/tap.js';

export class SessionScope {
  readonly terminals: Terminals;
  readonly #files: FileService;
  readonly #gate: ApprovalGate;
  readonly #expectations = new Expectations();
  readonly #outside: OutsidePaths;
  #gone = new AbortController();
  /** How often a person denied the same in this turn. */
  readonly #denied = new Map<string, number>();

  constructor(
    private readonly session: AgentSession,
    private readonly agent: Agent,
  ) {
    const { services, folder, spec } = agent;
    const owner: ApprovalOwner = {
      key: session.key,
      agentName: spec.name,
      emit: (event) => {
        session.emit(event);
      },
      now: session.now,
    };
    this.#gate = services.approvals.gate(owner);
    // Outside a turn nobody asked for anything, so what is allowed without asking is asked there.
    const policy = (): ServePolicy => {
      const set = services.policy();
      return session.busy ? set : { ...set, acknowledged: false };
    };
    this.#files = createFileService({
      roots: [folder.path, ...folder.more],
      home: homedir(),
      folderName: folder.name,
      editor: services.editor,
      policy,
      gate: this.#gate,
      expectations: this.#expectations,
      onFact: (fact) => {
        this.#fact(fact);
      },
      missingIsEmpty: () => agent.initialized?.quirks.has('missingFileIsEmpty') ?? false,
    });
    this.#outside = new OutsidePaths({
      files: this.#files,
      now: session.now,
      emit: (event) => {
        session.emit(event);
      },
    });
    session.onEvent((event, { turn }) => {
      if (event.type === 'toolChanged') {
        this.#outside.look(event.patch, turn.number);
      }
    });
    this.terminals = new Terminals({
      session,
      cwd: folder.path,
      gate: this.#gate,
      log: services.log,
      policy,
      pinFolder: (path) => this.#files.pinFolder(path),
      environment: (overlay) => agent.environment(overlay),
    });
  }

  /** `promptText`: what the person wrote. */
  startTurn(promptText: string): void {
    this.#denied.clear();
    this.#files.startTurn(promptText);
    this.#outside.startTurn();
    const { session } = this;
    session.turnSignal.addEventListener(
      'abort',
      () => {
        // Stop means the commands too: an agent may wait for one before it answers the cancel.
        if (session.transcript.turn.state === 'cancelling') {
          this.terminals.stopRunning();
        }
      },
      { once: true },
    );
  }

  /** Resolves when the marks of all calls so far are made. */
  settled(): Promise<void> {
    return this.#outside.settled();
  }

  endTurn(cancelled: boolean): void {
    this.#files.endTurn();
    if (cancelled) {
      this.terminals.stopRunning();
    }
  }

  /** The process is gone: nothing that it asked for is answered any more, and what it started here ends. */
  processGone(): void {
    this.#gone.abort(new Withdrawal('exit'));
    this.#gone = new AbortController();
    this.terminals.releaseAll();
  }

  dispose(): void {
    this.processGone();
  }

  permission(params: PermissionParams, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const { agent, session } = this;
    return requestPermission(
      {
        session,
        gate: this.#gate,
        files: this.#files,
        expectations: this.#expectations,
        log: agent.services.log,
        agentName: agent.spec.name,
        folderPath: agent.folder.path,
        policy: () => agent.services.policy(),
        onDenied: (what) => {
          this.#noteDenied(what);
        },
        bodyText: (id) => agent.bodies.get(id),
      },
      params,
      AbortSignal.any([signal, this.#gone.signal]),
    );
  }

  #noteDenied(what: string): void {
    const times = (this.#denied.get(what) ?? 0) + 1;
    this.#denied.set(what, times);
    if (times === limits.sameDenied) {
      const { session, agent } = this;
      session.emit({ type: 'noticeShown', at: session.now(), notice: repeatsNotice(agent.spec.name, times) });
    }
  }

  /** `fs/read_text_file`. https://agentclientprotocol.com/protocol/file-system */
  async read(params: Record<string, unknown>, { signal, room }: RequestContext): Promise<{ content: string }> {
    const { path } = params;
    if (typeof path !== 'string') {
      throw new HostError('badParams', 'The path must be a text.');
    }
    const line = lineNumber(params['line'], 'line');
    const limit = lineNumber(params['limit'], 'limit');
    const content = await this.#files.read({
      path,
      room,
      signal: this.#callSignal(signal),
      ...(line === undefined ? {} : { line }),
      ...(limit === undefined ? {} : { limit }),
    });
    return { content };
  }

  /** `fs/write_text_file`. */
  async write(params: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, never>> {
    const { path, content } = params;
    if (typeof path !== 'string' || typeof content !== 'string') {
      throw new HostError('badParams', 'The path and the content must be texts.');
    }
    if (Buffer.byteLength(content) > limits.writeBytes) {
      throw new HostError('tooLarge', `A write is limited to ${String(limits.writeBytes)} bytes.`);
    }
    const toolCallId = this.#openCall(path);
    await this.#files.write({
      path,
      content,
      signal: this.#callSignal(signal),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    });
    return {};
  }

  /** `terminal/create`. */
  createTerminal(params: Record<string, unknown>, signal: AbortSignal): Promise<{ terminalId: string }> {
    return this.terminals.create(params, this.#callSignal(signal));
  }

  /** The open edit call that names this path: its card is where the question and the outcome belong. */
  #openCall(path: string): string | undefined {
    const { pages, turn } = this.session.transcript;
    for (let p = pages.length - 1; p >= 0; p--) {
      for (const entry of [...(pages[p] ?? [])].reverse()) {
        if (entry.turn < turn.number) {
          return undefined;
        }
        if (
          entry.kind === 'tool' &&
          (entry.status === 'pending' || entry.status === 'in_progress') &&
          names(entry, { path })
        ) {
          return entry.toolCallId;
        }
      }
    }
    return undefined;
  }

  /** Ends with the agent's own withdrawal, with the turn while one runs, and with the process. */
  #callSignal(signal: AbortSignal): AbortSignal {
    const signals = [signal, this.#gone.signal];
    if (this.session.busy) {
      signals.push(this.session.turnSignal);
    }
    return AbortSignal.any(signals);
  }

  #fact({ operation, path, canonical, outcome, reason, provenance }: FileFact): void {
    this.session.emit({
      type: operation === 'read' ? 'fileRead' : 'fileWritten',
      at: this.session.now(),
      path,
      canonical,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(provenance === undefined ? {} : { provenance }),
    });
  }
}

function lineNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw new HostError('badParams', `${name} must be a whole number, 1 or more.`);
  }
  return value;
}
