/** What happens when something outside changes: a setting, the folders of the window, its trust. */
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import type { AgentList } from './agentList.js';
import type { ApprovalDialogs } from './approvalDialogs.js';
import type { CapabilityWatch } from './capabilityWatch.js';
import type { Chat } from './chat.js';
import { Disposables } from './emitter.js';
import type { HostLog } from './log.js';
import { settingComplaints, onDidChangeSettings } from './settings.js';

export type Reacting = {
  readonly agents: AgentList;
  readonly chat: Chat;
  readonly dialogs: ApprovalDialogs;
  readonly capabilities: CapabilityWatch;
  readonly log: HostLog;
};

/** Reacts until the result is disposed. */
export function react({ agents, chat, dialogs, capabilities, log }: Reacting): Disposable {
  const owned = new Disposables();
  const readAgents = (): void => {
    for (const complaint of settingComplaints()) {
      log.warn(complaint);
    }
    void agents.refresh();
  };
  owned.add(
    onDidChangeSettings((changed) => {
      if (changed('agents') || changed('environment.pass') || changed('files.deny') || changed('files.allow')) {
        readAgents();
      }
      if (changed('fs.read') || changed('fs.write') || changed('terminal')) {
        capabilities.check();
      }
      dialogs.pump();
      chat.refresh();
    }),
  );
  owned.add(
    agents.onDidChange(() => {
      chat.refresh();
    }),
  );
  owned.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      chat.refresh();
    }),
  );
  owned.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      chat.refresh();
    }),
  );
  // After activation: looking for programs is disk work.
  const timer = setTimeout(readAgents, 0);
  owned.add({
    dispose: () => {
      clearTimeout(timer);
    },
  });
  return owned;
}
