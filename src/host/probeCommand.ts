/** “ACP: Probe Agent”: runs the probe and shows its report as a document that can be copied. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentSpec } from '../agent/agent.js';
import type { Disposable, Log } from '../agent/ports.js';
import type { LoginShell } from '../agent/process/loginShell.js';
import { defaultHandshakeTimeout, runProbe } from '../agent/probe.js';
import { HostError, messageOf } from '../core/errors.js';
import { probeMarkdown, type ProbeReport } from '../core/probeReport.js';
import { redact } from '../core/text/redact.js';
import type { AgentList } from './agentList.js';
import type { Chat } from './chat.js';
import { schemes } from './ids.js';
import type { Secrets } from './secrets.js';
import { handshakeTimeoutMs, passedVariables, throughProxy } from './settings.js';
import { VirtualDocuments } from './virtualDocuments.js';

const previewEditor = 'vscode.markdown.preview.editor';

export class ProbeCommand implements Disposable {
  readonly #documents = new VirtualDocuments(schemes.probe, 10);
  readonly #reports = new Map<string, { readonly agent: string; readonly markdown: string }>();
  #last: string | undefined;

  constructor(
    private readonly chat: Chat,
    private readonly agents: AgentList,
    private readonly shell: LoginShell,
    private readonly secrets: Secrets,
    private readonly log: Log,
    private readonly clientVersion: string,
  ) {}

  /** Probes the agent of this name, else the chat's, else one that is picked. Resolves to what was found. */
  async run(name?: string): Promise<ProbeReport | undefined> {
    const spec = await this.#choose(name);
    return spec === undefined ? undefined : this.#probe(spec, false);
  }

  async #choose(name: string | undefined): Promise<AgentSpec | undefined> {
    if (!vscode.workspace.isTrusted) {
      const manage = 'Manage Trust';
      const why = 'This folder is not trusted, so no agent starts.';
      if ((await vscode.window.showWarningMessage(why, manage)) === manage) {
        await vscode.commands.executeCommand('workbench.trust.manage');
      }
      return undefined;
    }
    return this.agents.find(name ?? this.chat.agentName ?? '') ?? (await this.#pick());
  }

  /** The same with one prompt, which may cost money: asks first. Without a name it is the agent of the report in view. */
  async withTestTurn(name?: string): Promise<ProbeReport | undefined> {
    const spec = await this.#choose(name ?? this.#inView()?.agent);
    if (spec === undefined) {
      return undefined;
    }
    const send = 'Send Test Prompt';
    const detail = [
      'It costs what a short prompt costs with this agent.',
      `${spec.name} works in a temporary folder: it reads a file, changes a line and runs one command. Its requests for that are allowed for you, all others are denied.`,
      'Its own tools are not held to that folder.',
    ].join('\n\n');
    const question = `Probe ${spec.name} with a test prompt?`;
    const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, send);
    return chosen === send ? this.#probe(spec, true) : undefined;
  }

  /** Probes the agent of the report in view again. */
  async again(): Promise<void> {
    const report = this.#inView();
    await this.run(report?.agent);
  }

  async copy(): Promise<void> {
    const report = this.#inView();
    if (report !== undefined) {
      await vscode.env.clipboard.writeText(report.markdown);
      void vscode.window.setStatusBarMessage('The report was copied.', 3000);
    }
  }

  dispose(): void {
    this.#documents.dispose();
    this.#reports.clear();
  }

  async #pick(): Promise<AgentSpec | undefined> {
    const items = this.agents.choices.map(({ name, detail, note }) => ({ label: name, description: note, detail }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Agent to probe' });
    return picked === undefined ? undefined : this.agents.find(picked.label);
  }

  async #probe(spec: AgentSpec, testTurn: boolean): Promise<ProbeReport | undefined> {
    const cwd = this.chat.folder?.path ?? homedir();
    const location = vscode.ProgressLocation.Notification;
    try {
      const { report, facts } = await vscode.window.withProgress(
        { location, title: `Probing ${spec.name}…`, cancellable: true },
        async (_progress, token) => {
          const abort = new AbortController();
          token.onCancellationRequested(() => {
            abort.abort();
          });
          return runProbe({
            agentName: spec.name,
            command: spec.command,
            args: spec.args,
            agentEnv: spec.env,
            base: throughProxy(await this.shell.environment()),
            pass: passedVariables(),
            secret: this.secrets.lookup,
            cwd,
            timeoutMs: handshakeTimeoutMs() ?? defaultHandshakeTimeout(spec.command),
            clientVersion: this.clientVersion,
            signal: abort.signal,
            log: this.log,
            testTurn,
          });
        },
      );
      const folder = cwd.startsWith(homedir()) ? `~${cwd.slice(homedir().length)}` : cwd;
      const platform = `VS Code ${vscode.version} · ${process.platform} ${process.arch}`;
      await this.#show(spec.name, redact(probeMarkdown(report, { ...facts, folder, platform })));
      return report;
    } catch (error) {
      if (!(error instanceof HostError && error.reason === 'cancelled')) {
        this.log.warn(`The probe failed: ${messageOf(error)}`);
        void vscode.window.showErrorMessage(`The probe of ${spec.name} failed: ${messageOf(error)}`);
      }
      return undefined;
    }
  }

  async #show(agent: string, markdown: string): Promise<void> {
    const uri = this.#documents.put(`Probe: ${agent.replaceAll(/[\\/]/g, ' ')}.md`, '', markdown);
    this.#reports.set(uri.toString(), { agent, markdown });
    this.#last = uri.toString();
    await vscode.commands.executeCommand('vscode.openWith', uri, previewEditor, { preview: false });
  }

  #inView(): { readonly agent: string; readonly markdown: string } | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const shown = input instanceof vscode.TabInputCustom ? input.uri.toString() : this.#last;
    return this.#reports.get(shown ?? '') ?? this.#reports.get(this.#last ?? '');
  }
}
