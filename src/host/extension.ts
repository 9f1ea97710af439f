/** The composition root: everything is made here, given what it needs, and ended here. */
import * as vscode from 'vscode';
import { Approvals } from '../agent/approvals.js';
import { completeAlready, LoginShell } from '../agent/process/loginShell.js';
import { defaultHandshakeTimeout } from '../agent/probe.js';
import { Supervisor } from '../agent/supervisor.js';
import { AgentList, demoAgent } from './agentList.js';
import { CapabilityWatch } from './capabilityWatch.js';
import { Chat } from './chat.js';
import { WindowFiles } from './editorFiles.js';
import { Disposables } from './emitter.js';
import { bindFolder } from './folders.js';
import { HostLog } from './log.js';
import { OpenDialogMark } from './openDialogMark.js';
import { careForProcesses } from './processCare.js';
import { react } from './reactions.js';
import { Secrets } from './secrets.js';
import * as settings from './settings.js';
import { createSurfaces } from './surfaces.js';
import { Traffic } from './traffic.js';
import { WindowMemory } from './windowMemory.js';

let stopAll: (() => Promise<void>) | undefined;

/** What in-host tests look at. Not for other extensions. */
export type TestAccess = { readonly chat: Chat; readonly plan: { readonly items: readonly unknown[] } };

/** Called by VS Code when the extension is first needed. Starts no process and waits for no disk. */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const owned = new Disposables();
  context.subscriptions.push(owned);
  const { extensionUri, storageUri, globalStorageUri } = context;
  const shipped = (file: string): string => vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath;
  const clientVersion = (context.extension.packageJSON as { version: string }).version;
  const log = owned.add(new HostLog());
  const memory = owned.add(new WindowMemory(context.workspaceState));
  const mark = new OpenDialogMark(memory, vscode.env.sessionId);
  const traffic = owned.add(new Traffic());
  const approvals = new Approvals();
  const secrets = new Secrets(context.secrets);
  const editor = new WindowFiles();
  const { configuredAgents, isTrusted, passedVariables, servePolicy } = settings;
  const demo = demoAgent(shipped('demo-agent.cjs'));
  const shell: LoginShell = new LoginShell({
    log,
    notNeeded: () => completeAlready(vscode.env.remoteName),
    onAnswer: () => void agents.refresh(),
  });
  const agents = owned.add(
    new AgentList(demo, { configured: configuredAgents, pass: passedVariables, base: () => shell.known }),
  );
  const care = owned.add(careForProcesses(globalStorageUri.fsPath, shipped('watchdog.cjs'), log));
  const supervisor = owned.add(
    new Supervisor({
      ...{ approvals, editor, log, clientVersion, isTrusted },
      policy: servePolicy,
      passEnvironment: passedVariables,
      secret: secrets.lookup,
      baseEnvironment: async () => settings.throughProxy(await shell.environment()),
      handshakeTimeoutMs: ({ command }) => settings.handshakeTimeoutMs() ?? defaultHandshakeTimeout(command),
      recordTraffic: traffic.recorder,
    }),
  );
  const sessionsFolder = storageUri === undefined ? undefined : vscode.Uri.joinPath(storageUri, 'sessions').fsPath;
  const chat = owned.add(
    new Chat({
      ...{ supervisor, approvals, agents, log, memory, sessionsFolder, isTrusted },
      folder: bindFolder,
      edits: settings.editsChoice,
      writeEdits: (choice) => settings.writeSetting('fs.write', choice),
      defaultAgent: settings.defaultAgent,
      oldDialog: () => mark.leftOpen,
      now: Date.now,
    }),
  );
  stopAll = () => {
    // First, so that what is saved ends where the window ended and not with the stop of the agent.
    chat.dispose();
    return supervisor.stopAll(true).finally(care.bye);
  };
  const surfaces = owned.add(
    createSurfaces({ extensionUri, clientVersion, chat, agents, editor, traffic, mark, shell, secrets, log }),
  );
  const capabilities = owned.add(new CapabilityWatch({ agents: () => supervisor.agents, policy: servePolicy }));
  owned.add(react({ agents, chat, dialogs: surfaces.dialogs, capabilities, log }));
  return context.extensionMode === vscode.ExtensionMode.Production ? undefined : { chat, plan: surfaces.plan };
}

/** Called by VS Code before the extension host ends. Resolves when no agent is left. */
export function deactivate(): Promise<void> | undefined {
  return stopAll?.();
}
