/** What each message of the chat view does. A view names ids; everything else is looked up here. */
import * as vscode from 'vscode';
import type { ToHost } from '../core/messages.js';
import type { NoticeAction, NoticeEntry } from '../core/transcript/model.js';
import type { ApprovalDialogs } from './approvalDialogs.js';
import type { Chat } from './chat.js';
import type { Diffs } from './diffs.js';
import { commandIds, type CommandId } from './ids.js';
import { openAgentSettings } from './settings.js';
import type { ViewChannel } from './viewChannel.js';

export type PanelMessages = {
  readonly chat: Chat;
  readonly diffs: Diffs;
  readonly dialogs: ApprovalDialogs;
};

/** Acts on one message. Never throws; what fails is said where it was asked for. */
export function handleMessage({ chat, diffs, dialogs }: PanelMessages, message: ToHost, view: ViewChannel): void {
  switch (message.type) {
    case 'ready':
    case 'resync':
      view.ready();
      return;
    case 'sendPrompt':
      chat.sendPrompt(message.text);
      return;
    case 'stop':
      chat.stop();
      return;
    case 'answer':
      tellIfLate(chat, chat.approvals.answer(message.approvalId, message.optionId));
      return;
    case 'decide':
      decide(chat, message);
      return;
    case 'openDiff':
      void (message.approvalId !== undefined
        ? diffs.openApproval(message.approvalId)
        : diffs.openTool(message.toolCallId ?? ''));
      return;
    case 'openApproval':
      void diffs.openApproval(message.approvalId);
      return;
    case 'openLocation':
      void diffs.openLocation(message.toolCallId, message.index);
      return;
    case 'openLink':
      openLink(diffs, message.href);
      return;
    case 'copy':
      void vscode.env.clipboard.writeText(message.text);
      return;
    case 'fetchBody':
      view.nudge({ type: 'body', bodyId: message.bodyId, text: chat.body(message.bodyId) });
      return;
    case 'selectAgent':
      chat.selectAgent(message.name);
      return;
    case 'chooseEdits':
      chat.chooseEdits(message.choice);
      return;
    case 'editQueued':
      chat.editQueued(message.promptId, message.text);
      return;
    case 'removeQueued':
      chat.session?.removeQueued(message.promptId);
      return;
    case 'sendQueued':
      chat.sendQueued(message.promptId);
      return;
    case 'act':
      act(chat, diffs, message.entryId, message.action);
      return;
    case 'typed':
      dialogs.typed();
      return;
    case 'draft':
      chat.setDraft(message.text);
      return;
    case 'pickAgent':
    case 'addAgent':
    case 'newSession':
    case 'pickEdits':
    case 'pickMode':
    case 'showPlan':
    case 'showMenu':
      run(commandOf[message.type]);
      return;
  }
}

const commandOf = {
  pickAgent: commandIds.selectAgent,
  addAgent: commandIds.addAgent,
  newSession: commandIds.newSession,
  pickEdits: commandIds.setEdits,
  pickMode: commandIds.setMode,
  showPlan: 'acpHost.plan.focus',
  showMenu: commandIds.showMenu,
} as const satisfies Record<string, CommandId | 'acpHost.plan.focus'>;

function decide(chat: Chat, message: Extract<ToHost, { type: 'decide' }>): void {
  const { approvalId, decision, comment } = message;
  const done = chat.approvals.decide(approvalId, decision, comment);
  tellIfLate(chat, done);
  if (done && comment !== undefined && comment.trim() !== '') {
    chat.sendPrompt(comment, 'next');
  }
}

function tellIfLate(chat: Chat, done: boolean): void {
  if (!done) {
    const agent = chat.agentName ?? 'The agent';
    void vscode.window.showInformationMessage(`${agent} no longer needs this. Nothing was done.`);
  }
}

function act(chat: Chat, diffs: Diffs, entryId: string, action: NoticeAction): void {
  const entry = chat.transcript.pages.flat().find(({ id }) => id === entryId);
  const notice = entry?.kind === 'notice' ? entry : undefined;
  switch (action) {
    case 'restart':
      run(commandIds.restartAgent);
      return;
    case 'retry':
      chat.retry();
      return;
    case 'editPrompt':
      chat.nudge({ type: 'setComposer', text: chat.lastPrompt ?? '' });
      return;
    case 'continue':
      chat.sendPrompt('Continue.');
      return;
    case 'showLog':
      run(commandIds.showLog);
      return;
    case 'copyDetails':
      void vscode.env.clipboard.writeText(detailsOf(notice));
      return;
    case 'details':
      void diffs.showText('Details.txt', detailsOf(notice));
      return;
    case 'probe':
    case 'signIn':
      run(commandIds.probeAgent);
      return;
    case 'editSettings':
      void openAgentSettings();
      return;
    case 'addAgent':
      run(commandIds.addAgent);
      return;
    case 'manageTrust':
      run('workbench.trust.manage');
      return;
    case 'openFolder':
      run('workbench.action.files.openFolder');
      return;
    case 'stopNow':
      chat.stop();
      return;
  }
}

function detailsOf(entry: NoticeEntry | undefined): string {
  if (entry === undefined) {
    return '';
  }
  const { what, why, tail, details } = entry.notice;
  return [what, why, details ?? (tail ?? []).join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Web and mail addresses go to the browser; anything else can only be a file of the workspace. */
function openLink(diffs: Diffs, href: string): void {
  if (/^(https?|mailto):/i.test(href)) {
    void vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(href) && !/^file:/i.test(href) && !/^[a-z]:[\\/]/i.test(href)) {
    return;
  }
  const [, path = '', line] = /^(?:file:\/\/)?(.*?)(?:(?:#L|:)(\d+)(?:[:-]\d+)?)?$/i.exec(href) ?? [];
  void diffs.openFile(decode(path), line === undefined ? undefined : Number(line));
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function run(command: string, ...args: readonly unknown[]): void {
  void vscode.commands.executeCommand(command, ...args).then(undefined, () => undefined);
}
