/** Opens what a card names: its diff in the diff editor, its place in a file, its whole text. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable, EditorFiles } from '../agent/ports.js';
import { limits } from '../core/text/limits.js';
import { oneLine } from '../core/text/visible.js';
import {
  findTool,
  type DiffView,
  inlineText,
  type Approval,
  type Text,
  type ToolContent,
} from '../core/transcript/model.js';
import { applyDiffView } from './applyDiffView.js';
import type { Chat } from './chat.js';
import { schemes } from './ids.js';
import { VirtualDocuments } from './virtualDocuments.js';

type ToolDiff = Extract<ToolContent, { type: 'diff' }>;

export class Diffs implements Disposable {
  readonly #sides = new VirtualDocuments(schemes.diff, 40);
  readonly #texts = new VirtualDocuments(schemes.text, 20);

  constructor(
    private readonly chat: Chat,
    private readonly files: EditorFiles,
  ) {}

  /** The diff of a request that waits: the text as it is now against the text that allowing leads to. */
  async openApproval(approvalId: string): Promise<void> {
    const pending = this.chat.approvals.find(approvalId);
    const { diff, command } = pending?.approval ?? {};
    if (pending === undefined || (diff === undefined && command === undefined)) {
      return;
    }
    if (diff === undefined) {
      await this.showText(`command-${approvalId}.sh`, command ?? '');
      return;
    }
    const path = this.#absolute(pathOf(pending.approval));
    const current = await this.#current(path);
    const result = applyDiffView(current, diff);
    if (result === undefined) {
      await this.#showLines(path, diff);
      return;
    }
    await this.#open(path, approvalId, current, result, `${basename(path)}: ${pending.owner.agentName} asks`);
  }

  /** Closes the diff of a request that was answered: what it says is no longer a question. */
  async closeApproval(approvalId: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isItsDiff = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputTextDiff &&
      input.modified.scheme === schemes.diff &&
      input.modified.query === `${approvalId}-after`;
    const open = tabs.filter(isItsDiff);
    if (open.length > 0) {
      await vscode.window.tabGroups.close(open, true);
    }
  }

  /** The first diff that a tool call carries, as the agent told it. */
  async openTool(toolCallId: string): Promise<void> {
    const tool = findTool(this.chat.transcript, toolCallId);
    const diff = tool?.content.find((item): item is ToolDiff => item.type === 'diff');
    if (tool === undefined || diff === undefined) {
      if (tool?.allowed !== undefined) {
        await this.#showLines(tool.allowed.path, tool.allowed);
      }
      return;
    }
    const before = diff.oldText === null ? '' : this.#whole(diff.oldText);
    const title = `${basename(diff.path)}: ${oneLine(tool.title, 80)}`;
    await this.#open(this.#absolute(diff.path), tool.id, before, this.#whole(diff.newText), title);
  }

  /** A place that a tool call names. Paths come from the agent, so only a plain file is opened, and only for reading. */
  async openLocation(toolCallId: string, index: number): Promise<void> {
    const location = findTool(this.chat.transcript, toolCallId)?.locations[index];
    if (location !== undefined) {
      await this.openFile(location.path, location.line);
    }
  }

  /** Opens a file at a 1-based line. Says so where it cannot. */
  async openFile(path: string, line?: number): Promise<void> {
    const absolute = this.#absolute(path);
    // A network path would send this person's credentials to whoever runs that host.
    const isRemote = /^[\\/]{2}/.test(absolute);
    const isFile =
      !isRemote &&
      (await stat(absolute).then(
        (stats) => stats.isFile(),
        () => false,
      ));
    if (!isFile) {
      void vscode.window.showInformationMessage(`${oneLine(path, 200)} is not a file that can be opened.`);
      return;
    }
    const at = Math.max(0, (line ?? 1) - 1);
    await vscode.window.showTextDocument(vscode.Uri.file(absolute), {
      selection: new vscode.Range(at, 0, at, 0),
      preview: true,
    });
  }

  /** Opens a text as a read-only document. */
  async showText(name: string, text: string): Promise<void> {
    const uri = this.#texts.put(name, '', text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.#sides.dispose();
    this.#texts.dispose();
  }

  /** A diff of which only the listed lines are known, as text. */
  async #showLines(path: string, diff: DiffView): Promise<void> {
    const lines = diff.lines.map((line) => (line.sign === '…' ? `@@ ${line.count} lines @@` : line.sign + line.text));
    const rest = diff.omitted > 0 ? [`@@ ${diff.omitted} more lines are not listed @@`] : [];
    await this.showText(`${basename(path)}.diff`, [...lines, ...rest].join('\n'));
  }

  async #open(path: string, key: string, before: string, after: string, title: string): Promise<void> {
    const left = this.#sides.put(path, `${key}-before`, before);
    const right = this.#sides.put(path, `${key}-after`, after);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  /** The text as a person sees it now; empty where there is no file. */
  async #current(path: string): Promise<string> {
    const canonical = await realpath(path).catch(() => path);
    const open = this.files.openText(canonical);
    if (open !== undefined) {
      return open.text;
    }
    const size = await stat(canonical).then(
      (stats) => (stats.isFile() ? stats.size : Infinity),
      () => Infinity,
    );
    const text = size > limits.readBytes ? '' : await readFile(canonical, 'utf8').catch(() => '');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : join(this.chat.folder?.path ?? '/', path);
  }

  #whole(text: Text): string {
    return typeof text === 'string' ? text : (this.chat.body(text.bodyId) ?? inlineText(text));
  }
}

function pathOf(approval: Approval): string {
  return approval.resolvesTo ?? approval.diff?.path ?? approval.paths[0] ?? '';
}

/** A path below a folder as people write it, any other as it is. */
export function shortPath(folder: string, path: string): string {
  const below = relative(folder, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}
