/**
 * True for a key that belongs to an input method: the Enter that takes a Japanese word must not send. Some methods
 * report only the old key code 229.
 */
export function isComposingKey(event: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return event.isComposing || event.keyCode === 229;
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
