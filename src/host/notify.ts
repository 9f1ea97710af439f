/** Notifications, only for what needs a person while the chat is out of sight. */
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import { oneLine } from '../core/text/visible.js';
import type { Approval } from '../core/transcript/model.js';
import type { Chat } from './chat.js';
import { shortPath } from './diffs.js';
import { Disposables } from './emitter.js';
import { commandIds } from './ids.js';

export type NotifyPorts = {
  readonly chatVisible: () => boolean;
  readonly dialogsWanted: () => boolean;
  readonly review: (approvalId: string) => void;
};

/** Watches the chat until the result is disposed. */
export function notifyWhenHidden(chat: Chat, ports: NotifyPorts): Disposable {
  const owned = new Disposables();
  const told = new Set<string>();
  owned.add(
    chat.approvals.onDidChange(() => {
      for (const { approval, owner } of chat.waiting) {
        if (!told.has(approval.approvalId) && !ports.dialogsWanted() && !ports.chatVisible()) {
          told.add(approval.approvalId);
          void tell(`${owner.agentName} needs your answer: ${deed(approval, chat.folder?.path ?? '')}?`, 'info', {
            Review: () => ports.review(approval.approvalId),
          });
        }
      }
    }),
  );
  owned.add(
    chat.onEvent((event) => {
      if (ports.chatVisible()) {
        return;
      }
      const agent = chat.agentName ?? 'The agent';
      const run = (command: string) => () => void vscode.commands.executeCommand(command);
      if (event.type === 'turnEnded' && event.stopReason !== 'cancelled') {
        void tell(`${agent} is done.`, 'info', { 'Open Chat': run(commandIds.focusChat) });
      }
      if (event.type === 'agentExited' && event.notice !== undefined) {
        void tell(`${agent} stopped unexpectedly.`, 'error', {
          Restart: run(commandIds.restartAgent),
          'Show Log': run(commandIds.showLog),
        });
      }
    }),
  );
  return owned;
}

/** What a request is about, in a few words: edit src/parse.ts, run “npm test”. */
function deed(approval: Approval, folder: string): string {
  const path = shortPath(folder, approval.paths[0] ?? '');
  switch (approval.verb) {
    case 'execute':
      return `run “${oneLine(approval.command ?? approval.title, 80)}”`;
    case 'edit':
    case 'create':
    case 'delete':
    case 'move':
    case 'read':
      return `${approval.verb} ${oneLine(path, 120)}`;
    case 'fetch':
    case 'switch_mode':
    case 'other':
      return oneLine(approval.title.replace(/\?$/, ''), 120);
  }
}

async function tell(
  message: string,
  severity: 'info' | 'error',
  actions: Readonly<Record<string, () => void>>,
): Promise<void> {
  const show = severity === 'error' ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
  const chosen = await show(message, ...Object.keys(actions));
  if (chosen !== undefined) {
    actions[chosen]?.();
  }
}
