import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import type { Approval, ApprovalMark, DiffView } from '../../../src/core/transcript/model.js';
import { diffView } from '../../../src/core/text/diffView.js';
import { dialogText } from '../../../src/host/dialogText.js';
import { allowOnce, editApproval, folder, rejectOnce } from './parts.js';

const context = { agent: 'Claude', ...folder, behind: 0 };
const whole = ['review', 'allow', 'deny', 'notNow'];
const added = (lines: number): DiffView =>
  diffView('a', '', Array.from({ length: lines }, (_, i) => `${i}\n`).join(''));
const cautious = ['review', 'deny', 'notNow'];

describe('the text of a dialog', () => {
  it('shows the changed lines first, then who writes', () => {
    deepEqual(dialogText(editApproval(), context), {
      title: 'Claude: edit src/parse.ts?',
      detail: 'csv-kit/src/parse.ts, line 2\n− b\n+ x\n+ y\n\nVS Code writes this after you allow it. Undo works.',
      buttons: whole,
    });
  });

  it('shows a command in full with where it runs and what its environment adds', () => {
    const approval = editApproval({ verb: 'execute', command: 'npm test', cwd: '/ws/csv-kit', environment: ['CI'] });
    const { title, detail, buttons } = dialogText(approval, { ...context, behind: 2 });
    equal(title, 'Claude: run a command?');
    equal(
      detail,
      'npm test\nRuns in /ws/csv-kit\nEnvironment adds CI\n\nVS Code runs this in a terminal after you allow it.\n2 more requests wait.',
    );
    deepEqual(buttons, whole);
  });

  it('offers no plain allow where the question names one file of several, and lists them', () => {
    const paths = ['/ws/csv-kit/src/parse.ts', '/ws/csv-kit/src/auth.ts'];
    const { detail, buttons } = dialogText(editApproval({ origin: 'agent', paths }), context);
    match(detail, /^csv-kit\/src\/parse\.ts, line 2\n/);
    match(detail, /\ncsv-kit\/src\/auth\.ts\n/);
    deepEqual(buttons, cautious);
  });

  it('shows a change also where the call names a command', () => {
    const { detail } = dialogText(editApproval({ origin: 'agent', command: 'str_replace' }), context);
    match(detail, /− b\n\+ x\n\+ y\nstr_replace\n/);
  });

  it('makes no line of its own from a line break in a name', () => {
    const path = '/ws/csv-kit/a\n\nVS Code has checked this file.';
    const asked = dialogText(editApproval({ verb: 'delete', paths: [path] }), context);
    const { diff: _none, ...command } = editApproval({ verb: 'execute', command: 'ls', environment: ['A\n\nB=1'] });
    for (const { detail, buttons } of [asked, dialogText(command, context)]) {
      match(detail, /\[U\+000A\]\[U\+000A\]/);
      deepEqual(buttons, cautious);
    }
  });

  it('says that the words are the agent’s where the agent does it', () => {
    const approval = editApproval({ origin: 'agent', verb: 'delete', paths: ['/ws/csv-kit/a.ts'] });
    const { title, detail } = dialogText(approval, context);
    equal(title, 'Claude: delete a.ts?');
    match(detail, /Claude does this itself\. These are its words\./);
    doesNotMatch(detail, /Undo works/);
  });

  it('names a path outside the folder as it is, and a path that leads elsewhere with its end', () => {
    const { detail } = dialogText(
      editApproval({ verb: 'read', paths: ['/etc/hosts'], resolvesTo: '/private/etc/hosts', marks: ['outside'] }),
      context,
    );
    match(detail, /\/etc\/hosts/);
    match(detail, /Leads to \/private\/etc\/hosts/);
    match(detail, /It is outside csv-kit\./);
  });

  const refused: readonly [string, Partial<Approval>][] = [
    ['no option to allow once', { options: [rejectOnce] }],
    ['two options to allow once', { options: [allowOnce, { ...allowOnce, optionId: 'yes2' }, rejectOnce] }],
    ['two options to reject once', { options: [allowOnce, rejectOnce, { ...rejectOnce, optionId: 'no2' }] }],
    ['only a lasting allow', { options: [{ ...allowOnce, kind: 'allow_always' }, rejectOnce] }],
    ...(['sensitive', 'hidden', 'outside', 'linked', 'misnamed'] satisfies ApprovalMark[]).map(
      (mark): [string, Partial<Approval>] => [`the mark ${mark}`, { marks: [mark] }],
    ),
    ['a hidden character in the path', { paths: ['/ws/csv-kit/a\u202etxt.ts'] }],
    ['a hidden character in a changed line', { diff: diffView('a', 'a\n', 'b\u200b\n') }],
    ['a command padded out of sight', { verb: 'execute', command: `ls${' '.repeat(300)}; rm -rf x` }],
    ['a change of 10 lines under its place', { diff: added(10) }],
    ['a change of 601 characters', { diff: diffView('a', '', `${'x'.repeat(600)}\n`) }],
    ['a diff that is not listed whole', { diff: { ...diffView('a', 'a\n', 'b\n'), omitted: 1 } }],
  ];
  for (const [what, changes] of refused) {
    it(`holds no Allow Once for ${what}`, () => {
      const { buttons, detail } = dialogText(editApproval(changes), context);
      deepEqual(buttons, cautious);
      match(detail, /Open the review to see all of it\./);
    });
  }

  it('allows where an always-option is offered beside the plain ones, and offers it not', () => {
    const always = { optionId: 'all', name: 'Always', kind: 'allow_always' } as const;
    deepEqual(dialogText(editApproval({ options: [always, allowOnce, rejectOnce] }), context).buttons, whole);
  });

  it('allows what just fits', () => {
    deepEqual(dialogText(editApproval({ diff: added(9) }), context).buttons, whole);
  });

  it('never puts an allow first', () => {
    equal(dialogText(editApproval(), context).buttons[0], 'review');
  });

  it('stays small for a request of any size', () => {
    const huge = editApproval({ verb: 'execute', command: 'x'.repeat(30_000) });
    const { detail, title } = dialogText(huge, context);
    equal(detail.length < 1200, true);
    equal(title, 'Claude: run a command?');
  });

  it('says that it differs from what was allowed', () => {
    match(
      dialogText(editApproval({ marks: ['differs'] }), context).detail,
      /This differs from what you allowed above\./,
    );
  });
});
