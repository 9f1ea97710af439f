/**
 * One edit, one question. An agent that asks for permission and then writes would ask twice; a person's allow of an
 * edit whose result the host could compute is remembered here for one write of exactly that text.
 */
import { limits } from '../../core/text/limits.js';

type Expected = { readonly text: string; readonly base: string | null | undefined };

export type Expectation = 'match' | 'differs' | 'none';

/** What a person allowed in this turn and was not written yet. One per session. */
export class Expectations {
  #byPath = new Map<string, Expected[]>();
  #count = 0;

  /**
   * Remembers that `resultingText` was allowed for a file. `base` is the text that the shown diff started from (null:
   * no file); a write after the file changed from it is not the edit that was shown.
   */
  add(canonical: string, resultingText: string, base?: string | null): void {
    if (this.#count >= limits.expectations) {
      return;
    }
    this.#count++;
    this.#byPath.set(canonical, [...(this.#byPath.get(canonical) ?? []), { text: resultingText, base }]);
  }

  /**
   * Whether `text`, about to be written over `current`, is what was allowed. A match is used up; a difference ends
   * every expectation for the file, since the agent is doing something else. `as` brings the allowed text into the
   * file's form (line ends) before it is compared.
   */
  take(
    canonical: string,
    text: string,
    current?: string | null,
    as: (text: string) => string = (same) => same,
  ): Expectation {
    const all = this.#byPath.get(canonical);
    if (all === undefined) {
      return 'none';
    }
    const at = all.findIndex(
      (one) => as(one.text) === text && (one.base === undefined || current === undefined || one.base === current),
    );
    const rest = at < 0 ? [] : all.filter((_, index) => index !== at);
    this.#count -= all.length - rest.length;
    if (rest.length > 0) {
      this.#byPath.set(canonical, rest);
    } else {
      this.#byPath.delete(canonical);
    }
    return at < 0 ? 'differs' : 'match';
  }

  clear(): void {
    this.#byPath.clear();
    this.#count = 0;
  }
}

/**
 * The text that an agent's diff makes of `current` (null: no file), or undefined where it cannot be known. Agents send
 * the whole file as old and new, or only the lines that change: such a snippet must be found exactly once. Line ends
 * may differ from the file's as long as the file's own are all alike.
 */
export function applyAgentDiff(
  current: string | null,
  diff: { readonly oldText: string | null; readonly newText: string },
): string | undefined {
  const { oldText, newText } = diff;
  if (oldText === null) {
    return newText;
  }
  if (current === null) {
    return oldText === '' ? newText : undefined;
  }
  if (oldText === current) {
    return newText;
  }
  if (oldText === '') {
    return undefined;
  }
  return replaceOnce(current, oldText, newText) ?? replaceInOtherEnds(current, oldText, newText);
}

function replaceOnce(text: string, part: string, by: string): string | undefined {
  const at = text.indexOf(part);
  if (at < 0 || text.indexOf(part, at + 1) >= 0) {
    return undefined;
  }
  return text.slice(0, at) + by + text.slice(at + part.length);
}

function replaceInOtherEnds(current: string, oldText: string, newText: string): string | undefined {
  if (!current.includes('\r\n') || /(?<!\r)\n/.test(current)) {
    return undefined;
  }
  const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
  return crlf(oldText) === oldText ? undefined : replaceOnce(current, crlf(oldText), crlf(newText));
}
