/**
 * Entries in pages of `pageSize`. A change copies one page and the list of pages, never the transcript, and leaves all
 * other entries the same objects, which is what the view's memoised components compare.
 */
import type { Entry, Transcript } from './model.js';
import { pageSize } from './model.js';

export type Place = { readonly page: number; readonly index: number };

type OwnFields<E extends Entry> = E extends Entry ? Omit<E, 'id' | 'at' | 'turn'> : never;
/** An entry without what the transcript gives it: its id, its time and its turn. */
export type NewEntry = OwnFields<Entry>;

/** The last entry and where it stands, or undefined in an empty transcript. */
export function lastOf(t: Transcript): { readonly entry: Entry; readonly place: Place } | undefined {
  const page = t.pages.length - 1;
  const index = (t.pages[page]?.length ?? 0) - 1;
  const entry = t.pages[page]?.[index];
  return entry && { entry, place: { page, index } };
}

/** Puts another entry in a place. */
export function replaceAt(t: Transcript, place: Place, entry: Entry): Transcript {
  const pages = t.pages.slice();
  const page = (pages[place.page] ?? []).slice();
  page[place.index] = entry;
  pages[place.page] = page;
  return { ...t, pages };
}

/** Appends an entry and closes the message or thought before it: only the last entry is ever open. */
export function append(transcript: Transcript, at: number, entry: NewEntry): Transcript {
  const t = closeLast(transcript, at);
  const full = { id: `e${t.nextId}`, at, turn: t.turn.number, ...entry } as Entry;
  const pages = t.pages.slice();
  const last = pages.at(-1);
  if (last === undefined || last.length >= pageSize) {
    pages.push([full]);
  } else {
    pages[pages.length - 1] = [...last, full];
  }
  return { ...t, pages, count: t.count + 1, nextId: t.nextId + 1 };
}

/** Closes the message or thought that still grows, if there is one. */
export function closeLast(t: Transcript, at: number): Transcript {
  const last = lastOf(t);
  if (last?.entry.kind === 'assistant' && last.entry.open) {
    return replaceAt(t, last.place, { ...last.entry, open: false });
  }
  if (last?.entry.kind === 'thought' && last.entry.open) {
    return replaceAt(t, last.place, { ...last.entry, open: false, endedAt: at });
  }
  return t;
}

/** The entries of the current turn, newest first. */
export function* currentTurn(t: Transcript): Generator<{ readonly entry: Entry; readonly place: Place }> {
  for (let page = t.pages.length - 1; page >= 0; page--) {
    const entries = t.pages[page] ?? [];
    for (let index = entries.length - 1; index >= 0; index--) {
      const entry = entries[index];
      if (entry === undefined || entry.turn !== t.turn.number) {
        return;
      }
      yield { entry, place: { page, index } };
    }
  }
}
