/**
 * The one queue of requests that wait for a person, over all sessions of a window. It is the only place that settles a
 * request: the modal dialog, the card in the chat and a script are views of it that call `answer` or `decide`.
 *
 * Each request settles exactly once. What comes later (a click in a dialog that could not be closed, an answer after
 * the agent took the request back) changes nothing and is told so by `false`.
 */
import { hasPlainAnswers, soleOption } from '../core/policy/options.js';
import { limits } from '../core/text/limits.js';
import type { SessionEvent } from '../core/transcript/events.js';
import type { Approval, Provenance } from '../core/transcript/model.js';
import type { ApprovalGate, ApprovalRequest, Decision, Disposable } from './ports.js';

/** The session a request belongs to. */
export type ApprovalOwner = {
  readonly key: string;
  readonly agentName: string;
  emit(event: SessionEvent): void;
  now(): number;
};

export type PendingApproval = { readonly approval: Approval; readonly owner: ApprovalOwner };

type Entry = { approval: Approval; readonly owner: ApprovalOwner; settle(decision: Decision, optionId?: string): void };

export class Approvals {
  #next = 1;
  readonly #queue: Entry[] = [];
  readonly #listeners = new Set<() => void>();

  /** All waiting requests, oldest first. */
  get pending(): readonly PendingApproval[] {
    return this.#queue;
  }

  find(approvalId: string): PendingApproval | undefined {
    return this.#queue.find((entry) => entry.approval.approvalId === approvalId);
  }

  /** Called after every request and every settlement. */
  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** The gate of one session. */
  gate(owner: ApprovalOwner): ApprovalGate {
    return { ask: (request) => this.#ask(owner, request) };
  }

  /** Answers with one of the offered options. False: settled already, no such option, or not shown yet and an allow. */
  answer(approvalId: string, optionId: string, comment?: string): boolean {
    const entry = this.#entry(approvalId);
    const options = entry?.approval.options.filter((option) => option.optionId === optionId) ?? [];
    const [option] = options;
    if (entry === undefined || option === undefined || options.length !== 1) {
      return false;
    }
    const allows = option.kind === 'allow_once' || option.kind === 'allow_always';
    if (allows && entry.approval.preparing === true) {
      // Nobody can have seen yet what this would allow.
      return false;
    }
    // An option of unknown effect was picked by a person: it goes to the agent as picked, and counts as neither.
    const decision: Decision = allows
      ? { outcome: 'allowed', by: 'person', optionId }
      : { outcome: 'denied', by: 'person', optionId, ...(comment === undefined ? {} : { comment }) };
    entry.settle(decision, optionId);
    return true;
  }

  /**
   * The plain Allow Once, Deny, or (for scripts) cancel. Allowing needs exactly one `allow_once`; denying takes the
   * one `reject_once` and never a persistent option. False: settled already, or not allowed here.
   */
  decide(approvalId: string, decision: 'allow_once' | 'reject_once' | 'cancel', comment?: string): boolean {
    const entry = this.#entry(approvalId);
    if (entry === undefined) {
      return false;
    }
    if (decision === 'cancel') {
      entry.settle({ outcome: 'cancelled', by: 'cancel' });
      return true;
    }
    const optionId = soleOption(entry.approval.options, decision);
    if (decision === 'allow_once') {
      return optionId !== undefined && this.answer(approvalId, optionId);
    }
    entry.settle(
      {
        outcome: 'denied',
        by: 'person',
        ...(optionId === undefined ? {} : { optionId }),
        ...(comment === undefined ? {} : { comment }),
      },
      optionId,
    );
    return true;
  }

  #entry(approvalId: string): Entry | undefined {
    return this.#queue.find((entry) => entry.approval.approvalId === approvalId);
  }

  #ask(owner: ApprovalOwner, request: ApprovalRequest): Promise<Decision> {
    const { signal, prepare, ...facts } = request;
    const approval: Approval = {
      ...facts,
      approvalId: `a${String(this.#next++)}`,
      state: 'waiting',
      ...(prepare === undefined ? {} : { preparing: true }),
    };
    if (signal.aborted) {
      return Promise.resolve(withdrawn(signal));
    }
    if (this.#queue.length >= limits.pendingApprovals) {
      return Promise.resolve({ outcome: 'denied', by: 'policy', comment: 'Too many requests wait for an answer.' });
    }
    return new Promise((resolve) => {
      const onAbort = (): void => {
        entry.settle(withdrawn(signal));
      };
      const entry: Entry = {
        approval,
        owner,
        settle: (decision, optionId) => {
          const index = this.#queue.indexOf(entry);
          if (index < 0) {
            return;
          }
          this.#queue.splice(index, 1);
          signal.removeEventListener('abort', onAbort);
          owner.emit(settledEvent(approval, decision, optionId, owner.now()));
          resolve(decision);
          this.#changed();
        },
      };
      this.#queue.push(entry);
      signal.addEventListener('abort', onAbort, { once: true });
      owner.emit({ type: 'approvalRequested', at: owner.now(), approval });
      this.#changed();
      if (prepare !== undefined) {
        void this.#prepare(entry, prepare);
      }
    });
  }

  async #prepare(entry: Entry, prepare: NonNullable<ApprovalRequest['prepare']>): Promise<void> {
    const prepared: Awaited<ReturnType<typeof prepare>> = await prepare().catch(() => ({}));
    if (!this.#queue.includes(entry)) {
      return;
    }
    const { decision, facts } = prepared;
    if (decision !== undefined) {
      entry.settle(decision, decision.outcome === 'cancelled' ? undefined : decision.optionId);
      return;
    }
    const { preparing: _done, ...known } = entry.approval;
    entry.approval = { ...known, ...facts };
    entry.owner.emit({ type: 'approvalUpdated', at: entry.owner.now(), approval: entry.approval });
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/** Why a request's signal was aborted: the reason names who took it back. */
export class Withdrawal extends Error {
  constructor(readonly by: 'cancel' | 'agent' | 'exit') {
    super(`Withdrawn: ${by}`);
  }
}

function withdrawn(signal: AbortSignal): Decision {
  const reason: unknown = signal.reason;
  if (reason instanceof Withdrawal) {
    return { outcome: 'cancelled', by: reason.by };
  }
  // An abort without words, or with the code of `$/cancel_request`, is the agent's; else its connection ended.
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
  const byAgent = code === -32800 || reason instanceof DOMException;
  return { outcome: 'cancelled', by: byAgent ? 'agent' : 'exit' };
}

function settledEvent(
  { approvalId, options }: Approval,
  decision: Decision,
  optionId: string | undefined,
  at: number,
): SessionEvent {
  const chosen = hasPlainAnswers(options) ? undefined : options.find((option) => option.optionId === optionId);
  const provenance = provenanceOf(decision, chosen?.name);
  return {
    type: 'approvalSettled',
    at,
    approvalId,
    outcome: decision.outcome,
    by: decision.by,
    ...(optionId === undefined ? {} : { optionId }),
    ...(provenance === undefined ? {} : { provenance }),
  };
}

function provenanceOf(decision: Decision, choice: string | undefined): Provenance | undefined {
  const chosen = choice === undefined ? {} : { choice };
  switch (decision.outcome) {
    case 'allowed':
      return decision.by === 'person' ? { by: 'person', outcome: 'allowed', ...chosen } : { by: 'setting' };
    case 'denied':
      if (decision.by === 'policy') {
        return { by: 'host', outcome: 'denied', reason: decision.comment ?? '' };
      }
      return {
        by: 'person',
        outcome: 'denied',
        ...chosen,
        ...(decision.comment === undefined ? {} : { comment: decision.comment }),
      };
    case 'cancelled':
      return undefined;
  }
}
