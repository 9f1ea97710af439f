/** Content of messages and tool calls, from the wire. */
import { limits } from '../text/limits.js';
import { fieldsOf, identifierOf, pathOf, textOf, wordsOf } from './fields.js';
import type { Fields } from './fields.js';
import type { Content, ToolContent } from './model.js';

/**
 * One content block. A block of a type that this host does not know becomes a placeholder that names the type; one
 * that lacks what its type needs is undefined.
 */
export function normalizeContent(raw: unknown): Content | undefined {
  const block = fieldsOf(raw);
  const type = wordsOf(block?.['type'], limits.word);
  if (block === undefined || type === undefined) {
    return undefined;
  }
  switch (type) {
    case 'text': {
      const text = textOf(block['text'], limits.turnText);
      return text === undefined ? undefined : { type: 'text', text };
    }
    case 'image':
      return normalizeImage(block);
    case 'resource_link': {
      const uri = wordsOf(block['uri'], limits.path);
      return uri === undefined ? undefined : { type: 'link', uri, name: wordsOf(block['name']) ?? uri };
    }
    case 'resource': {
      const resource = fieldsOf(block['resource']);
      const text = textOf(resource?.['text'], limits.turnText);
      const uri = textOf(resource?.['uri'], limits.path) ?? '';
      return text === undefined ? { type: 'placeholder', label: 'resource content' } : { type: 'resource', uri, text };
    }
    default:
      return { type: 'placeholder', label: `${type} content` };
  }
}

function normalizeImage(block: Fields): Content {
  const { data } = block;
  const mimeType = wordsOf(block['mimeType'], limits.word);
  // A picture cannot be cut, so one without a type or beyond every bound is only named.
  return typeof data === 'string' && mimeType !== undefined && data.length <= limits.turnText
    ? { type: 'image', mimeType, data }
    : { type: 'placeholder', label: 'image content' };
}

/** One item of a tool call's content. A content block that was not wrapped, as one published example has it, passes. */
export function normalizeToolContent(raw: unknown): ToolContent | undefined {
  const item = fieldsOf(raw);
  if (item?.['type'] === 'diff') {
    const path = pathOf(item['path']);
    const newText = textOf(item['newText'], limits.turnText);
    const oldText = textOf(item['oldText'], limits.turnText) ?? null;
    return path === undefined || newText === undefined ? undefined : { type: 'diff', path, oldText, newText };
  }
  if (item?.['type'] === 'terminal') {
    const terminalId = identifierOf(item['terminalId']);
    return terminalId === undefined ? undefined : { type: 'terminal', terminalId };
  }
  const content = normalizeContent(item?.['type'] === 'content' ? item['content'] : item);
  return content === undefined ? undefined : { type: 'content', content };
}
