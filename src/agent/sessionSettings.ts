/**
 * Modes and options of a session: what is sent, and what is believed of the answer. Shown is what the agent confirmed
 * last. Agents tell of a change before they answer, after it, in the answer, or not at all; where they say nothing else,
 * an answer without an error confirms what was asked for.
 * https://agentclientprotocol.com/protocol/session-config-options, https://agentclientprotocol.com/protocol/session-modes
 */
import { HostError } from '../core/errors.js';
import { notChangedNotice } from '../core/notices.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { inlineText, type ConfigOption } from '../core/transcript/model.js';
import { modeControl, modeNameOf, modeOption } from '../core/transcript/modes.js';
import { normalizeOptions } from '../core/transcript/normalizeSetup.js';
import type { AgentSession } from './session.js';
import type { SessionLink } from './sessionLink.js';
import { describeError } from './turnErrors.js';
import { isRecord } from './wire/framing.js';
import { agentError, methodNotFound } from './wire/wireErrors.js';

/** No option has this id: ids are the agent's and never empty. */
const modeKey = '';

export class SessionSettings {
  /** What a person set and the agent took, in their order: it is theirs and not the process's. */
  readonly #wanted = new Map<string, string | boolean>();

  constructor(
    private readonly session: AgentSession,
    private readonly link: SessionLink,
  ) {}

  /** Sets what a person had set before, one after the other, where it is offered and not so by now. Never rejects. */
  async setAgain(): Promise<void> {
    for (const [id, value] of [...this.#wanted]) {
      const { transcript } = this.session;
      const isMode = id === modeKey;
      const now = isMode ? modeControl(transcript)?.current.id : this.#option(id)?.value;
      if (now !== undefined && now !== value) {
        const set = isMode ? this.setMode(String(value)) : this.setConfigOption(id, value);
        // What the agent refuses stands in the conversation.
        await set.catch(() => undefined);
      }
    }
  }

  /**
   * Asks the agent for a mode, in the way that it offers. Until it answered the mode is pending; one that it refuses, or
   * answers with another, is said in the conversation. Rejects with the agent's error.
   */
  async setMode(modeId: string): Promise<void> {
    const { session, link } = this;
    const optionId = modeControl(session.transcript)?.optionId ?? null;
    await this.#changeMode(modeId, async () => {
      if (optionId !== null) {
        try {
          return await this.#sendOption(optionId, modeId);
        } catch (error) {
          // Some take the mode only by the older method, although they list it as an option.
          if (agentError(error)?.code !== methodNotFound || session.transcript.modes === null) {
            throw error;
          }
        }
      }
      return link.request('session/set_mode', { sessionId: session.sessionId, modeId });
    });
  }

  /** Sets one of the agent's options. The list that it answers with replaces the one shown. Rejects as `setMode`. */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const { session } = this;
    if (typeof value === 'string' && modeOption(session.transcript)?.id === configId) {
      await this.#changeMode(value, () => this.#sendOption(configId, value));
      return;
    }
    this.#needsSession();
    try {
      const result = await this.#sendOption(configId, value);
      if (!this.#takeOptions(result)) {
        this.#assume(configId, value);
      }
      this.#wanted.set(configId, value);
    } catch (error) {
      const option = this.#option(configId);
      this.#tellNotChanged({ what: option?.name ?? configId, wanted: String(value), stays: shown(option) }, error);
      throw error;
    }
  }

  /**
   * What an event of the agent means: some confirm the mode by a message, which is no part of the conversation. Taken so
   * only for the mode that was asked for and outside a turn, because in a turn it may be a model that speaks.
   */
  read(event: SessionEvent): SessionEvent {
    const { session, link } = this;
    const { pendingMode } = session.transcript;
    if (
      event.type !== 'messageChunk' ||
      event.content.type !== 'text' ||
      pendingMode === undefined ||
      session.busy ||
      link.initialized?.quirks.has('modeNewsIsText') !== true
    ) {
      return event;
    }
    return inlineText(event.content.text).trim() === `[MODE_UPDATE] ${pendingMode}`
      ? { type: 'modeChanged', at: event.at, modeId: pendingMode }
      : event;
  }

  async #changeMode(modeId: string, send: () => Promise<unknown>): Promise<void> {
    const { session } = this;
    this.#needsSession();
    const before = modeControl(session.transcript)?.current.id;
    const news = { told: false };
    const listening = session.onEvent((event, transcript) => {
      news.told ||=
        event.type === 'modeChanged' ||
        (event.type === 'optionsChanged' && modeControl(transcript)?.current.id !== before);
    });
    session.emit({ type: 'modeRequested', at: session.now(), modeId });
    try {
      const result = await send();
      const control = modeControl(session.transcript);
      if (!this.#takeOptions(result) && !news.told && control?.choices.some(({ id }) => id === modeId) === true) {
        session.emit({ type: 'modeChanged', at: session.now(), modeId });
      }
    } catch (error) {
      const { message } = describeError(error);
      session.emit({ type: 'modeSettled', at: session.now(), modeId, taken: false, message });
      this.#tellMode(modeId, error);
      throw error;
    } finally {
      listening.dispose();
    }
    const taken = modeControl(session.transcript)?.current.id === modeId;
    if (taken) {
      this.#wanted.set(modeKey, modeId);
    }
    session.emit({ type: 'modeSettled', at: session.now(), modeId, taken });
    if (!taken) {
      this.#tellMode(modeId, undefined);
    }
  }

  #needsSession(): void {
    if (this.session.sessionId === null) {
      throw new HostError('badParams', 'No session of the agent is open.');
    }
  }

  #sendOption(configId: string, value: string | boolean): Promise<unknown> {
    return this.link.request('session/set_config_option', {
      sessionId: this.session.sessionId,
      configId,
      ...(typeof value === 'boolean' ? { type: 'boolean' } : {}),
      value,
    });
  }

  /** True where the answer holds the list that the protocol asks for. */
  #takeOptions(result: unknown): boolean {
    if (!isRecord(result) || !Array.isArray(result['configOptions'])) {
      return false;
    }
    const { session } = this;
    session.emit({ type: 'optionsChanged', at: session.now(), options: normalizeOptions(result['configOptions']) });
    return true;
  }

  /** An answer without the list still says that there was no error. */
  #assume(configId: string, value: string | boolean): void {
    const { session } = this;
    const options = session.transcript.options.map((option): ConfigOption => {
      if (option.id !== configId) {
        return option;
      }
      if (option.type === 'boolean') {
        return typeof value === 'boolean' ? { ...option, value } : option;
      }
      return typeof value === 'string' && option.choices.some((choice) => choice.value === value)
        ? { ...option, value }
        : option;
    });
    session.emit({ type: 'optionsChanged', at: session.now(), options });
  }

  #option(configId: string): ConfigOption | undefined {
    return this.session.transcript.options.find(({ id }) => id === configId);
  }

  #tellMode(modeId: string, error: unknown): void {
    const { transcript } = this.session;
    const stays = modeControl(transcript)?.current.name;
    this.#tellNotChanged({ what: 'the mode', wanted: modeNameOf(transcript, modeId), stays }, error);
  }

  #tellNotChanged(
    change: { readonly what: string; readonly wanted: string; readonly stays: string | undefined },
    error: unknown,
  ): void {
    const { session } = this;
    const { stays, ...rest } = change;
    const said = error === undefined ? {} : { said: describeError(error).message };
    const notice = notChangedNotice(session.agentName, { ...rest, ...(stays === undefined ? {} : { stays }), ...said });
    session.emit({ type: 'noticeShown', at: session.now(), notice });
  }
}

function shown(option: ConfigOption | undefined): string | undefined {
  if (option === undefined) {
    return undefined;
  }
  return option.type === 'boolean'
    ? option.value
      ? 'on'
      : 'off'
    : (option.choices.find(({ value }) => value === option.value)?.name ?? option.value);
}
