/** “ACP: Add Agent…”: finds what is installed, says what would be downloaded and run, writes the setting, probes. */
import * as vscode from 'vscode';
import { agentSetting, detectAgents, type DetectedAgent } from '../agent/agentTable.js';
import { showArguments } from '../agent/commandOf.js';
import { buildEnvironment } from '../agent/process/environment.js';
import type { LoginShell } from '../agent/process/loginShell.js';
import type { Chat } from './chat.js';
import { prefix } from './ids.js';
import type { ProbeCommand } from './probeCommand.js';
import { openAgentSettings, passedVariables, writeSetting } from './settings.js';

type Choice = vscode.QuickPickItem & { readonly agent?: DetectedAgent; readonly settings?: true };

/** Runs the whole dialogue. Nothing is written, downloaded or started before the person said so. */
export async function addAgent(chat: Chat, probe: ProbeCommand, shell: LoginShell): Promise<void> {
  const chosen = await vscode.window.showQuickPick(choices(shell), {
    placeHolder: 'Agent to add',
    matchOnDetail: true,
  });
  if (chosen?.settings === true) {
    await openAgentSettings();
    return;
  }
  if (chosen?.agent === undefined || !(await confirm(chosen.agent))) {
    return;
  }
  const { title } = chosen.agent.entry;
  const found = vscode.workspace.getConfiguration(prefix).inspect<Record<string, unknown>>('agents');
  await writeSetting('agents', { ...found?.globalValue, [title]: agentSetting(chosen.agent) });
  chat.selectAgent(title);
  if (vscode.workspace.isTrusted) {
    await probe.run(title);
  }
}

async function choices(shell: LoginShell): Promise<readonly Choice[]> {
  const base = await shell.environment();
  const { env } = buildEnvironment({ base, pass: passedVariables(), agentEnv: {}, marker: '' });
  const agents = await detectAgents(env);
  const sorted = [...agents].sort((a, b) => Number(b.installed !== null) - Number(a.installed !== null));
  return [
    ...sorted.map((agent): Choice => {
      const { entry, installed } = agent;
      return {
        label: entry.title,
        description: installed === null ? `downloads ${entry.megabytes} MB` : 'installed',
        detail: installed === null ? entry.npm : installed.file,
        agent,
      };
    }),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: '$(gear) Another Agent…',
      detail:
        'Any program that speaks the Agent Client Protocol: its command, arguments and environment in the settings.',
      settings: true,
    },
  ];
}

async function confirm({ entry, installed }: DetectedAgent): Promise<boolean> {
  const { command, args } = agentSetting({ entry, installed });
  const commandLine = showArguments([command, ...args]);
  const lines =
    installed === null
      ? [
          `VS Code would run: ${commandLine}`,
          '',
          `The first start downloads ${entry.npm} from the npm registry, about ${entry.megabytes} MB.`,
          ...(entry.node === null ? [] : [`It needs Node.js ${entry.node} or newer.`]),
        ]
      : [`VS Code would run: ${commandLine}`, `Found at ${installed.file}`, '', 'Nothing is downloaded.'];
  const detail = [
    ...lines,
    `Signing in: ${entry.signIn}`,
    'Then the agent is probed: it starts once, and no prompt is sent.',
  ];
  const button = installed === null ? 'Download and Probe' : 'Add and Probe';
  const answer = await vscode.window.showInformationMessage(
    `Add ${entry.title}?`,
    { modal: true, detail: detail.join('\n') },
    button,
  );
  return answer === button;
}
