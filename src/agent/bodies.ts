/**
 * Large texts of tool calls, kept out of events. An event that carries a megabyte would be folded, logged and posted to
 * a view that shows two lines of it, so every text over `limits.inline` is replaced by a reference before that, and
 * the whole of it is fetched when a person opens it.
 */
import { cut, limits } from '../core/text/limits.js';
import type { SessionEvent, ToolPatch } from '../core/transcript/events.js';
import type { BodyRef, Content, Text, ToolContent } from '../core/transcript/model.js';

type Body = { readonly text: string; readonly size: number };

/** The bodies of one session. The least recently used are dropped when all of them exceed `limits.bodies` bytes. */
export class Bodies {
  /** Insertion order is the order of use. */
  private readonly bodies = new Map<string, Body>();
  /** Which body stands in which part of which tool call now: `call`, then `part`. */
  private readonly slots = new Map<string, Map<string, BodyRef>>();
  private total = 0;
  private next = 1;

  /** The whole text of a body (its middle cut where it exceeded `limits.body`), or undefined where it was dropped. */
  get(bodyId: string): string | undefined {
    const body = this.bodies.get(bodyId);
    if (body !== undefined) {
      this.bodies.delete(bodyId);
      this.bodies.set(bodyId, body);
    }
    return body?.text;
  }

  /** The same event with its large texts kept here. Events without any come back as they are. */
  shrink(event: SessionEvent): SessionEvent {
    switch (event.type) {
      case 'toolChanged':
        return { ...event, patch: this.shrinkPatch(event.patch) };
      case 'messageChunk':
        return { ...event, content: this.shrinkContent(event.content, undefined, '') };
      case 'promptSent':
        // Agents use the ids of calls again in later turns; what the older cards refer to must stay.
        this.slots.clear();
        return event;
      default:
        return event;
    }
  }

  private shrinkPatch(patch: ToolPatch): ToolPatch {
    const { toolCallId: call, content, rawInput, rawOutput } = patch;
    if (content !== undefined) {
      this.forget(call, content.length);
    }
    return {
      ...patch,
      ...(content !== undefined && { content: content.map((item, index) => this.shrinkItem(item, call, `${index}`)) }),
      ...(rawInput !== undefined && { rawInput: this.keep(rawInput, call, 'in') }),
      ...(rawOutput !== undefined && { rawOutput: this.keep(rawOutput, call, 'out') }),
    };
  }

  private shrinkItem(item: ToolContent, call: string, part: string): ToolContent {
    switch (item.type) {
      case 'content':
        return { ...item, content: this.shrinkContent(item.content, call, part) };
      case 'diff': {
        const oldText = item.oldText === null ? null : this.keep(item.oldText, call, `${part}-`);
        return { ...item, oldText, newText: this.keep(item.newText, call, `${part}+`) };
      }
      case 'terminal':
        return item;
    }
  }

  private shrinkContent(content: Content, call: string | undefined, part: string): Content {
    switch (content.type) {
      case 'text':
        // The text of a message is the conversation itself and has a budget of its own.
        return call === undefined ? content : { ...content, text: this.keep(content.text, call, part) };
      case 'resource':
        return { ...content, text: this.keep(content.text, call, part) };
      case 'image':
        return typeof content.data === 'string' && content.data.length > limits.body
          ? { type: 'placeholder', label: `image content, ${content.data.length} characters` }
          : { ...content, data: this.keep(content.data, call, part) };
      default:
        return content;
    }
  }

  private keep(text: Text, call: string | undefined, part: string): Text {
    if (typeof text !== 'string') {
      return text;
    }
    const parts = call === undefined ? undefined : this.partsOf(call);
    const known = parts?.get(part);
    if (known !== undefined && this.bodies.get(known.bodyId)?.text === text) {
      return known;
    }
    // Output that grows is sent whole each time; only the newest stays, so that it costs once.
    this.drop(known);
    parts?.delete(part);
    if (text.length <= limits.inline) {
      return text;
    }
    const ref = this.add(text);
    parts?.set(part, ref);
    return ref;
  }

  private add(text: string): BodyRef {
    const bytes = Buffer.byteLength(text);
    const kept = ownCopy(bytes <= limits.body ? text : withoutMiddle(text, bytes));
    const body: Body = { text: kept, size: Buffer.byteLength(kept) };
    const bodyId = `b${this.next++}`;
    this.bodies.set(bodyId, body);
    this.total += body.size;
    for (const oldest of this.bodies.keys()) {
      if (this.total <= limits.bodies) {
        break;
      }
      this.remove(oldest);
    }
    return { bodyId, bytes, preview: ownCopy(cut(text, limits.bodyPreview)) };
  }

  private partsOf(call: string): Map<string, BodyRef> {
    const parts = this.slots.get(call) ?? new Map<string, BodyRef>();
    this.slots.set(call, parts);
    return parts;
  }

  /** A new content list replaces the old one, also where it is shorter. */
  private forget(call: string, length: number): void {
    const parts = this.slots.get(call);
    for (const [part, ref] of parts ?? []) {
      if (parseInt(part, 10) >= length) {
        this.drop(ref);
        parts?.delete(part);
      }
    }
  }

  private drop(ref: BodyRef | undefined): void {
    if (ref !== undefined) {
      this.remove(ref.bodyId);
    }
  }

  private remove(bodyId: string): void {
    this.total -= this.bodies.get(bodyId)?.size ?? 0;
    this.bodies.delete(bodyId);
  }
}

function withoutMiddle(text: string, bytes: number): string {
  const half = Math.floor(limits.body / 2);
  const source = Buffer.from(text);
  // A character that is cut in two is dropped: U+FFFD would look like the agent's.
  const head = source
    .subarray(0, half)
    .toString()
    .replace(/\ufffd+$/, '');
  const tail = source
    .subarray(bytes - half)
    .toString()
    .replace(/^\ufffd+/, '');
  return `${head}\n… ${bytes - 2 * half} bytes are not kept …\n${tail}`;
}

/** A part of a string keeps the whole of it in memory; a copy does not. UTF-16 carries lone surrogates too. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
