/** User actions from a file, played against a session in order. Waits for events, never for time, except `afterMs`. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../core/errors.js';
import { isRecord } from '../wire/framing.js';
import type { Line } from './print.js';
import { decisions, type ScriptedDecision } from './answers.js';
import { UsageError } from './options.js';

export type Action =
  | { readonly do: 'prompt'; readonly text: string }
  | { readonly do: 'cancel'; readonly afterMs: number }
  | { readonly do: 'waitFor'; readonly event: string; readonly match: Record<string, unknown> }
  /** What an agent's own command does is no event: a file it makes tells that it runs. */
  | { readonly do: 'waitForFile'; readonly path: string }
  | {
      readonly do: 'answer';
      readonly toolCallId?: string;
      readonly approvalId?: string;
      readonly optionId?: string;
      readonly decision?: ScriptedDecision;
    }
  | { readonly do: 'setMode'; readonly modeId: string }
  | { readonly do: 'setConfigOption'; readonly configId: string; readonly value: string | boolean }
  | { readonly do: 'newSession' }
  | { readonly do: 'restart' }
  | { readonly do: 'close' }
  | { readonly do: 'killAgent'; readonly signal: NodeJS.Signals };

/** Throws UsageError with the line's number. */
export function parseAction(value: unknown, index: number): Action {
  const bad = (why: string): UsageError => new UsageError(`Line ${String(index + 1)} of the script: ${why}.`);
  if (!isRecord(value)) {
    throw bad('no object');
  }
  const text = (key: string): string => {
    const found = value[key];
    if (typeof found !== 'string') {
      throw bad(`"${key}" must be a text`);
    }
    return found;
  };
  const maybe = (key: string): Record<string, string> => (typeof value[key] === 'string' ? { [key]: value[key] } : {});
  switch (value['do']) {
    case 'prompt':
      return { do: 'prompt', text: text('text') };
    case 'cancel':
      return { do: 'cancel', afterMs: typeof value['afterMs'] === 'number' ? Math.max(0, value['afterMs']) : 0 };
    case 'waitFor':
      return { do: 'waitFor', event: text('event'), match: isRecord(value['match']) ? value['match'] : {} };
    case 'waitForFile':
      return { do: 'waitForFile', path: text('path') };
    case 'answer': {
      const decision = decisions.find((known) => known === value['decision']);
      const action = { ...maybe('toolCallId'), ...maybe('approvalId'), ...maybe('optionId') };
      if (!('optionId' in action) && decision === undefined) {
        throw bad('an answer needs "optionId" or "decision"');
      }
      return { do: 'answer', ...action, ...(decision === undefined ? {} : { decision }) };
    }
    case 'setMode':
      return { do: 'setMode', modeId: text('modeId') };
    case 'setConfigOption': {
      const given = value['value'];
      if (typeof given !== 'string' && typeof given !== 'boolean') {
        throw bad('"value" must be a text or true or false');
      }
      return { do: 'setConfigOption', configId: text('configId'), value: given };
    }
    case 'newSession':
      return { do: 'newSession' };
    case 'restart':
      return { do: 'restart' };
    case 'close':
      return { do: 'close' };
    case 'killAgent': {
      const signal = maybe('signal')['signal'] ?? 'SIGKILL';
      if (!(signal in constants.signals)) {
        throw bad(`"${signal}" is no signal`);
      }
      return { do: 'killAgent', signal: signal as NodeJS.Signals };
    }
    default:
      throw bad(`unknown action ${JSON.stringify(value['do'])}`);
  }
}

/** Lines that were printed, so that a wait also finds what happened before it. Each wait goes on behind the last. */
export class Timeline {
  readonly #lines: Line[] = [];
  #cursor = 0;
  readonly #waiters = new Set<() => void>();

  push(line: Line): void {
    this.#lines.push(line);
    for (const check of [...this.#waiters]) {
      check();
    }
  }

  /** Resolves with the next line of this event that has all the fields of `match`. */
  waitFor(event: string, match: Record<string, unknown>, signal: AbortSignal): Promise<Line> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        for (let i = this.#cursor; i < this.#lines.length; i++) {
          const line = this.#lines[i];
          if (line !== undefined && line.event === event && includes(line, match)) {
            this.#cursor = i + 1;
            this.#waiters.delete(check);
            resolve(line);
            return;
          }
        }
      };
      this.#waiters.add(check);
      signal.addEventListener(
        'abort',
        () => {
          this.#waiters.delete(check);
          reject(new Error('ended'));
        },
        { once: true },
      );
      check();
    });
  }
}

/** True where `value` has everything that `match` has, at any depth. */
export function includes(value: unknown, match: unknown): boolean {
  if (!isRecord(match)) {
    return JSON.stringify(value) === JSON.stringify(match);
  }
  return isRecord(value) && Object.entries(match).every(([key, wanted]) => includes(value[key], wanted));
}

export type Player = {
  prompt(text: string): void;
  cancel(): void;
  /** False while no such request waits. */
  answer(action: Extract<Action, { do: 'answer' }>): boolean;
  setMode(modeId: string): Promise<void>;
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  newSession(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
  killAgent(signal: NodeJS.Signals): void;
  /** Called before each action with the ones that are left, itself included. */
  progressed(left: readonly Action[]): void;
  /** Resolves when no turn runs and none will. */
  idle(): Promise<void>;
  /** Resolves at the next change of the waiting requests. */
  approvalsChanged(signal: AbortSignal): Promise<void>;
  failed(what: string): void;
};

/** Plays the actions. Ends early, without an error, when `signal` is aborted. */
export async function play(
  actions: readonly Action[],
  player: Player,
  timeline: Timeline,
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < actions.length && !signal.aborted; i++) {
    player.progressed(actions.slice(i));
    const action = actions[i];
    if (action !== undefined) {
      await step(action, player, timeline, signal).catch((error: unknown) => {
        if (!signal.aborted) {
          player.failed(`${action.do}: ${messageOf(error)}`);
        }
      });
    }
  }
  player.progressed([]);
}

async function step(action: Action, player: Player, timeline: Timeline, signal: AbortSignal): Promise<void> {
  switch (action.do) {
    case 'prompt':
      player.prompt(action.text);
      return;
    case 'cancel':
      await pause(action.afterMs, signal);
      player.cancel();
      return;
    case 'waitFor':
      await timeline.waitFor(action.event, action.match, signal);
      return;
    case 'waitForFile':
      while (!signal.aborted && !existsSync(action.path)) {
        await delay(20);
      }
      return;
    case 'answer':
      while (!signal.aborted && !player.answer(action)) {
        const changed = await Promise.race([player.approvalsChanged(signal), player.idle().then(() => 'idle')]);
        if (changed === 'idle' && !player.answer(action)) {
          throw new Error('no such request waits, and no turn runs that could ask');
        }
      }
      return;
    case 'setMode':
      await player.setMode(action.modeId);
      return;
    case 'setConfigOption':
      await player.setConfigOption(action.configId, action.value);
      return;
    case 'newSession':
      await player.newSession();
      return;
    case 'restart':
      await player.restart();
      return;
    case 'close':
      await player.close();
      return;
    case 'killAgent':
      player.killAgent(action.signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** Whether a question is left to the script instead of being denied: a later action answers it, or waits for it. */
export function leftToScript(
  left: readonly Action[],
  approval: { readonly approvalId: string; readonly toolCallId?: string },
): boolean {
  const answered = left.some(
    (action) =>
      action.do === 'answer' &&
      (action.toolCallId === undefined || action.toolCallId === approval.toolCallId) &&
      (action.approvalId === undefined || action.approvalId === approval.approvalId),
  );
  if (answered) {
    return true;
  }
  const wait = left.findIndex((action) => action.do === 'waitFor');
  const next = wait < 0 ? undefined : left[wait];
  if (next?.do === 'waitFor' && next.event === 'approval') {
    return true;
  }
  // What comes before the next wait happens at once or after its own delay: a cancel there settles the question.
  return left.slice(0, wait < 0 ? left.length : wait).some(({ do: name }) => name === 'cancel' || name === 'killAgent');
}
