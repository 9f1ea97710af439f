/**
 * Serves `fs/read_text_file` and `fs/write_text_file` for one session: the jail's pin, the policy's verdict, a person's
 * answer where one is needed, and the effect on the same pin. Unsaved text of an open document is what an agent reads
 * and what its writes are measured against.
 */
import { HostError } from '../../core/errors.js';
import { decide } from '../../core/policy/decide.js';
import { noFileRules } from '../../core/policy/fileRules.js';
import type { FileRules } from '../../core/policy/fileRules.js';
import type { Decided } from '../../core/policy/decide.js';
import { mentions } from '../../core/policy/mentions.js';
import { collapse } from '../../core/policy/paths.js';
import { cut, limits } from '../../core/text/limits.js';
import type { Provenance } from '../../core/transcript/model.js';
import type { ApprovalGate, EditorFiles, FileFact, ServePolicy } from '../ports.js';
import type { Expectations } from './expectations.js';
import { factsOf, namesOf, toHostError } from './facts.js';
import type { PathFacts } from './facts.js';
import { FileMemory } from './fileMemory.js';
import { FileWriter } from './fileWriter.js';
import { openJail } from './jail.js';
import type { Jail, JailOptions, ReadPin } from './jail.js';
import { askToRead, refuseAborted, refuseUnlessAllowed } from './questions.js';
import { ReadBudget } from './readBudget.js';
import { Serial, Slots } from './serial.js';
import { checkWindow, windowOf } from './textFile.js';
import type { WorkingFolder } from './workingFolder.js';
import type { LineWindow } from './textFile.js';

export type { PathFacts } from './facts.js';

export type FileServiceDeps = {
  /** Folders that exist; the first is where relative names belong. */
  readonly roots: readonly string[];
  readonly folderName: string;
  readonly editor: EditorFiles;
  readonly policy: () => ServePolicy;
  readonly gate: ApprovalGate;
  readonly expectations: Expectations;
  readonly onFact: (fact: FileFact) => void;
  /** Whether a missing file that may be read and made is answered with no text instead of an error. */
  readonly missingIsEmpty?: () => boolean;
  /** The person's home folder: as a root it makes every read a question, and its known secrets are denied. */
  readonly home?: string;
  readonly jail?: JailOptions;
};

export type ReadRequest = {
  readonly path: string;
  /** From 1. */
  readonly line?: number | null;
  readonly limit?: number | null;
  readonly signal: AbortSignal;
  /** Resolves when the text has room on its way to the agent. */
  readonly room?: () => Promise<void>;
};
export type WriteRequest = {
  readonly path: string;
  readonly content: string;
  readonly signal: AbortSignal;
  readonly toolCallId?: string;
};

/** A read that a person has to allow, and why. */
type Question = { readonly facts: PathFacts; readonly why: readonly string[] };

/** What becomes known of a request on its way, for the fact that is told at its end. */
export type Note = { canonical: string | null; provenance?: Provenance };

/** The file methods of one session. Every call that fails rejects with a HostError. */
export function createFileService(deps: FileServiceDeps): FileService {
  return new FileService(deps);
}

export class FileService {
  readonly #memory = new FileMemory();
  readonly #writes = new Serial();
  readonly #slots = new Slots(limits.parallelReads);
  readonly #writer: FileWriter;
  #jail: Promise<Jail> | undefined;
  readonly #budget: ReadBudget;
  #promptText = '';

  constructor(private readonly deps: FileServiceDeps) {
    this.#writer = new FileWriter(deps, this.#memory);
    this.#budget = new ReadBudget(deps.gate);
  }

  /** Budgets and allowances are per turn. `promptText`: the person's own words, which may name a file. */
  startTurn(promptText = ''): void {
    this.#budget.startTurn();
    this.#promptText = promptText;
    this.deps.expectations.clear();
  }

  endTurn(): void {
    this.deps.expectations.clear();
  }

  /** Text of a file, or of the open document with unsaved changes. After every earlier write to the same path. */
  read(request: ReadRequest): Promise<string> {
    const earlier = this.#writes.settled(keyOf(request.path));
    return this.#tell('read', request.path, async (note) => {
      if (!this.deps.policy().read) {
        throw new HostError('off', 'Reading through the editor is switched off.');
      }
      const window = checkWindow(request.line, request.limit);
      await earlier;
      refuseAborted(request.signal);
      return this.#budget.spend(request.signal, () => this.#read(request, window, note));
    });
  }

  /** Writes a whole file, asking first unless a rule or an answer above covers it. */
  write(request: WriteRequest): Promise<void> {
    return this.#tell('write', request.path, (note) =>
      this.#writes.run(keyOf(request.path), async () => this.#writer.write(await this.#openJail(), request, note)),
    );
  }

  /** Pins a folder that a command is to run in. @throws HostError */
  async pinFolder(path: string): Promise<WorkingFolder> {
    return (await this.#openJail()).pinFolder(path);
  }

  /** The facts of any path, for showing: also outside the folder, also where nothing exists. Never rejects. */
  async inspect(path: string): Promise<PathFacts> {
    try {
      return await (await this.#openJail()).inspect(path);
    } catch {
      // The folder itself is gone: then nothing lies inside it.
      const shown = cut(path, limits.path);
      return factsOf([], shown, shown, undefined, flavour);
    }
  }

  /**
   * The text that a write would replace: unsaved text first, null where there is no file.
   * @throws HostError as `read` does
   */
  async currentText(path: string): Promise<string | null> {
    const pin = await (await this.#openJail()).pinWrite(path);
    try {
      const open = this.deps.editor.openText(pin.facts.canonical);
      return open?.dirty === true ? windowOf(open.text, {}) : await pin.current();
    } finally {
      await pin.close();
    }
  }

  async #read(request: ReadRequest, window: LineWindow, note: Note): Promise<string> {
    const first = await this.#slots.run(async () => {
      await request.room?.();
      return this.#readOnce(request.path, window, note);
    });
    if (typeof first === 'string') {
      return first;
    }
    // No slot is held while a person decides; what they decided on is compared afterwards.
    await askToRead(this.deps.gate, first, request.signal, note);
    const second = await this.#slots.run(() => this.#readOnce(request.path, window, note, first.facts.canonical));
    if (typeof second !== 'string') {
      throw new HostError('moved', 'The file was replaced meanwhile.');
    }
    return second;
  }

  /** The text, or the facts to ask about. `allowed`: the canonical path that a person allowed. */
  async #readOnce(path: string, window: LineWindow, note: Note, allowed?: string): Promise<string | Question> {
    const jail = await this.#openJail();
    let pin: ReadPin;
    try {
      pin = await jail.pinRead(path, (names) => mentions(this.#promptText, names));
    } catch (error) {
      const missing = error instanceof HostError && error.reason === 'notFound';
      const text = missing ? await this.#readMissing(jail, path, window, note) : undefined;
      if (text === undefined) {
        throw error;
      }
      return text;
    }
    try {
      const { facts } = pin;
      note.canonical = facts.canonical;
      const decided = this.#decideRead(facts, jail.isWide);
      refuseUnlessAllowed(decided, facts);
      if (decided.verdict === 'ask' && facts.canonical !== allowed) {
        return { facts, why: decided.why };
      }
      return await this.#readPinned(pin, window);
    } finally {
      await pin.close();
    }
  }

  #decideRead(facts: PathFacts, wide: boolean): Decided {
    const mentioned = facts.klass === 'secret' && mentions(this.#promptText, namesOf(facts));
    const path = { ...facts, mentioned, wide };
    return decide({ by: 'host', act: 'read', path }, this.deps.policy(), { interactive: true, trusted: true });
  }

  async #readPinned(pin: ReadPin, window: LineWindow): Promise<string> {
    const { canonical } = pin.facts;
    const open = this.deps.editor.openText(canonical);
    if (open?.dirty === true) {
      this.#memory.remember(canonical, { text: open.text });
      return windowOf(open.text, window);
    }
    try {
      const text = await pin.read(window);
      this.#memory.remember(canonical, { version: pin.version });
      return text;
    } catch (error) {
      // The editor may know an encoding that this file has and we do not. Else the disk is the newer of the two: a
      // clean document follows it a moment later.
      if (
        open !== undefined &&
        error instanceof HostError &&
        (error.reason === 'notUtf8' || error.reason === 'binary')
      ) {
        return windowOf(open.text, window);
      }
      throw error;
    }
  }

  /** The text of a file that is not there: that of an open document, or none for an agent that looks before it makes one. */
  async #readMissing(jail: Jail, path: string, window: LineWindow, note: Note): Promise<string | undefined> {
    let facts: PathFacts;
    try {
      const pin = await jail.pinWrite(path);
      await pin.close();
      ({ facts } = pin);
    } catch {
      return undefined;
    }
    const { canonical } = facts;
    const open = this.deps.editor.openText(canonical);
    if (open !== undefined) {
      note.canonical = canonical;
      this.#memory.remember(canonical, { text: open.text });
      return windowOf(open.text, window);
    }
    if (this.deps.missingIsEmpty?.() === true && this.#decideRead(facts, jail.isWide).verdict === 'allow') {
      note.canonical = canonical;
      return '';
    }
    return undefined;
  }

  #openJail(): Promise<Jail> {
    const { roots, home, policy, jail } = this.deps;
    const rules = (): FileRules => policy().files ?? noFileRules;
    this.#jail ??= openJail(roots, { rules, ...(home === undefined ? {} : { home }), ...jail }).catch(
      (error: unknown) => {
        this.#jail = undefined;
        throw toHostError(error, this.deps.folderName);
      },
    );
    return this.#jail;
  }

  async #tell<T>(operation: FileFact['operation'], path: string, run: (note: Note) => Promise<T>): Promise<T> {
    const note: Note = { canonical: null };
    const tell = (rest: Pick<FileFact, 'outcome' | 'reason'>): void =>
      this.deps.onFact({
        operation,
        path,
        canonical: note.canonical,
        ...rest,
        ...(note.provenance === undefined ? {} : { provenance: note.provenance }),
      });
    let result: T;
    try {
      result = await run(note);
    } catch (error) {
      if (error instanceof HostError) {
        tell({ outcome: refusals.has(error.reason) ? 'refused' : 'failed', reason: error.reason });
      } else {
        tell({ outcome: 'failed', reason: 'io' });
      }
      throw error;
    }
    tell({ outcome: 'done' });
    return result;
  }
}

/** Reasons that are somebody's decision; the others are states of the disk. */
const refusals: ReadonlySet<string> = new Set([
  'badPath',
  'badParams',
  'outside',
  'denied',
  'off',
  'refused',
  'conflict',
  'cancelled',
]);

const flavour = process.platform === 'win32' ? 'win32' : 'posix';

function keyOf(path: string): string {
  return collapse(path, flavour);
}
