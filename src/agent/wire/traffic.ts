/**
 * Recordings of what host and agent say to each other: one JSON object a line. Kept bounded, the oldest lines go first;
 * secrets that can be recognised are taken out when a recording leaves, so that it can be attached to a report.
 */
import { redactJson } from '../../core/text/redactJson.js';
import { limits } from '../../core/text/limits.js';
import { isRecord } from './framing.js';

/** `c2a`: the host to the agent, `a2c`: the agent to the host, `note`: what happened beside them. `t` is ms. */
export type TrafficLine = { readonly t: number } & (
  | { readonly dir: 'c2a' | 'a2c'; readonly msg: Readonly<Record<string, unknown>> }
  | { readonly dir: 'stderr' | 'stdout-noise' | 'note'; readonly line: string }
);

/** What a recording asks of the process whose messages it holds. */
export type StderrSource = { stderrTail(lines?: number): readonly string[] };

export type RecordedDirection = TrafficLine['dir'];

export type RecorderOptions = {
  readonly now?: () => number;
  /** Most that is kept, characters. A message of more than a quarter of it is only noted. */
  readonly maxCharacters?: number;
  /** Called with each line as it comes, not redacted. */
  readonly onLine?: (line: RecordedLine) => void;
};

export type RecordedLine = {
  /** Milliseconds, by the recorder's clock. */
  readonly at: number;
  readonly dir: RecordedDirection;
  /** A message, or a line as a JSON string. */
  readonly json: string;
};

/** Records the messages of one agent. */
export class TrafficRecorder {
  #lines: RecordedLine[] = [];
  /** Where the oldest line stands: taking lines off the front one by one would cost as much as all that are kept. */
  #first = 0;
  #size = 0;
  readonly #sources: StderrSource[] = [];
  readonly #started: number;

  readonly #now: () => number;
  readonly #max: number;

  constructor(private readonly options: RecorderOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#started = this.#now();
    this.#max = options.maxCharacters ?? limits.trafficCharacters;
  }

  /** A message as JSON text without a line end. */
  readonly message = (direction: 'in' | 'out', json: string): void => {
    // One message must not push everything else out.
    if (json.length > this.#max / 4) {
      const from = direction === 'in' ? 'the agent' : 'the host';
      this.line('note', `left out: a message of ${from} of ${json.length} characters`);
    } else {
      this.#add(direction === 'in' ? 'a2c' : 'c2a', json);
    }
  };

  /** A line that is no message. */
  line(dir: 'stdout-noise' | 'note', line: string): void {
    this.#add(dir, JSON.stringify(line));
  }

  /** Its stderr belongs to the recording. It is read at the export, for only there it is redacted as a whole. */
  attach(process: StderrSource): void {
    this.#sources.push(process);
    if (this.#sources.length > limits.trafficProcesses) {
      this.#sources.shift();
    }
  }

  /** The recording as NDJSON, redacted. What stands on stderr comes last, without times of its own. */
  export(): string {
    return this.lines()
      .map(({ at, dir, json }) => {
        const field = dir === 'c2a' || dir === 'a2c' ? 'msg' : 'line';
        return `{"t":${at - this.#started},"dir":"${dir}","${field}":${json}}\n`;
      })
      .join('');
  }

  /** The same line by line. */
  lines(): readonly RecordedLine[] {
    const at = this.#now();
    const stderr = this.#sources.flatMap((source) => source.stderrTail(Infinity));
    return [
      ...this.#lines.slice(this.#first).map((line) => ({ ...line, json: redactJson(line.json) })),
      ...stderr.map((line) => ({ at, dir: 'stderr' as const, json: JSON.stringify(line) })),
    ];
  }

  #add(dir: RecordedDirection, json: string): void {
    const line = { at: this.#now(), dir, json };
    this.options.onLine?.(line);
    this.#lines.push(line);
    this.#size += json.length;
    while (this.#size > this.#max && this.#first < this.#lines.length - 1) {
      this.#size -= this.#lines[this.#first]?.json.length ?? 0;
      this.#first += 1;
    }
    if (this.#first > 1_000 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** The lines of a recording. Throws with the number of the first line that is none. */
export function parseTraffic(text: string): TrafficLine[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]));
}

function parseLine(line: string, number: number): TrafficLine {
  const value: unknown = JSON.parse(line);
  const fields = isRecord(value) ? value : {};
  const { t, dir, msg, line: said } = fields;
  const at = typeof t === 'number' ? t : 0;
  if ((dir === 'c2a' || dir === 'a2c') && isRecord(msg)) {
    return { t: at, dir, msg };
  }
  if ((dir === 'stderr' || dir === 'stdout-noise' || dir === 'note') && typeof said === 'string') {
    return { t: at, dir, line: said };
  }
  throw new Error(`Line ${String(number)} is no line of a recording.`);
}
