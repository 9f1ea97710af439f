/**
 * What was said in a session, kept on this computer: one file per session, one event a line, only ever appended to.
 * Restoring is folding. A line that was torn by a crash costs that line.
 *
 * The file is the person's own data in the workspace's storage: unredacted, readable by them alone.
 */
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../core/errors.js';
import { limits } from '../core/text/limits.js';
import type { SessionEvent } from '../core/transcript/events.js';
import type { Notice } from '../core/transcript/model.js';
import { mergeEvents } from '../core/transcript/mergeEvents.js';
import type { Log } from './ports.js';

export type SessionHeader = {
  readonly version: 1;
  readonly agent: string;
  readonly folder: string;
  /** Epoch ms. */
  readonly startedAt: number;
};

export type SavedSession = {
  readonly header: SessionHeader;
  readonly events: readonly SessionEvent[];
  /** Epoch ms of the last event. */
  readonly savedAt: number;
};

const suffix = '.ndjson';
/** Files that are kept in a folder, newest first. */
const keptFiles = 20;
const writeEveryMs = 100;

/**
 * Appends the events of one session. The file is made with the first event. Never throws: a session that cannot be
 * saved goes on, and the log says why. Writes are small, seldom and synchronous, so that a window that closes can still
 * write the last of them, in order.
 */
export class SessionLog {
  readonly path: string;
  #pending: unknown[];
  #bytes = 0;
  #begun = false;
  #closed = false;
  #made = false;
  #timer: NodeJS.Timeout | undefined;

  /** `earlier` are events that are already part of the story of this session. */
  constructor(
    private readonly folder: string,
    readonly id: string,
    header: SessionHeader,
    private readonly log: Log,
    earlier: readonly SessionEvent[] = [],
  ) {
    this.path = join(folder, `${id}${suffix}`);
    this.#pending = [header, ...earlier];
  }

  /** True once there is something to restore. */
  get begun(): boolean {
    return this.#begun;
  }

  append(event: SessionEvent): void {
    if (this.#closed || this.#bytes > limits.sessionLog) {
      return;
    }
    this.#begun = true;
    this.#pending.push(event);
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, writeEveryMs);
  }

  /** Writes what is left. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#begun || this.#pending.length === 0) {
      return;
    }
    const text = toLines(this.#pending);
    this.#pending = [];
    this.#bytes += Buffer.byteLength(text);
    try {
      if (!this.#made) {
        this.#made = true;
        mkdirSync(this.folder, { recursive: true, mode: 0o700 });
        prune(this.folder);
      }
      appendFileSync(this.path, text, { mode: 0o600 });
    } catch (error) {
      this.#bytes = Infinity;
      this.log.warn(`The session could not be saved: ${messageOf(error)}`);
    }
  }

  /** Writes what is left and ends. */
  close(): void {
    this.flush();
    this.#closed = true;
  }
}

/** Reads a saved session, or undefined where there is none that can be read. Lines that are no event are skipped. */
export function readSession(folder: string, id: string): SavedSession | undefined {
  try {
    const fd = openSync(join(folder, `${id}${suffix}`), constants.O_RDONLY | (constants.O_NOFOLLOW || 0));
    try {
      if (fstatSync(fd).size > limits.sessionLog * 2) {
        return undefined;
      }
      return parseSession(readFileSync(fd, 'utf8'));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** The text of a session file as header and events. */
export function parseSession(text: string): SavedSession | undefined {
  const [first = '', ...rest] = text.split('\n');
  const header = parseLine(first);
  if (header?.['version'] !== 1 || typeof header['agent'] !== 'string' || typeof header['folder'] !== 'string') {
    return undefined;
  }
  const events: SessionEvent[] = [];
  for (const line of rest) {
    const event = parseLine(line);
    if (typeof event?.['type'] === 'string' && typeof event['at'] === 'number') {
      events.push(event as unknown as SessionEvent);
    }
  }
  return {
    header: header as unknown as SessionHeader,
    events,
    savedAt: events.at(-1)?.at ?? Number(header['startedAt']),
  };
}

/**
 * The events that bring a session which was cut off to rest: whatever waited is answered, a running turn ends, prompts
 * in the queue are taken off (`queued` holds their text for the composer).
 */
export function closingEvents(
  transcript: {
    readonly approvals: readonly { readonly approvalId: string; readonly state: string }[];
    readonly queue: readonly { readonly promptId: string; readonly text: string }[];
    readonly turn: { readonly state: string };
  },
  agent: string,
  at: number,
): { readonly events: readonly SessionEvent[]; readonly queued: readonly string[] } {
  const settled = transcript.approvals
    .filter(({ state }) => state !== 'settled')
    .map(({ approvalId }): SessionEvent => ({
      type: 'approvalSettled',
      at,
      approvalId,
      outcome: 'cancelled',
      by: 'exit',
    }));
  const unqueued = transcript.queue.map(({ promptId }): SessionEvent => ({ type: 'promptUnqueued', at, promptId }));
  const open = transcript.turn.state === 'running' || transcript.turn.state === 'cancelling';
  const notice: Notice = {
    code: 'stopped',
    severity: 'warning',
    what: 'This turn was cut off',
    why: `The window was closed or reloaded while ${agent} worked.`,
    actions: ['retry', 'editPrompt'],
  };
  const ended: SessionEvent[] = open
    ? [{ type: 'agentExited', at, code: null, signal: null, stderrTail: [], notice }]
    : [];
  return { events: [...settled, ...unqueued, ...ended], queued: transcript.queue.map(({ text }) => text) };
}

/** Removes all but the newest files. */
function prune(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
  const files = names.map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }));
  files.sort((a, b) => b.time - a.time);
  for (const { name } of files.slice(keptFiles - 1)) {
    unlinkSync(join(folder, name));
  }
}

/** Chunks of a message are joined before they are written; anything that is no event passes as it is. */
function toLines(values: readonly unknown[]): string {
  return mergeEvents(values as readonly SessionEvent[])
    .map((value) => `${JSON.stringify(value)}\n`)
    .join('');
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    // A body lives as long as the process that kept it, and the next process counts from the same number.
    const value: unknown = JSON.parse(line, (key, part: unknown) =>
      key === 'bodyId' && typeof part === 'string' ? `saved:${part}` : part,
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
