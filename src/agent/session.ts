/**
 * One conversation with an agent: its transcript, its queue of prompts and its turns.
 *
 * It exists before the agent does: a prompt starts the agent. At most one prompt is in flight on the wire; the rest
 * wait in the queue, where they can be seen, edited and removed. Stop never sends the queue: what was queued before it
 * is held until the person takes it up again.
 */
import { HostError } from '../core/errors.js';
import {
  boundNotice,
  didNotStopNotice,
  exitedNotice,
  signInNotice,
  stillBusyNotice,
  stopReasonNotice,
  turnFailedNotice,
} from '../core/notices.js';
import { cut, limits } from '../core/text/limits.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { emptyTranscript, inlineText, type Notice, type Transcript } from '../core/transcript/model.js';
import { normalizeUpdate } from '../core/transcript/normalize.js';
import { reduce } from '../core/transcript/reduce.js';
import { Withdrawal } from './approvals.js';
import type { Bodies } from './bodies.js';
import type { Disposable } from './ports.js';
import type { Earlier } from './openSession.js';
import { StartError, type Gone, type SessionLink } from './sessionLink.js';
import { PromptQueue } from './promptQueue.js';
import { SessionSettings } from './sessionSettings.js';
import { TurnBudget } from './turnBudget.js';
import { describeError, saidAbove } from './turnErrors.js';

type Turn = { readonly number: number; readonly text: string; readonly abort: AbortController; answered: boolean };
export type SessionListener = (event: SessionEvent, transcript: Transcript) => void;

export class AgentSession {
  /** The agent's id for this session, raw, or null while there is none. */
  sessionId: string | null = null;
  #transcript: Transcript = emptyTranscript;
  #seq = 0;
  #turn: Turn | null = null;
  /** The prompt of a turn that was ended here while the agent still works on it. */
  #orphan: Promise<void> | null = null;
  #inFlight: Promise<void> = Promise.resolve();
  #lastPrompt: string | null = null;
  #graceTimer: NodeJS.Timeout | undefined;
  #disposed = false;
  #toldForgotten = false;
  /** The agent replays what stands in the transcript already. */
  isReplaying = false;
  readonly #queue: PromptQueue;
  readonly #listeners = new Set<SessionListener>();
  readonly #budget = new TurnBudget();
  readonly #settings: SessionSettings;

  constructor(
    readonly key: string,
    private readonly link: SessionLink,
    private readonly bodies: Bodies,
    readonly now: () => number = Date.now,
  ) {
    this.#settings = new SessionSettings(this, link);
    this.#queue = new PromptQueue(this);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Number of events folded so far. */
  get seq(): number {
    return this.#seq;
  }

  get agentName(): string {
    return this.link.agentName;
  }

  get lastPrompt(): string | null {
    return this.#lastPrompt;
  }

  /** True from the moment a prompt is taken until its turn ended. */
  get busy(): boolean {
    return this.#turn !== null;
  }

  /** Aborted when the running turn ends or is cancelled; an aborted signal where none runs. */
  get turnSignal(): AbortSignal {
    return this.#turn?.abort.signal ?? AbortSignal.abort(new Withdrawal('cancel'));
  }

  /** Called after each event, with the transcript it led to. */
  onEvent(listener: SessionListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Folds one event. The only way in. */
  emit(event: SessionEvent): void {
    if (this.#disposed) {
      return;
    }
    const shrunk = this.bodies.shrink(event);
    this.#transcript = reduce(this.#transcript, shrunk);
    this.#seq += 1;
    for (const listener of [...this.#listeners]) {
      listener(shrunk, this.#transcript);
    }
  }

  /**
   * Sends a prompt, or queues it while a turn runs, `next` before what waits. An empty text is ignored; a too long one
   * is cut.
   */
  prompt(text: string, place: 'next' | 'last' = 'last'): void {
    const bounded = cut(text, limits.promptText);
    if (bounded.trim().length === 0 || this.#disposed) {
      return;
    }
    if (this.#turn !== null || this.#orphan !== null) {
      this.#enqueue(bounded, place);
      return;
    }
    this.#start(bounded);
  }

  removeQueued(promptId: string): void {
    this.#queue.remove(promptId);
  }

  /** Sends a queued prompt that was held, as soon as nothing else is on the wire. */
  sendQueued(promptId: string): void {
    this.#queue.release(promptId);
    this.#next(promptId);
  }

  /** Sends the last prompt again, as a new turn. Nothing happens while one runs. */
  retry(): void {
    if (this.#turn === null && this.#lastPrompt !== null) {
      this.prompt(this.#lastPrompt);
    }
  }

  /**
   * Stops the running turn: everything that waits for a person is answered `cancelled` at once and the agent is told.
   * A second call ends the turn here, whatever the agent does.
   */
  cancel(): void {
    const turn = this.#turn;
    if (turn === null) {
      return;
    }
    if (turn.abort.signal.aborted) {
      this.#orphan = this.#inFlight;
      this.#end(turn, 'cancelled');
      return;
    }
    this.#queue.hold();
    this.emit({ type: 'cancelRequested', at: this.now() });
    turn.abort.abort(new Withdrawal('cancel'));
    if (this.sessionId !== null) {
      void this.link.notify('session/cancel', { sessionId: this.sessionId }).catch(() => undefined);
    }
    this.#graceTimer = setTimeout(() => {
      this.emit({
        type: 'noticeShown',
        at: this.now(),
        notice: didNotStopNotice(this.agentName, limits.cancelGrace / 1000),
      });
    }, limits.cancelGrace);
    this.#graceTimer.unref();
  }

  /** A `session/update` for this session, in wire order. Never throws. */
  update(raw: unknown): void {
    for (const event of normalizeUpdate(raw, this.now())) {
      if (!this.isReplaying || !isConversation(event)) {
        this.#take(this.#settings.read(event));
      }
    }
  }

  /** The session of the agent that this conversation had before its process ended. */
  get earlier(): Earlier | undefined {
    const { sessionId, count } = this.#transcript;
    return this.sessionId === null && sessionId !== null && count > 0 ? { id: sessionId, shown: true } : undefined;
  }

  /**
   * A session of the agent begins or goes on. What the person had set is set again where the agent does not say the
   * same; resolves when it answered.
   */
  async opened(event: Extract<SessionEvent, { type: 'sessionStarted' }>, notice: Notice | undefined): Promise<void> {
    this.emit(event);
    if (notice !== undefined) {
      this.emit({ type: 'noticeShown', at: this.now(), notice });
    }
    this.#toldForgotten = false;
    await this.#settings.setAgain();
  }

  /** The person was told that the agent remembers nothing of the above. */
  get toldForgotten(): boolean {
    return this.#toldForgotten;
  }

  /** True while a queued prompt will be sent without anybody doing anything. */
  get willSend(): boolean {
    return !this.#disposed && this.#queue.next() !== undefined;
  }

  /** Sets one of the agent's options; see `SessionSettings`. */
  setConfigOption(configId: string, value: string | boolean): Promise<void> {
    return this.#settings.setConfigOption(configId, value);
  }

  setMode(modeId: string): Promise<void> {
    return this.#settings.setMode(modeId);
  }

  /** The agent's process ended. */
  agentGone({ exit, seam, reloads }: Gone): void {
    const turn = this.#turn;
    const awaited = exit === undefined && this.#orphan !== null;
    this.#orphan = null;
    this.sessionId = null;
    this.#toldForgotten = reloads === false && (exit !== undefined || seam !== undefined);
    if (awaited) {
      // What was queued after Stop waited for just this end.
      queueMicrotask(() => {
        this.#next();
      });
    } else {
      this.#queue.hold();
    }
    if (exit !== undefined) {
      const { code, signal, tail: stderrTail } = exit;
      const queued = this.#transcript.queue.length;
      const notice = exitedNotice({ ...exit, agent: this.agentName, queued, midTurn: turn !== null, reloads });
      this.#settle(turn, 'exit');
      this.emit({ type: 'agentExited', at: this.now(), code, signal, stderrTail, notice });
    } else if (turn !== null) {
      this.#settle(turn, 'exit');
      this.emit({ type: 'turnEnded', at: this.now(), stopReason: 'cancelled' });
    }
    if (seam !== undefined && this.#transcript.count > 0) {
      this.emit({ type: 'noticeShown', at: this.now(), notice: seam });
    }
  }

  /** Ends everything of this session here. Safe without waiting. */
  dispose(): void {
    const turn = this.#turn;
    this.#settle(turn, 'exit');
    if (turn !== null) {
      this.emit({ type: 'turnEnded', at: this.now(), stopReason: 'cancelled' });
    }
    this.#disposed = true;
    this.#listeners.clear();
  }

  #enqueue(text: string, place: 'next' | 'last'): void {
    if (this.#queue.add(text, place) && this.#turn === null && this.#orphan !== null) {
      this.emit({ type: 'noticeShown', at: this.now(), notice: stillBusyNotice(this.agentName) });
    }
  }

  #start(text: string, promptId?: string): void {
    this.#lastPrompt = text;
    const at = this.now();
    this.emit({ type: 'promptSent', at, text, attachments: [], ...(promptId === undefined ? {} : { promptId }) });
    const turn: Turn = { number: this.#transcript.turn.number, text, abort: new AbortController(), answered: false };
    this.#turn = turn;
    this.#budget.reset();
    this.link.turnStarted(this, text);
    const done = this.#run(turn);
    this.#inFlight = done;
    void done.then(() => {
      if (this.#orphan === done) {
        this.#orphan = null;
        this.#next();
      }
    });
  }

  /** Never rejects. */
  async #run(turn: Turn): Promise<void> {
    try {
      if (this.sessionId === null) {
        await this.link.open(this, turn.abort.signal);
      }
      if (turn.abort.signal.aborted) {
        this.#end(turn, 'cancelled');
        return;
      }
      const prompt = [{ type: 'text', text: turn.text }];
      const result = await this.link.request('session/prompt', { sessionId: this.sessionId, prompt });
      const stopReason = (result as { stopReason?: unknown } | null | undefined)?.stopReason;
      if (typeof stopReason !== 'string') {
        throw new HostError('badParams', 'The answer to the prompt has no stop reason.');
      }
      this.#end(turn, cut(stopReason, 200));
    } catch (error) {
      this.#fail(turn, error);
    }
  }

  #end(turn: Turn, stopReason: string): void {
    if (this.#turn !== turn) {
      return;
    }
    this.#settle(turn, 'cancel');
    const notice = stopReasonNotice(this.agentName, stopReason, turn.answered);
    this.emit({ type: 'turnEnded', at: this.now(), stopReason });
    if (notice !== undefined) {
      this.emit({ type: 'noticeShown', at: this.now(), notice });
    }
    this.#next();
  }

  #fail(turn: Turn, error: unknown): void {
    if (this.#turn !== turn) {
      return;
    }
    if (turn.abort.signal.aborted) {
      // Many agents answer a cancelled prompt with an error. The person asked for the end and got it.
      this.#end(turn, 'cancelled');
      return;
    }
    this.#settle(turn, 'cancel');
    this.#queue.hold();
    const at = this.now();
    if (error instanceof StartError) {
      this.emit({ type: 'turnFailed', at, reason: error.reason, message: error.message, notice: error.notice });
      return;
    }
    const { reason, message, data } = describeError(error);
    const changed = this.#transcript.edits.brokered;
    const notice =
      reason === 'unauthenticated'
        ? signInNotice(this.agentName, undefined)
        : turnFailedNotice(this.agentName, message, changed, data, saidAbove(this.#transcript, message));
    this.emit({ type: 'turnFailed', at, reason, message, ...(data === undefined ? {} : { data }), notice });
  }

  /** Takes the turn off: nothing of it waits any longer. */
  #settle(turn: Turn | null, by: 'cancel' | 'exit'): void {
    clearTimeout(this.#graceTimer);
    if (turn === null || this.#turn !== turn) {
      return;
    }
    const cancelled = turn.abort.signal.aborted;
    turn.abort.abort(new Withdrawal(by));
    this.#turn = null;
    this.link.turnEnded(this, cancelled || by === 'exit');
  }

  /** Sends the next prompt that is not held; this one, where it is named and still waits. */
  #next(promptId?: string): void {
    if (this.#turn !== null || this.#orphan !== null || this.#disposed) {
      return;
    }
    const queued = this.#queue.next(promptId);
    if (queued !== undefined) {
      this.#start(queued.text, queued.promptId);
    }
  }

  #take(event: SessionEvent): void {
    const admitted = this.#budget.admit(event);
    if (admitted === 'drop') {
      return;
    }
    if (admitted === 'last') {
      this.emit({ type: 'noticeShown', at: this.now(), notice: boundNotice(this.agentName) });
      return;
    }
    if (this.#turn !== null && isAnswer(event)) {
      this.#turn.answered = true;
    }
    this.emit(event);
  }
}

/** What was said and done, as against what the session offers and costs. */
function isConversation({ type }: SessionEvent): boolean {
  return ['messageChunk', 'toolChanged', 'agentTerminal', 'planChanged', 'noticeShown'].includes(type);
}

/** Something that a person can take for an answer: a line break is none, and neither is a thought. */
function isAnswer(event: SessionEvent): boolean {
  if (event.type === 'messageChunk') {
    const { role, content } = event;
    return role === 'assistant' && (content.type !== 'text' || inlineText(content.text).trim() !== '');
  }
  return event.type === 'toolChanged' || event.type === 'planChanged';
}
