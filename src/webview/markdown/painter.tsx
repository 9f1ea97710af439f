import { Fragment, type VNode } from 'preact';
import { drawBlock } from './blocks.js';
import { MarkdownDocument, type Block } from './document.js';
import { Part } from './part.js';
import type { References } from './references.js';

/** Blocks in one part. The browser skips the layout of a part out of view, and Preact skips one that did not change. */
const partSize = 96;
/** Parts at the end that are drawn at once; that is more than any viewport holds. */
const eagerParts = 2;

type Drawn = {
  readonly node: VNode;
  readonly usedReferences: boolean;
  readonly references: References;
  readonly growing: boolean;
};
type Slot = {
  readonly blocks: readonly Block[];
  readonly references: References;
  readonly growing: boolean;
  readonly node: VNode;
};

/** The drawing of one growing text: remembers what it drew, so that only what is new is made again. */
export class MarkdownPainter {
  readonly #document = new MarkdownDocument();
  readonly #drawn = new WeakMap<Block, Drawn>();
  #slots: readonly Slot[] = [];

  /** Draws what is parsed by `deadline`. `done`: all of `text` is in it. */
  paint(
    text: string,
    open: boolean,
    deadline: number,
    now: () => number,
  ): { readonly parts: readonly VNode[]; readonly done: boolean } {
    this.#document.update(text);
    const done = this.#document.advance(deadline, now);
    this.#slots = this.#arrange(open);
    return { parts: this.#slots.map(({ node }) => node), done };
  }

  /** A parse is under way. It need not wait for a frame: until it is done, nothing changes on the screen. */
  get parsing(): boolean {
    return this.#document.parsing;
  }

  /** No block was parsed yet. */
  get empty(): boolean {
    return this.#document.blocks.length === 0;
  }

  #arrange(open: boolean): Slot[] {
    const { blocks: all, references } = this.#document;
    const slots: Slot[] = [];
    for (let from = 0; from < all.length; from += partSize) {
      const blocks = all.slice(from, from + partSize);
      const last = from + partSize >= all.length;
      const growing = open && last;
      const before = this.#slots[slots.length];
      const same =
        before?.blocks.length === blocks.length &&
        before.references === references &&
        before.growing === growing &&
        before.blocks.every((block, i) => block === blocks[i]);
      if (same) {
        slots.push(before);
        continue;
      }
      // A part that was there is drawn already, and the first is where reading begins.
      const eager = before !== undefined || from === 0 || from + eagerParts * partSize >= all.length;
      const draw = (): VNode[] =>
        blocks.map((block, i) => this.#draw(block, references, growing && i === blocks.length - 1));
      const node = <Part key={from} closed={blocks.length === partSize} eager={eager} draw={draw} />;
      slots.push({ blocks, references, growing, node });
    }
    return slots;
  }

  #draw(block: Block, references: References, growing: boolean): VNode {
    const before = this.#drawn.get(block);
    if (before?.growing === growing && (!before.usedReferences || before.references === references)) {
      return before.node;
    }
    const { node, usedReferences } = drawBlock(block, references, growing);
    const wrapped = <Fragment key={block.from}>{node}</Fragment>;
    this.#drawn.set(block, { node: wrapped, usedReferences, references, growing });
    return wrapped;
  }
}
