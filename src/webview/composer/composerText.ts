import { composerInput } from '../approval/focus.js';

/** Puts a text into the composer as if it had been typed, so that the draft follows, and the caret at its end. */
export function fillComposer(text: string): void {
  const input = composerInput();
  if (input === null) {
    return;
  }
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
  input.setSelectionRange(text.length, text.length);
}
