/** Up, Down, Home and End go from entry to entry; the entry with focus is the one stop of Tab. */

/** Handles a key that was pressed in the transcript. True if it was one of these. */
export function moveBetweenEntries(event: KeyboardEvent, root: HTMLElement): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const current = target?.closest<HTMLElement>('[data-testid=entry]') ?? null;
  if (event.key === 'Enter' && target === current && current !== null) {
    current.querySelector<HTMLElement>('button.row')?.click();
    return true;
  }
  if (event.isComposing || target?.closest('input, textarea, pre, .body') !== null) {
    return false;
  }
  const entries = [...root.querySelectorAll<HTMLElement>('[data-testid=entry]')];
  const next = nextEntry(entries, current, event);
  if (next === undefined) {
    return false;
  }
  for (const entry of entries) {
    entry.tabIndex = entry === next ? 0 : -1;
  }
  next.focus();
  return true;
}

function nextEntry(
  entries: readonly HTMLElement[],
  current: HTMLElement | null,
  event: KeyboardEvent,
): HTMLElement | undefined {
  const at = current === null ? entries.length : entries.indexOf(current);
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (event.altKey && step !== 0) {
    const prompts = entries.filter((entry, i) => entry.dataset['kind'] === 'user' && (i - at) * step > 0);
    return prompts.at(step > 0 ? 0 : -1);
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      return entries[at + step];
    case 'Home':
      return entries[0];
    case 'End':
      return entries.at(-1);
    default:
      return undefined;
  }
}
