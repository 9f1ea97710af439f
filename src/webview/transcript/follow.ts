/** Following the end of the transcript. At the end the view follows; anywhere else nothing moves it. */

/** Within this many px of the end counts as the end. */
const nearEnd = 24;

export type FollowState = {
  readonly following: boolean;
  /** A request waits and none of its card can be seen. */
  readonly approvalHidden: boolean;
};

export class Follower {
  #state: FollowState = { following: true, approvalHidden: false };
  #top = 0;
  #height = 0;
  readonly #scroller: HTMLElement;
  readonly #changed: (state: FollowState) => void;
  readonly #asked: () => boolean;

  /** `asked`: whether any request waits. Looking for cards in a long transcript is not free. */
  constructor(scroller: HTMLElement, changed: (state: FollowState) => void, asked: () => boolean) {
    this.#scroller = scroller;
    this.#changed = changed;
    this.#asked = asked;
  }

  /** The person, the browser or this class scrolled. */
  scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight - scrollTop - clientHeight <= nearEnd) {
      this.#set({ following: true });
    } else if (scrollTop < this.#top - 1 && scrollHeight >= this.#height) {
      // Upwards while nothing shrank: a person did it. Growth alone leaves scrollTop as it is.
      this.#set({ following: false });
    }
    this.#top = scrollTop;
    this.#height = scrollHeight;
    this.#look();
  }

  /** The content or the frame changed its size. */
  resized(): void {
    if (this.#state.following) {
      this.toEnd();
    }
    this.#look();
  }

  toEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
    this.#height = this.#scroller.scrollHeight;
    this.#set({ following: true });
  }

  /** The person reads or aims: opened an entry, selected text. */
  stop(): void {
    if (this.#scroller.scrollHeight > this.#scroller.clientHeight) {
      this.#set({ following: false });
    }
  }

  #look(): void {
    if (!this.#asked()) {
      this.#set({ approvalHidden: false });
      return;
    }
    const frame = this.#scroller.getBoundingClientRect();
    const cards = [...this.#scroller.querySelectorAll('[data-testid=approval]')];
    const hidden = cards.every((card) => {
      const rect = card.getBoundingClientRect();
      return rect.bottom <= frame.top + 8 || rect.top >= frame.bottom - 8;
    });
    this.#set({ approvalHidden: cards.length > 0 && hidden });
  }

  #set(part: Partial<FollowState>): void {
    const next = { ...this.#state, ...part };
    if (next.following !== this.#state.following || next.approvalHidden !== this.#state.approvalHidden) {
      this.#state = next;
      this.#changed(next);
    }
  }
}
