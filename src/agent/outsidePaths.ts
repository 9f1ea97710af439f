/**
 * Finds the tool calls that name a place outside the session's folders, links followed: what an agent does there with
 * its own tools nobody here can stop, so it is at least marked.
 */
import { fileURLToPath } from 'node:url';
import { limits } from '../core/text/limits.js';
import type { SessionEvent, ToolPatch } from '../core/transcript/events.js';
import type { FileService } from './files/fileService.js';

export type OutsideDeps = {
  readonly files: Pick<FileService, 'inspect'>;
  readonly now: () => number;
  emit(event: SessionEvent): void;
};

/** Looks at each path of each call once a turn; so many paths that a turn is over its bound are not looked at. */
export class OutsidePaths {
  readonly #seen = new Map<string, Promise<boolean>>();
  readonly #told = new Set<string>();
  #looking: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: OutsideDeps) {}

  startTurn(): void {
    this.#seen.clear();
    this.#told.clear();
  }

  /** Called with every change of a call, in the turn it came in. The mark follows as an event of its own; never rejects. */
  look({ toolCallId, locations = [], content = [] }: ToolPatch, turn: number): void {
    const named = [
      ...locations.map(({ path }) => path),
      ...content.flatMap((item) => (item.type === 'diff' ? [item.path] : [])),
    ];
    for (const path of new Set(named)) {
      const told = this.#lies(path).then((outside) => {
        const key = `${toolCallId}\0${path}`;
        if (outside && !this.#told.has(key)) {
          this.#told.add(key);
          this.deps.emit({ type: 'toolOutside', at: this.deps.now(), toolCallId, path, turn });
        }
      });
      this.#looking = Promise.all([this.#looking, told]);
    }
  }

  /** Resolves when everything that was named so far is looked at. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  #lies(path: string): Promise<boolean> {
    const known = this.#seen.get(path);
    if (known !== undefined || this.#seen.size >= limits.outsidePaths) {
      return known ?? Promise.resolve(false);
    }
    const found = this.deps.files.inspect(plainPath(path)).then(
      ({ inRoot }) => !inRoot,
      () => false,
    );
    this.#seen.set(path, found);
    return found;
  }
}

/** Some agents write a path as a URI. */
export function plainPath(path: string): string {
  try {
    return /^file:\/\//i.test(path) ? fileURLToPath(path) : path;
  } catch {
    return path;
  }
}
