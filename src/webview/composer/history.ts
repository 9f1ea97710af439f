/** Earlier prompts, by Up on the first line and Down on the last. What was being written is kept at the end. */

const most = 100;

export class PromptHistory {
  #prompts: string[] = [];
  #at = 0;
  #draft = '';

  add(prompt: string): void {
    this.#prompts = [...this.#prompts.filter((one) => one !== prompt), prompt].slice(-most);
    this.#at = this.#prompts.length;
  }

  /** The text that a key recalls, or null where the key only moves the caret. */
  key(event: KeyboardEvent, input: HTMLTextAreaElement): string | null {
    if (
      event.shiftKey ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      input.selectionStart !== input.selectionEnd
    ) {
      return null;
    }
    const { value, selectionStart: caret } = input;
    if (event.key === 'ArrowUp' && !value.slice(0, caret).includes('\n') && this.#at > 0) {
      if (this.#at === this.#prompts.length) {
        this.#draft = value;
      }
      this.#at--;
      return this.#prompts[this.#at] ?? null;
    }
    if (event.key === 'ArrowDown' && !value.slice(caret).includes('\n') && this.#at < this.#prompts.length) {
      this.#at++;
      return this.#prompts[this.#at] ?? this.#draft;
    }
    return null;
  }
}
