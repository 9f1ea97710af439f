import type { ComponentChild, ComponentProps, VNode } from 'preact';
import { Part } from '../../../src/webview/markdown/part.js';

const components: Readonly<Record<string, string>> = { CodeBlock: 'code-block', Link: 'a' };

/** Virtual nodes as text, without a DOM: elements as tags, a component as a tag with its props. */
export function show(node: ComponentChild): string {
  if (node === null || node === undefined || typeof node === 'boolean') {
    return '';
  }
  if (Array.isArray(node)) {
    return node.map(show).join('');
  }
  if (typeof node !== 'object') {
    return String(node).replace(/&/g, '&amp;').replace(/</g, '&lt;');
  }
  const { type, props } = node as VNode<Record<string, unknown>>;
  const { children, ...rest } = props;
  if (type === Part) {
    return show((rest as unknown as ComponentProps<typeof Part>).draw() as ComponentChild);
  }
  const inside = show(children as ComponentChild);
  const name =
    typeof type === 'string' ? type : components[(type as { displayName?: string }).displayName ?? type.name];
  if (name === undefined) {
    return inside;
  }
  const attributes = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => ` ${key}=${JSON.stringify(value)}`)
    .join('');
  return `<${name}${attributes}>${inside}</${name}>`;
}
