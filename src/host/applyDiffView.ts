import type { DiffView } from '../core/transcript/model.js';

/**
 * The text that a request's own diff leads to, built on the text it was made against. Undefined where the diff lists
 * not all of its lines, or where the text is another one by now.
 */
export function applyDiffView(current: string, view: DiffView): string | undefined {
  if (view.omitted > 0) {
    return undefined;
  }
  const old = current.split('\n');
  const eol = current.includes('\r\n') ? '\r' : '';
  const bare = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
  const result: string[] = [];
  let at = 0;
  for (const line of view.lines) {
    if (line.sign === '…') {
      result.push(...old.slice(at, at + line.count));
      at += line.count;
    } else if (line.sign === '+') {
      result.push(line.text + eol);
    } else {
      const there = old[at];
      if (there === undefined || bare(there) !== line.text) {
        return undefined;
      }
      if (line.sign === ' ') {
        result.push(there);
      }
      at += 1;
    }
  }
  result.push(...old.slice(at));
  return result.join('\n');
}
