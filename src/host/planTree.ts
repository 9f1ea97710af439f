/** The Plan view: the agent's plan as a native tree, replaced in place. */
import * as vscode from 'vscode';
import type { Disposable } from '../agent/ports.js';
import { diffView } from '../core/text/diffView.js';
import type { SessionEvent } from '../core/transcript/events.js';
import type { PlanStep, ToolContent, ToolEntry } from '../core/transcript/model.js';
import type { Chat } from './chat.js';
import { Disposables } from './emitter.js';
import { commandIds, views } from './ids.js';
import { droppedSteps, planItems, planProgress, stepsLeft, type DroppedStep, type PlanItem } from './planItems.js';

const elapsedMs = 5000;
/** What changes which steps there are and how they stand. */
const structural = new Set<SessionEvent['type']>([
  'planChanged',
  'promptSent',
  'turnEnded',
  'turnFailed',
  'agentExited',
]);

export class PlanTree implements vscode.TreeDataProvider<PlanItem>, Disposable {
  readonly #changed = new vscode.EventEmitter<PlanItem | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<PlanItem>;
  readonly #owned = new Disposables();
  #plan: readonly PlanStep[] = [];
  #dropped: readonly DroppedStep[] = [];
  #turn = 0;
  #items: readonly PlanItem[] = [];
  #current: string | undefined;
  #follow = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly chat: Chat) {
    this.#view = this.#owned.add(
      vscode.window.createTreeView(views.plan, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#owned.add(
      chat.onEvent(({ type }) => {
        if (structural.has(type)) {
          this.#take();
        } else if (this.#plan.length > 0 && (type === 'toolChanged' || type.startsWith('approval'))) {
          this.#soon();
        }
      }),
    );
    this.#owned.add(
      chat.onReset(() => {
        this.#plan = [];
        this.#dropped = [];
        this.#take();
      }),
    );
    this.#owned.add(this.#view.onDidChangeVisibility(() => this.#tick()));
    this.#owned.add({ dispose: () => clearInterval(this.#interval) });
    this.#take();
  }

  #interval: NodeJS.Timeout | undefined;

  getChildren(item?: PlanItem): PlanItem[] {
    return [...(item?.children ?? this.#items)];
  }

  getParent(item: PlanItem): PlanItem | undefined {
    return this.#items.find(({ children }) => children.some(({ id }) => id === item.id));
  }

  getTreeItem(item: PlanItem): vscode.TreeItem {
    const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const tree = new vscode.TreeItem(item.label, item.children.length === 0 ? None : item.open ? Expanded : Collapsed);
    // A step that begins, ends or gets its first call opens or closes by itself: VS Code keeps the state of a known id.
    tree.id = [item.id, item.open ? 'open' : 'closed', item.children.length > 0 ? 'parent' : 'leaf'].join(':');
    tree.description = item.description;
    tree.tooltip = item.tooltip;
    tree.iconPath = new vscode.ThemeIcon(
      item.icon,
      item.color === undefined ? undefined : new vscode.ThemeColor(item.color),
    );
    tree.accessibilityInformation = { label: item.accessibleName };
    if (item.toolCallId !== undefined) {
      tree.command = { command: commandIds.showEntry, title: 'Show in Chat', arguments: [item.toolCallId] };
    }
    return tree;
  }

  /** The items as they stand now, for tests. */
  get items(): readonly PlanItem[] {
    return this.#items;
  }

  /** Shows the step in progress, now and from now on. */
  follow(): void {
    this.#follow = true;
    this.#reveal();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
    this.#changed.dispose();
  }

  /** Steps that the agent drops stay in sight until the turn ends. */
  #take(): void {
    const { plan, turn } = this.chat.transcript;
    const running = turn.state === 'running' || turn.state === 'cancelling';
    if (turn.number !== this.#turn || !running) {
      this.#dropped = [];
      this.#turn = turn.number;
    } else if (plan !== this.#plan) {
      const back = new Set(plan.map(({ id }) => id));
      const earlier = this.#dropped.filter(({ step }) => !back.has(step.id));
      this.#dropped = [...earlier, ...droppedSteps(this.#plan, plan)];
    }
    this.#plan = plan;
    this.#refresh();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#refresh();
    }, 100);
  }

  #refresh(): void {
    const { transcript, agentName } = this.chat;
    this.#items = planItems(transcript, this.#dropped, agentName ?? 'the agent', Date.now(), countLines);
    const progress = planProgress(transcript.plan);
    const left = stepsLeft(transcript.plan);
    this.#view.description = progress ?? '';
    this.#view.badge =
      left === 0 ? undefined : { value: left, tooltip: `${left} step${left === 1 ? '' : 's'} of the plan left` };
    this.#changed.fire(undefined);
    const current = this.#items.find(({ open }) => open)?.id;
    if (current !== this.#current) {
      this.#current = current;
      this.#reveal();
    }
    this.#tick();
  }

  #reveal(): void {
    const item = this.#items.find(({ id }) => id === this.#current);
    // Revealing opens a view that is closed; a plan must not do that by itself.
    if (item !== undefined && this.#follow && this.#view.visible) {
      void this.#view.reveal(item, { select: false, focus: false, expand: true }).then(undefined, () => undefined);
    }
  }

  /** While a step runs and can be seen, its time goes on, in that one item. */
  #tick(): void {
    const runs = this.#view.visible && this.#current !== undefined;
    if (!runs) {
      clearInterval(this.#interval);
      this.#interval = undefined;
      return;
    }
    this.#interval ??= setInterval(() => {
      const { transcript, agentName } = this.chat;
      const items = planItems(transcript, this.#dropped, agentName ?? 'the agent', Date.now(), countLines);
      const fresh = items.find(({ id }) => id === this.#current);
      const old = this.#items.find(({ id }) => id === this.#current);
      if (fresh !== undefined && old !== undefined) {
        // The tree knows an item by its object.
        Object.assign(old, fresh);
        this.#changed.fire(old);
      }
    }, elapsedMs);
  }
}

const counts = new WeakMap<readonly ToolContent[], { added: number; removed: number }>();

/** Counted once per content: a tool call that does not change keeps its content's identity. */
function countLines({ content }: ToolEntry): { added: number; removed: number } | undefined {
  const known = counts.get(content);
  if (known !== undefined) {
    return known;
  }
  const diffs = content.filter((item) => item.type === 'diff');
  const sum = { added: 0, removed: 0 };
  for (const { path, oldText, newText } of diffs) {
    if ((oldText === null || typeof oldText === 'string') && typeof newText === 'string') {
      const { added, removed } = diffView(path, oldText, newText);
      sum.added += added;
      sum.removed += removed;
    }
  }
  counts.set(content, sum);
  return sum;
}
