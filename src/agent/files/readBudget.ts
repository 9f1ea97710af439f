/**
 * What one turn may read without a word. An agent that reads thousands of files may be searching for something, or have
 * lost its way; a person says whether it goes on.
 */
import { HostError } from '../../core/errors.js';
import { limits } from '../../core/text/limits.js';
import { utf8Length } from '../../core/policy/paths.js';
import type { ApprovalGate, Decision } from '../ports.js';
import { hostOptions } from './questions.js';

export class ReadBudget {
  #reads = 0;
  #bytes = 0;
  #isRefused = false;
  #question: Promise<Decision> | undefined;
  #running = 0;
  #turn = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly gate: ApprovalGate) {}

  startTurn(): void {
    this.#turn += 1;
    this.#reads = 0;
    this.#bytes = 0;
    this.#isRefused = false;
    this.#question = undefined;
  }

  /**
   * Makes one read and counts it. Over the budget a person is asked, once for all reads that wait; a No holds for the
   * turn. How much a read brings is known when it is done: as many at a time as could be the rest of the budget.
   * @throws HostError refused, cancelled, and what `read` throws
   */
  async spend(signal: AbortSignal, read: () => Promise<string>): Promise<string> {
    await this.#take(signal);
    const turn = this.#turn;
    try {
      const text = await read();
      this.#bytes += turn === this.#turn ? utf8Length(text) : 0;
      return text;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    try {
      await this.#mayGoOn(signal);
      while (this.#running > 0 && this.#bytes + this.#running * limits.readBytes >= limits.turnReadBytes) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        await this.#mayGoOn(signal);
      }
    } catch (error) {
      // Whoever waits for this read to end waits no longer.
      this.#waiting.shift()?.();
      throw error;
    }
    this.#reads += 1;
    this.#running += 1;
  }

  async #mayGoOn(signal: AbortSignal): Promise<void> {
    while (this.#reads >= limits.turnReads || this.#bytes >= limits.turnReadBytes) {
      if (this.#isRefused) {
        throw new HostError('refused', 'The person let this turn read no more. Go on in the next one.');
      }
      const question = (this.#question ??= this.#ask(signal));
      const { outcome } = await question;
      if (this.#question !== question) {
        continue;
      }
      this.#question = undefined;
      if (outcome === 'allowed') {
        this.#reads = 0;
        this.#bytes = 0;
      } else if (outcome === 'denied') {
        this.#isRefused = true;
      } else if (signal.aborted) {
        throw new HostError('cancelled', 'The request was cancelled.');
      }
    }
  }

  #ask(signal: AbortSignal): Promise<Decision> {
    const amount = `${this.#reads.toLocaleString('en')} files, ${String(Math.round(this.#bytes / 1024 / 1024))} MB`;
    return this.gate.ask({
      origin: 'host',
      verb: 'read',
      title: `Go on reading? This turn has read ${amount}.`,
      paths: [],
      options: hostOptions,
      marks: [],
      signal,
    });
  }
}
