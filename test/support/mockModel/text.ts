export type Part = string | { readonly text?: string };

/** The text of a message's content, in any of the forms that the APIs know. */
export function textOf(content: string | readonly Part[] | null | undefined): string {
  if (typeof content === 'string') {
    return content;
  }
  return (content ?? []).map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join('\n');
}
