export type ChangedRange = {
  /** Offsets into the old text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

/**
 * The smallest single replacement that turns `before` into `after`, so that cursors, folds and marks outside it stay
 * where they are. Never splits a surrogate pair or a CR LF.
 */
export function changedRange(before: string, after: string): ChangedRange {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) {
    head++;
  }
  while (head > 0 && joins(before, head)) {
    head--;
  }
  while (head > 0 && joins(after, head)) {
    head--;
  }
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  while (tail > 0 && (joins(before, before.length - tail) || joins(after, after.length - tail))) {
    tail--;
  }
  return { start: head, end: before.length - tail, replacement: after.slice(head, after.length - tail) };
}

/** Whether the units on both sides of this offset belong together. */
function joins(text: string, offset: number): boolean {
  const [left, right] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  const isPair = left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
  return isPair || (left === 13 && right === 10);
}
