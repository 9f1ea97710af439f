/** The commands that go from request to request and answer the one in view. */
import * as vscode from 'vscode';
import type { PendingApproval } from '../agent/approvals.js';
import type { Chat } from './chat.js';
import type { Diffs } from './diffs.js';
import { dialogText } from './dialogText.js';
import { folderWords } from './folders.js';

export class Requests {
  #shown: string | null = null;

  constructor(
    private readonly chat: Chat,
    private readonly diffs: Diffs,
    private readonly showChat: () => Promise<void>,
  ) {}

  /** Shows the card of a request in the chat. */
  async reveal(approvalId: string): Promise<void> {
    this.#shown = approvalId;
    await this.showChat();
    this.chat.nudge({ type: 'reveal', approvalId });
  }

  /** Shows the card and, beside it, the whole diff. */
  async review(approvalId: string): Promise<void> {
    await this.reveal(approvalId);
    if (this.chat.approvals.find(approvalId)?.approval.diff !== undefined) {
      await this.diffs.openApproval(approvalId);
    }
  }

  /** Shows the request `step` places from the one in view. */
  async show(step: -1 | 0 | 1): Promise<void> {
    const pending = this.chat.waiting;
    const at = pending.indexOf(this.#current() as PendingApproval);
    const next = pending[(at + step + pending.length) % Math.max(1, pending.length)];
    if (next !== undefined) {
      await this.reveal(next.approval.approvalId);
    }
  }

  /** Allows what is in view, where one step may do that; else shows it. */
  async allowOnce(): Promise<void> {
    const pending = this.#current();
    if (pending === undefined) {
      return;
    }
    const { approval, owner } = pending;
    const context = { agent: owner.agentName, ...folderWords(this.chat.folder), behind: 0 };
    const plain = this.#shown === approval.approvalId && dialogText(approval, context).buttons.includes('allow');
    if (!plain || !this.chat.approvals.decide(approval.approvalId, 'allow_once')) {
      await this.review(approval.approvalId);
    }
  }

  deny(): void {
    const pending = this.#current();
    if (pending !== undefined && !this.chat.approvals.decide(pending.approval.approvalId, 'reject_once')) {
      void vscode.window.showInformationMessage(`${pending.owner.agentName} no longer needs this. Nothing was done.`);
    }
  }

  #current(): PendingApproval | undefined {
    const { waiting } = this.chat;
    return waiting.find(({ approval }) => approval.approvalId === this.#shown) ?? waiting[0];
  }
}
