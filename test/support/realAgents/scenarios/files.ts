/** Files: read, edited, made, allowed and denied, with the bytes on disk as the witness. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HeadlessRun } from '../../headless.js';
import {
  AFTER,
  BEFORE,
  isDenied,
  needsModel,
  questions,
  SECRET_LINE,
  stopReasons,
  stoppedTools,
  tools,
  writer,
} from '../subject.js';
import type { Scenario, Subject } from '../subject.js';

const asking = ['--write', 'ask'];
const allowing = [...asking, '--answers', 'allow_once'];
const denying = [...asking, '--answers', 'reject_once'];

const reader = (run: HeadlessRun, path: string): string => {
  const read = run.events('fileRead').find((line) => line['path'] === path);
  return read === undefined ? 'reads itself' : `read through the host: ${String(read['outcome'])}`;
};

const isUnchanged = (subject: Subject): void => {
  assert.equal(subject.place.read('src/add.js'), BEFORE, 'every byte is as it was');
};

const isEdited = (subject: Subject, run: HeadlessRun): void => {
  const seen = run.entries.filter(({ kind }) => kind !== 'user').map((entry) => JSON.stringify(entry));
  assert.equal(subject.place.read('src/add.js'), AFTER, `it is edited: ${seen.join('\n')}`);
};

/** One edit, one question: whoever asks, and whoever writes it then. */
const isOneQuestion = (run: HeadlessRun): void => {
  const edits = run.events('approval').filter(({ verb }) => verb === 'edit' || verb === 'create');
  assert.ok(edits.length <= 1, 'one edit, one question');
  if (run.events('fileWritten').length > 0) {
    assert.equal(edits.length, 1, 'what is written through the host was asked');
  }
};

export const files: readonly Scenario[] = [
  {
    row: 'read a file',
    lacks: needsModel,
    run: async (subject) => {
      const path = subject.place.file('notes.txt');
      const run = await subject.prompt(`[[mock:read path=${path}]]`, ['--answers', 'allow_once']);
      assert.ok(subject.model.heard(SECRET_LINE), 'the model got the text');
      return `${reader(run, path)}, ${questions(run)}`;
    },
  },
  {
    row: 'read a missing file',
    lacks: needsModel,
    run: async (subject) => {
      const path = subject.place.file('no/such.txt');
      const run = await subject.prompt(`[[mock:read path=${path}]]`, ['--answers', 'allow_once']);
      assert.deepEqual(stopReasons(run), ['end_turn']);
      return `${reader(run, path)}, ${tools(run)}`;
    },
  },
  {
    row: 'read outside the folder',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt('[[mock:read path=/etc/hostname]]', ['--answers', 'reject_once']);
      assert.deepEqual(
        run.events('fileRead').filter(({ path, outcome }) => path === '/etc/hostname' && outcome === 'done'),
        [],
        'the host serves nothing outside',
      );
      return `${reader(run, '/etc/hostname')}, ${questions(run)}, ${tools(run)}`;
    },
  },
  {
    row: 'edit, allowed',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(subject.edit, allowing);
      isEdited(subject, run);
      isOneQuestion(run);
      return `${questions(run)}, ${writer(run)}, ${tools(run)}`;
    },
  },
  {
    row: 'edit in its own first mode',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.untouched().prompt(subject.edit, allowing);
      isEdited(subject, run);
      const mode = run.transcript['mode'] as { readonly id: string; readonly asksNothing: string | null } | undefined;
      const marks = run.entries.filter(({ didNotAsk }) => didNotAsk === true).length;
      const asks = run.events('approval').length > 0;
      assert.ok(asks || marks > 0, 'an edit that nobody was asked for is marked');
      const known = mode?.asksNothing ?? null;
      return [
        mode === undefined ? 'no mode' : `\`${mode.id}\`${known === null ? '' : ` (${known} to ask nothing)`}`,
        questions(run),
        ...(marks === 0 ? [] : [`${marks} marked \`didNotAsk\``]),
      ].join(', ');
    },
  },
  {
    row: 'edit in a Git folder, allowed',
    git: true,
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(subject.edit, allowing);
      isEdited(subject, run);
      isOneQuestion(run);
      return `${questions(run)}, ${writer(run)}`;
    },
  },
  {
    row: 'edit, denied',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(subject.edit, denying);
      isUnchanged(subject);
      isDenied(run);
      return `${questions(run)}, ${tools(run)}, \`${String(stopReasons(run)[0])}\``;
    },
  },
  {
    row: 'edit in a Git folder, denied',
    git: true,
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt(subject.edit, denying);
      isUnchanged(subject);
      isDenied(run);
      return `${questions(run)}, ${tools(run)}`;
    },
  },
  {
    row: 'edit, stopped while it asks',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.drive(
        [{ do: 'prompt', text: subject.edit }, { do: 'waitFor', event: 'approval' }, { do: 'cancel' }],
        asking,
      );
      isUnchanged(subject);
      assert.deepEqual(stopReasons(run), ['cancelled']);
      const outcomes = run.events('approvalSettled').map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ['cancelled']);
      return `\`cancelled\`, ${stoppedTools(run)}`;
    },
  },
  {
    row: 'new file, allowed',
    lacks: needsModel,
    run: async (subject) => {
      const content = 'one\ntwo\n';
      const path = subject.place.file('src/new.txt');
      const run = await subject.prompt(`[[mock:write path=${path} content=${JSON.stringify(content)}]]`, allowing);
      assert.equal(subject.place.read('src/new.txt').trimEnd(), content.trimEnd());
      return `${questions(run)}, ${writer(run)}`;
    },
  },
  {
    row: 'new file outside the folder, denied',
    lacks: needsModel,
    run: async (subject) => {
      const path = join(dirname(subject.place.folder), 'outside.txt');
      const run = await subject.prompt(`[[mock:write path=${path} content="x"]]`, denying);
      assert.ok(!existsSync(path), 'nothing is written outside');
      return `${questions(run)}, ${tools(run)}`;
    },
  },
];
