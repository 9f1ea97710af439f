/**
 * What one turn may read without a word. An agent that reads thousands of files may be searching for something, or have
 * lost its way; a person says whether it goes on.
 */
import { HostError } from '../../core/errors.js';
import { limits } from '../../core/text/limits.js';
import type { ApprovalGate, Decision } from '../ports.js';
import { hostOptions } from './questions.js';

export class ReadBudget {
  #reads = 0;
  #bytes = 0;
  #isRefused = false;
  #question: Promise<Decision> | undefined;

  constructor(private readonly gate: ApprovalGate) {}

  startTurn(): void {
    this.#reads = 0;
    this.#bytes = 0;
    this.#isRefused = false;
    this.#question = undefined;
  }

  /**
   * Takes one read. Over the budget a person is asked, once for all reads that wait; a No holds for the turn.
   * @throws HostError refused, cancelled
   */
  async take(signal: AbortSignal): Promise<void> {
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
    this.#reads += 1;
  }

  /** Adds the bytes that a read returned. */
  charge(bytes: number): void {
    this.#bytes += bytes;
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
