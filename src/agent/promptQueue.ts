/**
 * The prompts that wait for the running one to end. What waited when a person pressed Stop, or when something went
 * wrong, is held: they queued it before they knew of that. It stays in sight until they send, edit or remove it.
 */
import { limits } from '../core/text/limits.js';
import type { SessionEvent } from '../core/transcript/events.js';
import type { QueuedPrompt, Transcript } from '../core/transcript/model.js';

export type QueueOwner = {
  readonly transcript: Transcript;
  readonly now: () => number;
  emit(event: SessionEvent): void;
};

export class PromptQueue {
  readonly #held = new Set<string>();
  #nextPrompt = 1;

  constructor(private readonly owner: QueueOwner) {}

  /** False where the queue is full. `next`: before what waits. */
  add(text: string, place: 'next' | 'last'): boolean {
    const { owner } = this;
    if (owner.transcript.queue.length >= limits.queue) {
      return false;
    }
    const promptId = `p${String(this.#nextPrompt++)}`;
    owner.emit({ type: 'promptQueued', at: owner.now(), promptId, text, ...(place === 'next' ? { first: true } : {}) });
    return true;
  }

  remove(promptId: string): void {
    this.#held.delete(promptId);
    this.owner.emit({ type: 'promptUnqueued', at: this.owner.now(), promptId });
  }

  /** Holds everything that waits now. */
  hold(): void {
    for (const { promptId } of this.owner.transcript.queue) {
      this.#held.add(promptId);
    }
  }

  release(promptId: string): void {
    this.#held.delete(promptId);
  }

  /** What goes out next without anybody doing anything; the one of this id first, where it waits. */
  next(promptId?: string): QueuedPrompt | undefined {
    const free = this.owner.transcript.queue.filter((prompt) => !this.#held.has(prompt.promptId));
    return free.find((prompt) => prompt.promptId === promptId) ?? free[0];
  }
}
