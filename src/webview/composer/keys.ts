/**
 * True for a key that belongs to an input method: the Enter that takes a Japanese word must not send. Some methods
 * report only the old key code 229.
 */
export function isComposingKey(event: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return event.isComposing || event.keyCode === 229;
}

/**
 * True for "select all" in a field. VS Code runs its own command for it as well, a moment later: what was typed since
 * would be selected, and the next key would replace it. So such a key stays in the page.
 */
export function isSelectAllInField(event: KeyboardEvent): boolean {
  const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  return isField && (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a';
}

/** What Enter does here: a new line with Shift (or Ctrl, Meta, Alt, which editors use for other things), else send. */
export function isSendKey(event: KeyboardEvent): boolean {
  return (
    event.key === 'Enter' &&
    !event.shiftKey &&
    !event.altKey &&
    !event.ctrlKey &&
    !event.metaKey &&
    !isComposingKey(event)
  );
}
