/** Every command of the manifest, in one table. */
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import type { LoginShell } from '../agent/process/loginShell.js';
import { addAgent } from './addAgent.js';
import type { Chat } from './chat.js';
import type { ChatViews } from './chatView.js';
import { Disposables } from './emitter.js';
import { pickFolder } from './folders.js';
import { commandIds, type CommandId } from './ids.js';
import type { HostLog } from './log.js';
import { pickAgent, pickEdits, pickFromMenu, pickMode } from './picks.js';
import type { PlanTree } from './planTree.js';
import type { ProbeCommand } from './probeCommand.js';
import type { Requests } from './requests.js';
import type { Secrets } from './secrets.js';
import type { Traffic } from './traffic.js';

export type CommandPorts = {
  readonly chat: Chat;
  readonly views: ChatViews;
  readonly plan: PlanTree;
  readonly probe: ProbeCommand;
  readonly requests: Requests;
  readonly traffic: Traffic;
  readonly shell: LoginShell;
  readonly secrets: Secrets;
  readonly log: HostLog;
};

/** Registers all commands until the result is disposed. */
export function registerCommands(ports: CommandPorts): Disposable {
  const { chat, views, plan, probe, requests, traffic, shell, secrets, log } = ports;
  const table: Readonly<Record<CommandId, (argument?: unknown) => unknown>> = {
    [commandIds.probeAgent]: (name) => probe.run(typeof name === 'string' ? name : undefined),
    [commandIds.addAgent]: () => addAgent(chat, probe, shell),
    [commandIds.newSession]: () => newSession(chat, views),
    [commandIds.cancelTurn]: () => chat.stop(),
    [commandIds.restartAgent]: () => chat.restartAgent(),
    [commandIds.selectAgent]: () => pickAgent(chat),
    [commandIds.focusChat]: () => views.focus(),
    [commandIds.openInEditor]: () => views.openInEditor(),
    [commandIds.refreshEnvironment]: () => void vscode.window.showInformationMessage(shell.forget()),
    [commandIds.setSecret]: (name) => secrets.set(typeof name === 'string' ? name : undefined),
    [commandIds.showLog]: () => log.show(),
    [commandIds.showTraffic]: () => traffic.show(),
    [commandIds.exportTraffic]: (to) => traffic.export(to instanceof vscode.Uri ? to : undefined),
    [commandIds.showRequest]: () => requests.show(0),
    [commandIds.nextRequest]: () => requests.show(1),
    [commandIds.previousRequest]: () => requests.show(-1),
    [commandIds.allowOnce]: () => requests.allowOnce(),
    [commandIds.deny]: () => requests.deny(),
    [commandIds.setEdits]: () => pickEdits(chat),
    [commandIds.setMode]: () => pickMode(chat),
    [commandIds.showMenu]: () => pickFromMenu(chat),
    [commandIds.copyReport]: () => probe.copy(),
    [commandIds.probeAgain]: () => probe.again(),
    [commandIds.probeWithTestTurn]: (name) => probe.withTestTurn(typeof name === 'string' ? name : undefined),
    [commandIds.followPlan]: () => plan.follow(),
    [commandIds.showEntry]: (toolCallId) => showEntry(ports, toolCallId),
  };
  const owned = new Disposables();
  for (const [id, run] of Object.entries(table)) {
    owned.add(vscode.commands.registerCommand(id, run));
  }
  return owned;
}

async function newSession(chat: Chat, views: ChatViews): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined && chat.folder !== null) {
    return;
  }
  chat.newSession(folder ?? null);
  await views.focus();
}

async function showEntry({ chat, views }: CommandPorts, toolCallId: unknown): Promise<void> {
  if (typeof toolCallId === 'string') {
    await views.show();
    chat.nudge({ type: 'reveal', toolCallId });
  }
}
