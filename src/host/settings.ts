/**
 * The settings, typed and read anew at every use, so that a change counts at once. Everything that starts a program or
 * permits something is machine-scoped: only the value of the person on this machine is read, whatever a folder says.
 */
import * as vscode from 'vscode';
import type { AgentSpec } from '../agent/agent.js';
import type { ServePolicy } from '../agent/ports.js';
import { hostEnvironment, withProxy, type BaseEnvironment } from '../agent/process/environment.js';
import type { EditsChoice } from '../core/messages.js';
import { compileFileRules, type CompiledFileRules } from '../core/policy/fileRules.js';
import { prefix } from './ids.js';
import { parseAgents } from './parseAgents.js';

export type ServeSetting = 'unset' | 'off' | 'ask' | 'allow';
const serveSettings: readonly ServeSetting[] = ['unset', 'off', 'ask', 'allow'];

export type SettingName =
  | 'agents'
  | 'defaultAgent'
  | 'fs.read'
  | 'fs.write'
  | 'terminal'
  | 'acknowledgeUnrestricted'
  | 'approvals.dialog'
  | 'handshakeTimeout'
  | 'environment.pass'
  | 'files.deny'
  | 'files.allow';

/** The configured agents in the order of the setting. Entries that cannot be used are left out. */
export function configuredAgents(): readonly AgentSpec[] {
  return parseAgents(read('agents')).specs;
}

/** Why entries of `acpHost.agents` and patterns of `acpHost.files.*` were left out, one sentence each. */
export function settingComplaints(): readonly string[] {
  return [...parseAgents(read('agents')).complaints, ...fileRules().complaints];
}

export function defaultAgent(): string | undefined {
  const name = read('defaultAgent');
  return typeof name === 'string' && name.length > 0 ? name : undefined;
}

/** How files and terminals are served now. `unset` is served as `off`. */
export function servePolicy(): ServePolicy {
  return {
    read: read('fs.read') !== false,
    write: served(serveSetting('fs.write')),
    terminal: served(serveSetting('terminal')),
    acknowledged: read('acknowledgeUnrestricted') === true,
    files: fileRules().rules,
  };
}

/**
 * The patterns of files that are guarded or free. `deny` is the sum of what the person, the workspace and its folders
 * say, so that a folder can add to it and take nothing away; `allow` is the person's alone.
 */
export function fileRules(): CompiledFileRules {
  const scopes: readonly (vscode.Uri | undefined)[] = [
    undefined,
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  ];
  const values = scopes.flatMap((scope) => {
    const found = vscode.workspace.getConfiguration(prefix, scope).inspect<unknown>('files.deny');
    return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].filter(
      (value) => value !== undefined,
    );
  });
  const deny = [...new Set(values.flat())];
  const allow = read('files.allow');
  const key = JSON.stringify([deny, allow]);
  if (compiled?.key !== key) {
    compiled = { key, ...compileFileRules(deny, allow) };
  }
  return compiled;
}

let compiled: (CompiledFileRules & { readonly key: string }) | undefined;

/** What stands in the panel's header: `allow` without the acknowledgement behaves as `ask` and says so. */
export function editsChoice(): EditsChoice {
  const write = serveSetting('fs.write');
  return write === 'allow' && read('acknowledgeUnrestricted') !== true ? 'ask' : write;
}

export function terminalSetting(): ServeSetting {
  return serveSetting('terminal');
}

export function dialogsWanted(): boolean {
  return read('approvals.dialog') !== false;
}

/** Milliseconds that `initialize` may take, or undefined where the person set nothing. */
export function handshakeTimeoutMs(): number | undefined {
  const value = vscode.workspace.getConfiguration(prefix).inspect<unknown>('handshakeTimeout')?.globalValue;
  return typeof value === 'number' && value > 0 ? Math.min(value, 3600) * 1000 : undefined;
}

/** Names of variables that agents get in addition to the allow-list. */
export function passedVariables(): readonly string[] {
  const value = read('environment.pass');
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
}

/** An agent's base environment with the proxy that VS Code itself uses by its settings. */
export function throughProxy(base: BaseEnvironment): BaseEnvironment {
  const http = vscode.workspace.getConfiguration('http');
  // Only the person's own word: a folder must not choose through whom an agent speaks.
  const own = (name: string): unknown => http.inspect<unknown>(name)?.globalValue;
  return withProxy(base ?? hostEnvironment(), own('proxy'), own('noProxy'));
}

/** Whether programs may be started for the folders of this window. */
export function isTrusted(): boolean {
  return vscode.workspace.isTrusted;
}

/** Shows the setting where it can be changed: that of the machine with the folder, in a window on another one. */
export async function openAgentSettings(): Promise<void> {
  const query = `@id:${prefix}.agents`;
  await (vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', query)
    : vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query }));
}

/** Writes one setting for this person on this machine. */
export async function writeSetting(name: SettingName, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(prefix).update(name, value, vscode.ConfigurationTarget.Global);
}

/** Calls `listener` with the test whether a setting changed. */
export function onDidChangeSettings(listener: (changed: (name: SettingName) => boolean) => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(prefix)) {
      listener((name) => event.affectsConfiguration(`${prefix}.${name}`));
    }
  });
}

function read(name: SettingName): unknown {
  const found = vscode.workspace.getConfiguration(prefix).inspect<unknown>(name);
  return found?.globalValue ?? found?.defaultValue;
}

function serveSetting(name: 'fs.write' | 'terminal'): ServeSetting {
  const value = read(name);
  return serveSettings.find((setting) => setting === value) ?? 'unset';
}

function served(setting: ServeSetting): 'off' | 'ask' | 'allow' {
  return setting === 'unset' ? 'off' : setting;
}
