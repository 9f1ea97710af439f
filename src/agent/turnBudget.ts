/**
 * What one turn may add to the transcript. Counted on what is kept there: a tool call whose output is sent again and
 * again costs its growth only, and a text that becomes a body, which have a bound of their own, costs its preview.
 */
import { limits } from '../core/text/limits.js';
import type { SessionEvent } from '../core/transcript/events.js';
import { inlineText, type Content, type Text, type ToolContent } from '../core/transcript/model.js';

export class TurnBudget {
  #used = 0;
  #told = false;
  readonly #tools = new Map<string, number>();

  constructor(private readonly max: number = limits.turnText) {}

  /** Called at the start of each turn. */
  reset(): void {
    this.#used = 0;
    this.#told = false;
    this.#tools.clear();
  }

  /** `take` the event, `drop` it, or drop it as the first one over the budget (`last`), which is told once. */
  admit(event: SessionEvent): 'take' | 'drop' | 'last' {
    this.#used += this.#growth(event);
    if (this.#used <= this.max && this.#tools.size <= limits.toolCalls) {
      return 'take';
    }
    if (!mayDrop(event)) {
      return 'take';
    }
    if (event.type === 'toolChanged' && event.patch.status !== undefined && this.#tools.has(event.patch.toolCallId)) {
      return 'take';
    }
    const first = !this.#told;
    this.#told = true;
    return first ? 'last' : 'drop';
  }

  #growth(event: SessionEvent): number {
    if (event.type === 'agentTerminal') {
      return event.data?.length ?? 0;
    }
    if (event.type === 'messageChunk') {
      // The text of a message is never a body.
      return event.content.type === 'text' ? inlineText(event.content.text).length : contentLength(event.content);
    }
    if (event.type !== 'toolChanged') {
      return 0;
    }
    const { patch } = event;
    const size =
      (patch.title?.length ?? 0) +
      keptLength(patch.rawInput) +
      keptLength(patch.rawOutput) +
      (patch.content ?? []).reduce((sum, item) => sum + toolContentLength(item), 0);
    const before = this.#tools.get(patch.toolCallId) ?? 0;
    this.#tools.set(patch.toolCallId, Math.max(before, size));
    return Math.max(0, size - before);
  }
}

/** What costs room. The end of a command is told whatever it costs. */
function mayDrop(event: SessionEvent): boolean {
  return event.type === 'agentTerminal'
    ? event.exit === undefined
    : event.type === 'messageChunk' || event.type === 'toolChanged';
}

function toolContentLength(item: ToolContent): number {
  switch (item.type) {
    case 'content':
      return contentLength(item.content);
    case 'diff':
      return (item.oldText === null ? 0 : keptLength(item.oldText)) + keptLength(item.newText);
    case 'terminal':
      return 0;
  }
}

function contentLength(content: Content): number {
  switch (content.type) {
    case 'text':
    case 'resource':
      return keptLength(content.text);
    case 'image':
      return keptLength(content.data);
    case 'link':
    case 'placeholder':
      return 0;
  }
}

function keptLength(text: Text | undefined): number {
  const length = text === undefined ? 0 : inlineText(text).length;
  return length > limits.inline ? limits.bodyPreview : length;
}
