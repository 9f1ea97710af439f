/** Adds an edit to a text that a person has changed meanwhile. */
import { applyPatch, structuredPatch } from 'diff';

/**
 * The person's text with those parts of the agent's edit (`base` to `edited`) that still find their place in it. Where
 * both changed the same lines, the person's stay. `kept` counts the parts of the edit that were left out.
 */
export function mergeInto(
  mine: string,
  base: string,
  edited: string,
): { readonly text: string; readonly kept: number } {
  const patch = structuredPatch('', '', base, edited, undefined, undefined, { context: 2 });
  let text = mine;
  let kept = 0;
  let offset = 0;
  for (const hunk of patch.hunks) {
    // Earlier parts moved the lines below them; a part that was left out did not.
    const moved = { ...hunk, oldStart: hunk.oldStart + offset, newStart: hunk.newStart };
    const next = applyPatch(text, { ...patch, hunks: [moved] });
    if (next === false) {
      kept++;
    } else {
      text = next;
      offset += hunk.newLines - hunk.oldLines;
    }
  }
  return { text, kept };
}
