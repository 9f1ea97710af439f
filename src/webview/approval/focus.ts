/** Where the keyboard goes when requests come and go. It never goes to a button. */

/** Moves focus to a new card, but only if the person works in the panel and has nothing half written. */
export function focusNewRequest(card: HTMLElement | null): void {
  const active = document.activeElement;
  const composer = composerInput();
  const inPanel = document.hasFocus() && active !== null && active !== document.body;
  const busyElsewhere = active !== composer && active?.matches('input, textarea, [data-testid=approval] *') === true;
  if (card !== null && inPanel && !busyElsewhere && (composer?.value ?? '') === '') {
    card.focus({ preventScroll: true });
  }
}

/** After an answer: the next card, else the composer. Nothing if the keyboard was elsewhere. */
export function focusAfterAnswer(card: HTMLElement | null): void {
  if (card?.contains(document.activeElement) !== true) {
    return;
  }
  const next = [...document.querySelectorAll<HTMLElement>('[data-testid=approval]')].find((other) => other !== card);
  (next ?? composerInput())?.focus({ preventScroll: next === undefined });
}

/** Brings the card of a request into view and puts the keyboard on it. */
export function revealApproval(approvalId: string): void {
  const card = document.querySelector<HTMLElement>(`[data-approval-id="${CSS.escape(approvalId)}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}

/** The text box of the composer. */
export function composerInput(): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>('[data-testid=composer-input]');
}
