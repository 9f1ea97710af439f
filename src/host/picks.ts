/** VS Code's own quick picks for what the panel's header opens. */
import * as vscode from 'vscode';
import type { EditsChoice } from '../core/messages.js';
import { oneLine } from '../core/text/visible.js';
import { modeControl, saysItAsksNothing } from '../core/transcript/modes.js';
import type { Chat } from './chat.js';
import { commandIds } from './ids.js';
import { terminalSetting, writeSetting, type SettingName } from './settings.js';

type Action = vscode.QuickPickItem & { readonly run?: () => unknown };

/** Chooses the agent of the chat. */
export async function pickAgent(chat: Chat): Promise<void> {
  const { agents, agent } = chat.panel('sidebar');
  const items: Action[] = agents.map(({ name, detail, note }) => ({
    label: name,
    description: [note, name === agent ? 'in use' : ''].filter((part) => part !== '').join(' · '),
    detail,
    run: () => {
      chat.selectAgent(name);
    },
  }));
  const more: Action[] = [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(add) Add Agent…', run: () => vscode.commands.executeCommand(commandIds.addAgent) },
  ];
  const placeHolder = chat.folder === null ? 'Choose an agent' : `Choose an agent for ${chat.folder.name}`;
  await choose([...items, ...more], placeHolder);
}

/** How the agent may edit files and run commands. Loosening further than asking is left to the settings. */
export async function pickEdits(chat: Chat): Promise<void> {
  const agent = chat.agentName ?? 'the agent';
  const { edits } = chat.panel('sidebar');
  const terminal = terminalSetting();
  const set = (name: SettingName, value: string) => () => writeSetting(name, value);
  const mark = (chosen: boolean): string => (chosen ? 'now' : '');
  const items: Action[] = [
    { label: 'Edits', kind: vscode.QuickPickItemKind.Separator },
    {
      label: '$(shield) Through VS Code, asking each time',
      description: mark(edits === 'ask'),
      detail: 'You see each edit as a diff and allow it. Undo works.',
      run: set('fs.write', 'ask'),
    },
    {
      label: `$(unlock) By ${agent} itself`,
      description: mark(edits === 'off'),
      detail: `VS Code writes nothing for ${agent}. It may still write to disk with its own tools, and this window cannot stop it.`,
      run: set('fs.write', 'off'),
    },
    { label: 'Commands', kind: vscode.QuickPickItemKind.Separator },
    {
      label: '$(terminal) Through VS Code, asking each time',
      description: mark(terminal === 'ask'),
      detail: 'You see each command and allow it. VS Code runs it and shows what it prints.',
      run: set('terminal', 'ask'),
    },
    {
      label: `$(unlock) By ${agent} itself`,
      description: mark(terminal === 'off' || terminal === 'unset'),
      detail: `VS Code runs nothing for ${agent}. It may still run commands with its own tools.`,
      run: set('terminal', 'off'),
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: '$(gear) Open Settings',
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'acpHost.'),
    },
  ];
  await choose(items, placeHolderOf(edits, agent));
}

function placeHolderOf(edits: EditsChoice, agent: string): string {
  return edits === 'unset' ? `How may ${agent} edit files?` : `How ${agent} edits files and runs commands`;
}

/** Sets the mode of the session, where the agent offers modes. What came of it is said in the conversation. */
export async function pickMode(chat: Chat): Promise<void> {
  const { session, transcript } = chat;
  const control = modeControl(transcript);
  if (session === null || control === null || session.sessionId === null) {
    const agent = chat.agentName ?? 'The agent';
    const known = session !== null && session.sessionId !== null;
    void vscode.window.showInformationMessage(
      known ? `${agent} offers no modes.` : `${agent} offers its modes once a session is open. Send a prompt first.`,
    );
    return;
  }
  const items = control.choices.map((mode) => ({
    label: `${saysItAsksNothing(mode) ? '$(warning) ' : ''}${oneLine(mode.name, 100)}`,
    description: mode.id === transcript.pendingMode ? 'asked for' : mode.id === control.current.id ? 'now' : '',
    detail: oneLine(mode.description ?? '', 300),
    run: () => {
      if (mode.id !== control.current.id || transcript.pendingMode !== undefined) {
        // Its failure stands in the conversation.
        void session.setMode(mode.id).catch(() => undefined);
      }
    },
  }));
  await choose(items, 'Mode');
}

/** What the status bar item and the panel's menu offer. */
export async function pickFromMenu(chat: Chat): Promise<void> {
  const waiting = chat.waiting.length;
  const busy = chat.session?.busy === true;
  const run = (command: string) => () => vscode.commands.executeCommand(command);
  const items: Action[] = [
    { label: '$(comment-discussion) Open Chat', run: run(commandIds.focusChat) },
    ...(waiting > 0
      ? [{ label: '$(shield) Show Request', description: `${waiting}`, run: run(commandIds.showRequest) }]
      : []),
    ...(busy ? [{ label: '$(debug-stop) Stop', run: run(commandIds.cancelTurn) }] : []),
    { label: '$(add) New Session', run: run(commandIds.newSession) },
    { label: '$(refresh) Restart', description: chat.agentName ?? '', run: run(commandIds.restartAgent) },
    { label: '$(arrow-swap) Select Agent…', run: run(commandIds.selectAgent) },
    { label: '$(pulse) Probe Agent', run: run(commandIds.probeAgent) },
    { label: '$(go-to-file) Open Chat in Editor', run: run(commandIds.openInEditor) },
    { label: '$(output) Show Log', run: run(commandIds.showLog) },
    { label: '$(list-flat) Show Traffic', run: run(commandIds.showTraffic) },
  ];
  await choose(items, chat.agentName ?? 'No agent is chosen yet');
}

async function choose(items: readonly Action[], placeHolder: string): Promise<void> {
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  await chosen?.run?.();
}
