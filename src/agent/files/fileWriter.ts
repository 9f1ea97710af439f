/**
 * One write, from the pin to the effect. What a person sees is computed from the text as it is at that moment; when
 * they have answered, the text is looked at again, and an answer about other text is no answer.
 */
import { HostError } from '../../core/errors.js';
import { decide } from '../../core/policy/decide.js';
import { isWellFormed } from '../../core/policy/paths.js';
import { limits } from '../../core/text/limits.js';
import type { ApprovalMark } from '../../core/transcript/model.js';
import type { OpenText } from '../ports.js';
import { shortName } from './facts.js';
import type { FileMemory } from './fileMemory.js';
import type { FileServiceDeps, Note, WriteRequest } from './fileService.js';
import { versionOf } from './jail.js';
import type { Jail } from './jail.js';
import { mergeInto } from './merge.js';
import { askToWrite, refuseAborted, refuseUnlessAllowed } from './questions.js';
import { Serial } from './serial.js';
import { fit, lineEndsOf } from './textFile.js';
import type { WritePin } from './writePin.js';

/** The edit as it stands: what is there, and what would be. */
type State = {
  readonly current: string | null;
  readonly target: string;
  /** The document to write through, where one is open with unsaved changes. */
  readonly open: OpenText | undefined;
  readonly marks: readonly ApprovalMark[];
};

/** Attempts to place a text that nobody has to be asked about again. */
const ATTEMPTS = 5;

export class FileWriter {
  readonly #byFile = new Serial();

  constructor(
    private readonly deps: FileServiceDeps,
    private readonly memory: FileMemory,
  ) {}

  /** @throws HostError */
  async write(jail: Jail, request: WriteRequest, note: Note): Promise<void> {
    this.#refuseOff();
    refuseAborted(request.signal);
    refuseContent(request.content);
    const pin = await jail.pinWrite(request.path);
    try {
      note.canonical = pin.facts.canonical;
      await this.#byFile.run(pin.facts.canonical, () => this.#writePinned(pin, request, note));
    } finally {
      await pin.close();
    }
  }

  async #writePinned(pin: WritePin, request: WriteRequest, note: Note): Promise<void> {
    let granted: State | undefined;
    let questions = 0;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      refuseAborted(request.signal);
      this.#refuseOff();
      const state = await this.#look(pin, request.content);
      if (state.open === undefined && state.current === state.target) {
        return;
      }
      if (granted === undefined || !isSame(granted, state)) {
        const differs = this.#grantedWithout(pin, state, note);
        granted = state;
        if (differs !== 'granted') {
          if (++questions > limits.writeQuestions) {
            break;
          }
          const marks: readonly ApprovalMark[] = differs === 'differs' ? [...state.marks, 'differs'] : state.marks;
          await this.#ask(pin, { ...state, marks }, request, note);
          continue;
        }
      }
      if (await this.#place(pin, state)) {
        return;
      }
    }
    throw new HostError('conflict', `${shortName(request.path)} keeps changing. Read it again.`);
  }

  #ask(pin: WritePin, state: State, request: WriteRequest, note: Note): Promise<void> {
    const { current, target, marks } = state;
    const { toolCallId, signal } = request;
    const edit = { facts: pin.facts, current, target, marks, ...(toolCallId === undefined ? {} : { toolCallId }) };
    return askToWrite(this.deps.gate, edit, signal, note);
  }

  async #look(pin: WritePin, content: string): Promise<State> {
    const { canonical } = pin.facts;
    const disk = await pin.current();
    const open = this.deps.editor.openText(canonical);
    if (open?.dirty === true) {
      return this.#lookAtDocument(canonical, open, disk, content);
    }
    const known = this.memory.versionOf(canonical);
    const stale = known !== undefined && (pin.seen === undefined || versionOf(pin.seen) !== known);
    return { current: disk, target: pin.fit(content), open: undefined, marks: stale ? ['stale'] : [] };
  }

  /** Where the agent has not seen the person's unsaved text, its edit is added to it and the person's lines stay. */
  #lookAtDocument(canonical: string, open: OpenText, disk: string | null, content: string): State {
    const style = { bom: false, lineEnds: lineEndsOf(open.text) };
    const edited = fit(content, style);
    const base = this.memory.textOf(canonical);
    if (base === open.text || edited === open.text) {
      return { current: open.text, target: edited, open, marks: [] };
    }
    const { text } = mergeInto(open.text, fit(base ?? disk ?? '', style), edited);
    if (text === open.text) {
      throw new HostError(
        'conflict',
        `${shortName(canonical)} has unsaved changes of the person in the same lines. They were kept; read the file again.`,
      );
    }
    return { current: open.text, target: text, open, marks: ['conflict'] };
  }

  /** Whether an answer above or a setting covers this edit; else it is asked, and `differs` says that one came near. */
  #grantedWithout(pin: WritePin, state: State, note: Note): 'granted' | 'differs' | 'ask' {
    const { facts } = pin;
    const stale = state.marks.includes('stale');
    const decided = decide({ by: 'host', act: 'write', path: facts, stale }, this.deps.policy(), {
      interactive: true,
      trusted: true,
    });
    refuseUnlessAllowed(decided, facts);
    if (facts.klass !== 'ok' || state.marks.includes('conflict')) {
      return 'ask';
    }
    const fitted = (text: string): string =>
      state.open ? fit(text, { bom: false, lineEnds: lineEndsOf(state.open.text) }) : pin.fit(text);
    const expected = this.deps.expectations.take(facts.canonical, state.target, state.current, fitted);
    if (expected === 'match') {
      note.provenance = { by: 'above' };
      return 'granted';
    }
    if (decided.verdict === 'allow' && expected === 'none') {
      note.provenance = { by: 'setting' };
      return 'granted';
    }
    return expected === 'differs' ? 'differs' : 'ask';
  }

  /** False: the file or the document changed at the last moment. */
  async #place(pin: WritePin, state: State): Promise<boolean> {
    const { canonical } = pin.facts;
    if (state.open !== undefined) {
      const { outcome } = await this.deps.editor.write(canonical, state.target, state.open.text);
      if (outcome === 'saved') {
        // What a formatter made of it was not seen by the agent yet.
        this.memory.remember(canonical, { text: state.target });
      }
      return outcome === 'saved';
    }
    if (state.current !== null && this.deps.editor.openText(canonical) === undefined) {
      await this.deps.editor.prepareUndo?.(canonical);
    }
    try {
      await pin.commit(state.target);
    } catch (error) {
      if (error instanceof HostError && error.reason === 'conflict') {
        return false;
      }
      throw error;
    }
    this.memory.remember(canonical, pin.seen === undefined ? {} : { version: versionOf(pin.seen) });
    return true;
  }

  #refuseOff(): void {
    if (this.deps.policy().write === 'off') {
      throw new HostError('off', 'Writing through the editor is switched off.');
    }
  }
}

function isSame(a: State, b: State): boolean {
  return a.current === b.current && a.target === b.target && (a.open === undefined) === (b.open === undefined);
}

/** @throws HostError badParams, tooLarge */
function refuseContent(content: string): void {
  if (!isWellFormed(content)) {
    throw new HostError('badParams', 'The content holds half of a character and cannot be written as UTF-8.');
  }
  if (Buffer.byteLength(content) > limits.writeBytes) {
    throw new HostError('tooLarge', `A write may hold at most ${limits.writeBytes} bytes.`);
  }
}
