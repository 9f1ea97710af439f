/** A folder for one test, and the doubles of the ports that the file service needs. */
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Expectations } from '../../../src/agent/files/expectations.js';
import { createFileService } from '../../../src/agent/files/fileService.js';
import type { FileService } from '../../../src/agent/files/fileService.js';
import type { JailOptions } from '../../../src/agent/files/jail.js';
import type {
  ApprovalRequest,
  Decision,
  EditorFiles,
  EditorWrite,
  FileFact,
  OpenText,
  ServePolicy,
} from '../../../src/agent/ports.js';
import { HostError } from '../../../src/core/errors.js';
import type { HostErrorReason } from '../../../src/core/errors.js';

export type Tree = {
  /** `ws` is the workspace, `out` lies beside it. */
  readonly ws: string;
  readonly out: string;
  at(...parts: string[]): string;
  write(path: string, content: string | Uint8Array): Promise<string>;
  dispose(): Promise<void>;
};

/** A fresh tree in a folder, that for temporary files by default. */
export async function makeTree(parent = tmpdir()): Promise<Tree> {
  const base = await realpath(await mkdtemp(join(parent, 'acp-files-')));
  const at = (...parts: string[]): string => join(base, ...parts);
  await mkdir(at('ws'));
  await mkdir(at('out'));
  return {
    ws: at('ws'),
    out: at('out'),
    at,
    write: async (path, content) => {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
      return at(path);
    },
    dispose: () => rm(base, { recursive: true, force: true }),
  };
}

/** Names of temporary files of the jail that were left below a folder. */
export async function leftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.acp-[0-9a-f]{16}$/.test(name));
}

/** An editor whose documents are set by the test. */
export class FakeEditor implements EditorFiles {
  readonly documents = new Map<string, OpenText>();
  readonly writes: { canonical: string; text: string; base: string }[] = [];
  /** What the next write answers, instead of saving. */
  next: EditorWrite | undefined;
  /** What a formatter makes of a text that is saved. */
  format: (text: string) => string = (text) => text;

  openText(canonical: string): OpenText | undefined {
    return this.documents.get(canonical);
  }

  write(canonical: string, text: string, base: string): Promise<EditorWrite> {
    this.writes.push({ canonical, text, base });
    const { next } = this;
    this.next = undefined;
    if (next) {
      return Promise.resolve(next);
    }
    if (this.documents.get(canonical)?.text !== base) {
      return Promise.resolve({ outcome: 'conflict' });
    }
    const saved = this.format(text);
    this.documents.set(canonical, { text: saved, dirty: false });
    return Promise.resolve({ outcome: 'saved', saved });
  }
}

export type Harness = {
  readonly service: FileService;
  readonly editor: FakeEditor;
  readonly expectations: Expectations;
  readonly facts: FileFact[];
  readonly asked: ApprovalRequest[];
  policy: ServePolicy;
  /** Answers the questions, in order; the last one also all that follow. */
  answers: ((request: ApprovalRequest) => Decision | Promise<Decision>)[];
  read(path: string, line?: number | null, limit?: number | null): Promise<string>;
  write(path: string, content: string, signal?: AbortSignal): Promise<void>;
};

export const allowed: Decision = { outcome: 'allowed', by: 'person' };
export const denied: Decision = { outcome: 'denied', by: 'person', comment: 'not this one' };

export function makeHarness(roots: readonly string[], jail?: JailOptions, home?: string): Harness {
  const editor = new FakeEditor();
  const expectations = new Expectations();
  const facts: FileFact[] = [];
  const asked: ApprovalRequest[] = [];
  const never = new AbortController().signal;
  const harness: Harness = {
    editor,
    expectations,
    facts,
    asked,
    policy: { read: true, write: 'ask', terminal: 'off', acknowledged: false },
    answers: [() => allowed],
    service: createFileService({
      roots,
      folderName: 'ws',
      editor,
      policy: () => harness.policy,
      expectations,
      onFact: (fact) => facts.push(fact),
      gate: {
        ask: async (request) => {
          asked.push(request);
          const answer = harness.answers[Math.min(asked.length, harness.answers.length) - 1];
          return answer ? answer(request) : denied;
        },
      },
      ...(jail ? { jail } : {}),
      ...(home === undefined ? {} : { home }),
    }),
    read: (path, line, limit) =>
      harness.service.read({
        path,
        ...(line === undefined ? {} : { line }),
        ...(limit === undefined ? {} : { limit }),
        signal: never,
      }),
    write: (path, content, signal = never) => harness.service.write({ path, content, signal }),
  };
  return harness;
}

/** The reason of a HostError that a promise rejects with; a value or any other error fails. */
export async function reasonOf(pending: Promise<unknown>): Promise<HostErrorReason> {
  let value: unknown;
  try {
    value = await pending;
  } catch (error) {
    if (error instanceof HostError) {
      return error.reason;
    }
    throw error;
  }
  throw new Error(`It should have been refused, and gave ${JSON.stringify(value)}.`);
}

/** The message of a HostError that a promise rejects with. */
export async function wordsOf(pending: Promise<unknown>): Promise<string> {
  return pending.then(
    () => {
      throw new Error('It should have been refused.');
    },
    (error: unknown) => (error instanceof HostError ? error.message : Promise.reject(error as Error)),
  );
}
