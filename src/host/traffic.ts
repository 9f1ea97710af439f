/** What host and agent say to each other: kept for each agent of this window, shown in a channel, saved on demand. */
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import { TrafficRecorder, type RecordedLine } from '../agent/wire/traffic.js';
import { messageOf } from '../core/errors.js';
import { limits } from '../core/text/limits.js';
import { redactJson } from '../core/text/redactJson.js';

const lineLength = 4_000;

export class Traffic implements Disposable {
  #channel: vscode.OutputChannel | undefined;
  /** The recordings by agent, the one that started last at the end. */
  readonly #recorders = new Map<string, TrafficRecorder>();

  /** The recorder of an agent that starts. Its recording goes on where the agent was started before. */
  readonly recorder = (agentName: string): TrafficRecorder => {
    const recorder = this.#recorders.get(agentName) ?? this.#newRecorder(agentName);
    this.#recorders.delete(agentName);
    this.#recorders.set(agentName, recorder);
    const [oldest] = this.#recorders.keys();
    if (this.#recorders.size > limits.trafficAgents && oldest !== undefined) {
      this.#recorders.delete(oldest);
    }
    return recorder;
  };

  /** Shows what was said so far, and from here on what is said. */
  show(): void {
    if (this.#channel === undefined) {
      this.#channel = vscode.window.createOutputChannel('ACP Traffic');
      this.#channel.appendLine('Secrets that can be recognised are left out. → is to the agent, ← from it.');
      for (const [name, recorder] of this.#recorders) {
        this.#channel.appendLine(`${name}, so far:`);
        recorder.lines().forEach((line) => this.#channel?.appendLine(toText(line)));
      }
    }
    this.#channel.show(true);
  }

  /** Saves a recording as one JSON object a line: the last started agent's at `to`, or else what and where is asked. */
  async export(to?: vscode.Uri): Promise<void> {
    const names = [...this.#recorders.keys()].reverse();
    if (names.length === 0) {
      void vscode.window.showInformationMessage('There is no traffic yet: no agent was started in this window.');
      return;
    }
    const name =
      names.length === 1 || to !== undefined
        ? names[0]
        : await vscode.window.showQuickPick(names, { title: 'Traffic of' });
    const recorder = this.#recorders.get(name ?? '');
    if (name === undefined || recorder === undefined) {
      return;
    }
    const file = `${name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}-traffic.ndjson`;
    const defaultUri = vscode.Uri.file(join(homedir(), file));
    const filters = { 'JSON lines': ['ndjson'] };
    const target = to ?? (await vscode.window.showSaveDialog({ defaultUri, filters }));
    if (target !== undefined && (await save(recorder, target))) {
      void tell(target);
    }
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #newRecorder(agentName: string): TrafficRecorder {
    return new TrafficRecorder({
      maxCharacters: limits.trafficWindow,
      onLine: (line) => {
        // Redacting each line costs more than anything else on its way, so only while somebody looks.
        this.#channel?.appendLine(`${agentName} ${toText({ ...line, json: redactJson(line.json) })}`);
      },
    });
  }
}

const arrows = { c2a: '→', a2c: '←', 'stdout-noise': '← no message:', stderr: '← stderr:', note: '·' } as const;

async function save(recorder: TrafficRecorder, target: vscode.Uri): Promise<boolean> {
  try {
    if (target.scheme === 'file') {
      await writeFile(target.fsPath, recorder.export(), { mode: 0o600 });
    } else {
      await vscode.workspace.fs.writeFile(target, Buffer.from(recorder.export()));
    }
    return true;
  } catch (error) {
    const path = vscode.workspace.asRelativePath(target, false);
    void vscode.window.showErrorMessage(`The traffic was not saved to ${path}: ${messageOf(error)}`);
    return false;
  }
}

async function tell(target: vscode.Uri): Promise<void> {
  const open = 'Open';
  const path = vscode.workspace.asRelativePath(target, false);
  const words = `The traffic was saved to ${path}. It holds your prompts and the text of files: look through it before you share it.`;
  if ((await vscode.window.showInformationMessage(words, open)) === open) {
    await vscode.window.showTextDocument(target);
  }
}

function toText({ at, dir, json }: RecordedLine): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const text = json.length > lineLength ? `${json.slice(0, lineLength)}… ${json.length} characters` : json;
  return `${time} ${arrows[dir]} ${text}`;
}
