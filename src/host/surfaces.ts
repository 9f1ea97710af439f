/** Everything a person sees and touches, made round one chat. */
import * as vscode from 'vscode';
import type { Disposable, EditorFiles } from '../agent/ports.js';
import type { LoginShell } from '../agent/process/loginShell.js';
import type { AgentList } from './agentList.js';
import { ApprovalDialogs } from './approvalDialogs.js';
import type { Chat } from './chat.js';
import { ChatViews } from './chatView.js';
import { registerCommands } from './commands.js';
import { Diffs } from './diffs.js';
import { Disposables } from './emitter.js';
import { tellRefusedFiles } from './fileNotices.js';
import { folderWords } from './folders.js';
import type { HostLog } from './log.js';
import { showApprovalModal } from './modal.js';
import { notifyWhenHidden } from './notify.js';
import type { OpenDialogMark } from './openDialogMark.js';
import { handleMessage } from './panelMessages.js';
import { PlanTree } from './planTree.js';
import { ProbeCommand } from './probeCommand.js';
import { Requests } from './requests.js';
import { dialogsWanted } from './settings.js';
import { Status } from './status.js';
import type { Traffic } from './traffic.js';
import type { Secrets } from './secrets.js';

export type SurfaceParts = {
  readonly extensionUri: vscode.Uri;
  readonly clientVersion: string;
  readonly chat: Chat;
  readonly agents: AgentList;
  readonly editor: EditorFiles;
  readonly traffic: Traffic;
  readonly mark: OpenDialogMark;
  readonly shell: LoginShell;
  readonly secrets: Secrets;
  readonly log: HostLog;
};

export type Surfaces = Disposable & {
  readonly dialogs: ApprovalDialogs;
  readonly views: ChatViews;
  readonly plan: PlanTree;
};

/** Makes the views, dialogs and commands. They end with the result. */
export function createSurfaces(parts: SurfaceParts): Surfaces {
  const { chat, agents, log, traffic, mark, shell, secrets } = parts;
  const owned = new Disposables();
  const diffs = owned.add(new Diffs(chat, parts.editor));
  // Requests show the view, and the view hands requests on: one of them is bound late.
  const requests: Requests = new Requests(chat, diffs, () => views.show());
  const review = (approvalId: string): void => {
    void requests.review(approvalId);
  };
  owned.add(
    chat.onEvent((event) => {
      if (event.type === 'approvalSettled') {
        void diffs.closeApproval(event.approvalId).catch(() => undefined);
      }
    }),
  );
  const dialogs = owned.add(
    new ApprovalDialogs({
      approvals: chat.approvals,
      show: showApprovalModal,
      tell: (message) => void vscode.window.showInformationMessage(message),
      review,
      reveal: (approvalId) => void requests.reveal(approvalId),
      folder: () => folderWords(chat.folder),
      wanted: dialogsWanted,
      remember: (open) => {
        mark.set(open);
      },
      now: Date.now,
    }),
  );
  const views: ChatViews = owned.add(
    new ChatViews(parts.extensionUri, chat, (message, view) => {
      handleMessage({ chat, diffs, dialogs }, message, view);
    }),
  );
  const plan = owned.add(new PlanTree(chat));
  const probe = owned.add(new ProbeCommand(chat, agents, shell, secrets, log, parts.clientVersion));
  owned.add(new Status(chat));
  owned.add(tellRefusedFiles(chat));
  owned.add(notifyWhenHidden(chat, { chatVisible: () => views.visible, dialogsWanted, review }));
  owned.add(registerCommands({ chat, views, plan, probe, requests, traffic, shell, secrets, log }));
  return {
    dialogs,
    views,
    plan,
    dispose: () => {
      owned.dispose();
    },
  };
}
