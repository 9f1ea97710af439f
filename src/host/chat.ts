/**
 * The one chat of a window: which agent, in which folder, in which session. Views show it, commands act on it.
 *
 * A session exists before its agent does, so a chat always has something to show; what was said before a reload is
 * folded into a new session, whose agent remembers nothing of it.
 */
import type { Agent, AgentSpec } from '../agent/agent.js';
import type { Approvals, PendingApproval } from '../agent/approvals.js';
import type { Disposable, Log } from '../agent/ports.js';
import type { AgentSession } from '../agent/session.js';
import { closingEvents, readSession, SessionLog, type SavedSession } from '../agent/sessionLog.js';
import type { Supervisor } from '../agent/supervisor.js';
import type { EditsChoice, PanelState, ToView } from '../core/messages.js';
import { seamNotice } from '../core/notices.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { emptyTranscript, type Transcript } from '../core/transcript/model.js';
import type { AgentList } from './agentList.js';
import { absentAgent, dateWords, sameSpec, savedChat, text, type SavedChat } from './chatMemory.js';
import { ChoosingEdits } from './choosingEdits.js';
import { Disposables, Emitter } from './emitter.js';
import type { BoundFolder } from './bindFolder.js';
import { stateKeys } from './ids.js';

/** What is kept per workspace between windows. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export type ChatPorts = {
  readonly supervisor: Supervisor;
  readonly approvals: Approvals;
  readonly agents: AgentList;
  readonly log: Log;
  readonly memory: Memory;
  /** Where sessions are saved; undefined: nowhere. */
  readonly sessionsFolder: string | undefined;
  readonly folder: (preferred?: string) => BoundFolder | null;
  readonly edits: () => EditsChoice;
  readonly writeEdits: (choice: EditsChoice) => Promise<void>;
  readonly defaultAgent: () => string | undefined;
  readonly isTrusted: () => boolean;
  readonly oldDialog: () => boolean;
  readonly now: () => number;
};

/** Messages that do not follow from the state: they go to the view that shows the chat, once it is there. */
export type ViewNudge = Extract<ToView, { type: 'reveal' | 'focusComposer' | 'setComposer' }>;

export class Chat implements Disposable {
  readonly #event = new Emitter<SessionEvent>();
  readonly #reset = new Emitter<void>();
  readonly #changed = new Emitter<void>();
  readonly #nudge = new Emitter<ViewNudge>();
  /** One event was folded into `transcript`. */
  readonly onEvent = this.#event.on;
  /** Another session is shown now. */
  readonly onReset = this.#reset.on;
  /** Something of `panel` changed. */
  readonly onDidChange = this.#changed.on;
  readonly onNudge = this.#nudge.on;

  #folder: BoundFolder | null = null;
  #agent: Agent | null = null;
  #session: AgentSession | null = null;
  #sessionLog: SessionLog | null = null;
  #chat = 0;
  #draft = '';
  readonly #choosing: ChoosingEdits;
  #bound = new Disposables();
  readonly #ports: ChatPorts;

  constructor(ports: ChatPorts) {
    this.#ports = ports;
    this.#choosing = new ChoosingEdits(ports.writeEdits, ports.log, () => {
      this.#changed.fire();
    });
    const draft = ports.memory.get(stateKeys.draft);
    this.#draft = typeof draft === 'string' ? draft : '';
    this.#folder = ports.folder(text(ports.memory.get(stateKeys.folder)));
    this.#chat = ports.now();
    if (!this.#restore()) {
      this.#begin();
    }
  }

  get transcript(): Transcript {
    return this.#session?.transcript ?? emptyTranscript;
  }

  get session(): AgentSession | null {
    return this.#session;
  }

  get agent(): Agent | null {
    return this.#agent;
  }

  get agentName(): string | null {
    return this.#agent?.spec.name ?? null;
  }

  get folder(): BoundFolder | null {
    return this.#folder;
  }

  /** Changes with every session that is shown. */
  get chat(): number {
    return this.#chat;
  }

  /** Requests of every session of the window, oldest first. */
  get approvals(): Approvals {
    return this.#ports.approvals;
  }

  /** Those that a person can answer now. */
  get waiting(): readonly PendingApproval[] {
    return this.approvals.pending.filter(({ approval }) => approval.preparing !== true);
  }

  /** A body by its id, or null where it is no longer kept. */
  body(bodyId: string): string | null {
    return this.#agent?.bodies.get(bodyId) ?? null;
  }

  panel(surface: 'sidebar' | 'editor'): PanelState {
    const { agents, edits, isTrusted, oldDialog, approvals } = this.#ports;
    return {
      surface,
      folder: this.#folder === null ? null : { name: this.#folder.name },
      trusted: isTrusted(),
      agents: agents.choices,
      agent: this.agentName,
      agentState: this.#agent?.state ?? { state: 'stopped' },
      agentVersion: this.#agent?.info?.version ?? null,
      edits: this.#choosing.choice ?? edits(),
      oldDialog: oldDialog() && approvals.pending.length > 0,
      draft: this.#draft,
    };
  }

  /** Sends, or queues while a turn runs, `next` before the others. What cannot be sent yet stays in the composer. */
  sendPrompt(prompt: string, place: 'next' | 'last' = 'last'): void {
    if (this.#choosing.written !== null) {
      // Chosen a moment ago: the agent must start with it.
      void this.#choosing.written.then(() => {
        this.sendPrompt(prompt, place);
      });
      return;
    }
    if (this.#session === null || !this.#ports.isTrusted() || this.#ports.edits() === 'unset') {
      this.nudge({ type: 'setComposer', text: prompt });
      return;
    }
    this.#takeUpNewSpec();
    this.setDraft('');
    this.#session.prompt(prompt, place);
  }

  /** Sends a prompt of the queue that waits although no turn runs. */
  sendQueued(promptId: string): void {
    this.#takeUpNewSpec();
    this.#session?.sendQueued(promptId);
  }

  /** Answers how the agent may edit files. Shown at once; a prompt waits until it is written. */
  chooseEdits(choice: 'ask' | 'off'): void {
    this.#choosing.choose(choice);
  }

  stop(): void {
    this.#session?.cancel();
  }

  /** The last prompt of this chat, also of its restored part. */
  get lastPrompt(): string | null {
    const last = this.transcript.pages.flat().findLast((entry) => entry.kind === 'user');
    return this.#session?.lastPrompt ?? last?.text ?? null;
  }

  /** Sends the last prompt again. Nothing happens while a turn runs. */
  retry(): void {
    const prompt = this.lastPrompt;
    if (prompt !== null && this.#session?.busy === false) {
      this.#takeUpNewSpec();
      this.#session.prompt(prompt);
    }
  }

  /** Puts a queued prompt back with other words: last in the queue, or in the composer where nothing runs. */
  editQueued(promptId: string, prompt: string): void {
    const session = this.#session;
    if (session === null || !this.transcript.queue.some((queued) => queued.promptId === promptId)) {
      return;
    }
    session.removeQueued(promptId);
    if (session.busy) {
      session.prompt(prompt);
    } else {
      this.nudge({ type: 'setComposer', text: [this.#draft, prompt].filter((part) => part !== '').join('\n\n') });
    }
  }

  setDraft(draft: string): void {
    if (draft !== this.#draft) {
      this.#draft = draft;
      this.#ports.memory.set(stateKeys.draft, draft);
    }
  }

  nudge(message: ViewNudge): void {
    this.#nudge.fire(message);
  }

  /** Shows an empty session. A running turn of the one before is cancelled; its transcript stays on disk. */
  newSession(folder: BoundFolder | null = this.#folder): void {
    this.#folder = folder;
    this.#ports.memory.set(stateKeys.folder, folder?.path);
    this.#ports.memory.set(stateKeys.session, undefined);
    this.#begin(this.agentName ?? undefined);
  }

  /** Chooses an agent by name. An empty chat is handed over; another one stays behind as a saved session. */
  selectAgent(name: string): void {
    if (name === this.agentName || this.#ports.agents.find(name) === undefined) {
      return;
    }
    this.#ports.memory.set(stateKeys.agent, name);
    this.#ports.memory.set(stateKeys.session, undefined);
    this.#begin(name);
  }

  /** Ends the process; the next prompt starts it anew. */
  async restartAgent(): Promise<void> {
    await this.#agent?.restart();
    this.#takeUpNewSpec();
  }

  /** The folders of the window, its trust, the agents or a setting of the panel changed. */
  refresh(): void {
    const folder = this.#ports.folder(this.#folder?.path);
    if (folder?.path !== this.#folder?.path) {
      this.newSession(folder);
      return;
    }
    this.#folder = folder;
    if (this.#agent === null || this.transcript.count === 0) {
      const wanted = this.#wantedAgent(undefined);
      if (wanted?.name !== this.agentName) {
        this.#begin(wanted?.name);
        return;
      }
      this.#takeUpNewSpec();
    }
    this.#changed.fire();
  }

  dispose(): void {
    this.#bound.dispose();
    this.#sessionLog?.close();
    for (const emitter of [this.#event, this.#reset, this.#changed, this.#nudge]) {
      emitter.dispose();
    }
  }

  #wantedAgent(name: string | undefined): AgentSpec | undefined {
    const { agents, memory, defaultAgent } = this.#ports;
    const names = [name, text(memory.get(stateKeys.agent)), defaultAgent()];
    const named = names.map((each) => (each === undefined ? undefined : agents.find(each)));
    // Somebody who just installed this should be able to type: the demo agent is there where nothing is configured.
    return named.find((spec) => spec !== undefined) ?? agents.specs[0];
  }

  /** An empty session of the agent of this name, else of the one that was chosen before. */
  #begin(name?: string): void {
    const spec = this.#wantedAgent(name);
    const agent =
      spec === undefined || this.#folder === null ? null : this.#ports.supervisor.agentFor(spec, this.#folder);
    this.#chat = Math.max(this.#ports.now(), this.#chat + 1);
    this.#adopt(agent, agent?.createSession() ?? null, []);
  }

  #adopt(agent: Agent | null, session: AgentSession | null, earlier: readonly SessionEvent[]): void {
    this.#leave(agent);
    this.#agent = agent;
    this.#session = session;
    if (agent !== null && session !== null) {
      this.#sessionLog = this.#saveAs(agent, earlier);
      for (const event of earlier) {
        session.emit(event);
      }
      const saved: SavedChat = { log: this.#sessionLog?.id ?? '', chat: this.#chat };
      this.#bound.add(
        session.onEvent((event) => {
          if (this.#sessionLog?.begun === false) {
            this.#ports.memory.set(stateKeys.session, saved);
          }
          this.#sessionLog?.append(event);
          this.#event.fire(event);
        }),
      );
      this.#bound.add(
        agent.onDidChange(() => {
          this.#changed.fire();
        }),
      );
    }
    this.#reset.fire();
    this.#changed.fire();
  }

  #leave(next: Agent | null): void {
    this.#bound.dispose();
    this.#bound = new Disposables();
    this.#sessionLog?.close();
    this.#sessionLog = null;
    const [agent, session] = [this.#agent, this.#session];
    if (agent === null || session === null) {
      return;
    }
    session.cancel();
    void agent.closeSession(session).then(() => {
      // Nobody can see this agent any more, so it must not go on working.
      if (agent !== next && agent !== this.#agent) {
        return agent.stop();
      }
      return undefined;
    });
  }

  #saveAs(agent: Agent, earlier: readonly SessionEvent[]): SessionLog | null {
    const { sessionsFolder, log } = this.#ports;
    if (sessionsFolder === undefined) {
      return null;
    }
    const startedAt = this.#ports.now();
    const header = { version: 1, agent: agent.spec.name, folder: agent.folder.path, startedAt } as const;
    return new SessionLog(sessionsFolder, `${startedAt}-${process.pid}-${this.#chat}`, header, log, earlier);
  }

  #restore(): boolean {
    const saved = savedChat(this.#ports.memory.get(stateKeys.session));
    const { sessionsFolder } = this.#ports;
    const session =
      saved === undefined || sessionsFolder === undefined ? undefined : readSession(sessionsFolder, saved.log);
    if (saved === undefined || session === undefined || session.header.folder !== this.#folder?.path) {
      return false;
    }
    this.#chat = saved.chat;
    const spec = this.#ports.agents.find(session.header.agent) ?? absentAgent(session.header.agent);
    this.#resume(spec, this.#folder, session);
    this.#say(`Saved on this computer, ${dateWords(session.savedAt)}`);
    return true;
  }

  /** Folds what was said into a new session, and brings it to rest. */
  #resume(spec: AgentSpec, folder: BoundFolder, { events }: Pick<SavedSession, 'events'>): void {
    const agent = this.#ports.supervisor.agentFor(spec, folder);
    this.#adopt(agent, agent.createSession(), events);
    const closing = closingEvents(this.transcript, spec.name, events.at(-1)?.at ?? this.#ports.now());
    for (const event of closing.events) {
      this.#session?.emit(event);
    }
    if (closing.queued.length > 0) {
      this.setDraft([this.#draft, ...closing.queued].filter((part) => part.trim() !== '').join('\n\n'));
    }
  }

  /** Ends the restored part with a line, unless it ends with one already. */
  #say(sentence: string): void {
    const last = this.transcript.pages.at(-1)?.at(-1);
    const said = last?.kind === 'notice' && last.notice.code === 'seam' && last.notice.what.startsWith('Saved on');
    if (this.transcript.count > 0 && !said) {
      this.#session?.emit({ type: 'noticeShown', at: this.#ports.now(), notice: seamNotice(sentence) });
    }
  }

  /** A changed command or environment counts from the next start: the conversation moves to an agent with it. */
  #takeUpNewSpec(): void {
    const [agent, folder] = [this.#agent, this.#folder];
    const spec = agent === null ? undefined : this.#ports.agents.find(agent.spec.name);
    const runs = agent?.state.state === 'ready' || agent?.state.state === 'starting';
    if (agent === null || folder === null || spec === undefined || runs || sameSpec(spec, agent.spec)) {
      return;
    }
    this.#resume(spec, folder, { events: this.#savedEvents() });
  }

  #savedEvents(): readonly SessionEvent[] {
    const { sessionsFolder } = this.#ports;
    const sessionLog = this.#sessionLog;
    sessionLog?.close();
    return sessionsFolder === undefined || sessionLog === null
      ? []
      : (readSession(sessionsFolder, sessionLog.id)?.events ?? []);
  }
}
