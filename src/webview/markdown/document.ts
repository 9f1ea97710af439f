import { TreeFragment, type PartialParse, type Tree } from '@lezer/common';
import { GFM, parser } from '@lezer/markdown';
import { collect, definitionsIn, type Definition, type References } from './references.js';

const markdown = parser.configure(GFM);

/** One block at the top level. The object stays the same while its source and its neighbours' effect on it do. */
export type Block = {
  readonly tree: Tree;
  readonly from: number;
  readonly source: string;
  readonly definitions: readonly Definition[];
};

/** Of the time of the panel at most this part goes into parsing again what was parsed before. */
const share = 0.25;
/** Characters that a slow machine parses in one ms: what so many new ones cost is no repetition. */
const charactersPerMs = 500;

/**
 * A Markdown text that grows. Appending reuses the tree of what was there (fragments), parsing can stop at a deadline
 * and go on later, and blocks that did not change keep their identity, so that nothing of them is drawn again.
 */
export class MarkdownDocument {
  blocks: readonly Block[] = [];
  references: References = new Map();
  #consumed = 0;
  #head = '';
  #tail = '';
  #text = '';
  #tree: Tree | null = null;
  #treeLength = 0;
  #parse: PartialParse | null = null;
  #parseLength = 0;
  #cost = 0;
  #notBefore = 0;

  /** Takes the whole text so far. Anything but an append starts over. */
  update(raw: string): void {
    if (raw.length < this.#consumed || !raw.startsWith(this.#head) || !this.#endsAsBefore(raw)) {
      this.#reset();
    }
    if (raw.length === this.#consumed) {
      return;
    }
    // A CR at the end may be half of a CRLF: it waits for what follows.
    const end = raw.endsWith('\r') ? raw.length - 1 : raw.length;
    this.#text += raw.slice(this.#consumed, end).replace(/\r\n?/g, '\n');
    this.#consumed = end;
    this.#head = raw.slice(0, Math.min(end, 200));
    this.#tail = raw.slice(Math.max(0, end - 200), end);
  }

  /**
   * Parses until `deadline` (ms of `now`), and not at all while it is too early again for a text that is slow to
   * parse. True when `blocks` stand for the whole text.
   */
  advance(deadline: number, now: () => number): boolean {
    for (;;) {
      const begun = now();
      if (this.#parse === null) {
        if (this.#treeLength === this.#text.length) {
          return true;
        }
        if (begun < this.#notBefore) {
          return false;
        }
        this.#start();
      }
      let tree = this.#parse?.advance() ?? null;
      while (tree === null && now() < deadline) {
        tree = this.#parse?.advance() ?? null;
      }
      const ended = now();
      this.#cost += ended - begun;
      if (tree === null) {
        return false;
      }
      const repeated = this.#cost - (this.#parseLength - this.#treeLength) / charactersPerMs;
      this.#finish(tree);
      this.#notBefore = repeated < 2 ? 0 : ended + repeated / share;
      this.#cost = 0;
      if (ended >= deadline) {
        return this.#treeLength === this.#text.length;
      }
    }
  }

  /** A parse is under way: it can go on at once. */
  get parsing(): boolean {
    return this.#parse !== null;
  }

  #start(): void {
    const length = this.#text.length;
    const fragments =
      this.#tree === null
        ? []
        : TreeFragment.applyChanges(TreeFragment.addTree(this.#tree), [
            { fromA: this.#treeLength, toA: this.#treeLength, fromB: this.#treeLength, toB: length },
          ]);
    this.#parse = markdown.startParse(this.#text, fragments);
    this.#parseLength = length;
  }

  #finish(tree: Tree): void {
    this.#parse = null;
    this.#tree = tree;
    this.#treeLength = this.#parseLength;
    const old = this.blocks;
    const next: Block[] = [];
    const fresh: Block[] = [];
    topLevel(tree, 0, (block, from) => {
      const before = old[next.length];
      if (before?.tree === block && before.from === from) {
        next.push(before);
        return;
      }
      const source = detached(this.#text.slice(from, from + block.length));
      const made = { tree: block, from, source, definitions: definitionsIn(block, source) };
      next.push(made);
      fresh.push(made);
    });
    this.blocks = next;
    const gone = old.filter((block, i) => next[i] !== block);
    if ([...fresh, ...gone].some(({ definitions }) => definitions.length > 0)) {
      this.references = collect(next.flatMap(({ definitions }) => definitions));
    }
  }

  #endsAsBefore(raw: string): boolean {
    return raw.slice(this.#consumed - this.#tail.length, this.#consumed) === this.#tail;
  }

  #reset(): void {
    this.blocks = [];
    this.references = new Map();
    this.#consumed = this.#treeLength = this.#cost = this.#notBefore = 0;
    this.#head = this.#tail = this.#text = '';
    this.#tree = this.#parse = null;
  }
}

/** A copy: a slice would keep the whole text of its frame alive, and there are many frames. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}

/** Visits the blocks of a document in order, through the nameless nodes that group them. */
function topLevel(tree: Tree, from: number, visit: (block: Tree, from: number) => void): void {
  tree.children.forEach((child, i) => {
    const at = from + (tree.positions[i] ?? 0);
    if (!('children' in child)) {
      throw new Error('A block of a Markdown document is not a tree.');
    }
    if (child.type.isAnonymous) {
      topLevel(child, at, visit);
    } else {
      visit(child, at);
    }
  });
}
