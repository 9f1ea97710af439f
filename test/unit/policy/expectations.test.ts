import { strict as assert } from 'node:assert';
import { applyAgentDiff, Expectations } from '../../../src/agent/files/expectations.js';
import { mergeInto } from '../../../src/agent/files/merge.js';
import { limits } from '../../../src/core/text/limits.js';

describe('expectations: one edit, one question', () => {
  it('matches the allowed text once', () => {
    const expectations = new Expectations();
    expectations.add('/w/a', 'new\n');
    assert.equal(expectations.take('/w/a', 'new\n'), 'match');
    assert.equal(expectations.take('/w/a', 'new\n'), 'none');
  });

  it('differs by one byte, and is then spent', () => {
    const expectations = new Expectations();
    expectations.add('/w/a', 'new\n');
    assert.equal(expectations.take('/w/b', 'new\n'), 'none');
    assert.equal(expectations.take('/w/a', 'new\n!'), 'differs');
    assert.equal(expectations.take('/w/a', 'new\n'), 'none');
  });

  it('holds only for the text it was shown against, where that is known', () => {
    const expectations = new Expectations();
    expectations.add('/w/a', 'new', 'old');
    assert.equal(expectations.take('/w/a', 'new', 'changed'), 'differs');
    expectations.add('/w/a', 'new', null);
    assert.equal(expectations.take('/w/a', 'new', null), 'match');
  });

  it('compares in the form that the file has', () => {
    const expectations = new Expectations();
    expectations.add('/w/a', 'a\nb\n');
    assert.equal(
      expectations.take('/w/a', 'a\r\nb\r\n', undefined, (text) => text.replace(/\n/g, '\r\n')),
      'match',
    );
  });

  it('keeps several for one file, forgets all when cleared, and holds a bounded number', () => {
    const expectations = new Expectations();
    expectations.add('/w/a', '1');
    expectations.add('/w/a', '2');
    assert.equal(expectations.take('/w/a', '2'), 'match');
    assert.equal(expectations.take('/w/a', '1'), 'match');
    expectations.add('/w/a', '3');
    expectations.clear();
    assert.equal(expectations.take('/w/a', '3'), 'none');
    for (let i = 0; i <= limits.expectations; i++) {
      expectations.add(`/w/${i}`, 'x');
    }
    assert.equal(expectations.take(`/w/${limits.expectations}`, 'x'), 'none');
  });
});

describe("expectations: what an agent's diff makes of a file", () => {
  const rows: [string, string | null, string | null, string, string | undefined][] = [
    ['a new file', null, null, 'x\n', 'x\n'],
    ['a new file with an empty old text', null, '', 'x\n', 'x\n'],
    ['an old text for a file that is not there', null, 'y', 'x', undefined],
    ['the whole file', 'a\nb\n', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
    ['a snippet', 'a\nb\nc\n', 'b', 'B', 'a\nB\nc\n'],
    ['a snippet that is there twice', 'b\nb\n', 'b', 'B', undefined],
    ['overlapping finds', 'aaa', 'aa', 'x', undefined],
    ['a snippet that is not there', 'a\n', 'z', 'Z', undefined],
    ['an empty old text for a file with text', 'a\n', '', 'Z', undefined],
    ['a snippet with other line ends', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nB', 'a\r\nB\r\nc\r\n'],
    ['other line ends in a file that mixes them', 'a\r\nb\nc\r\n', 'a\nb', 'a\nB', undefined],
    ['a replacement with $ in it', 'a\nb\n', 'b', '$&$1', 'a\n$&$1\n'],
  ];
  for (const [what, current, oldText, newText, expected] of rows) {
    it(`${what}: ${expected === undefined ? 'unknown' : JSON.stringify(expected)}`, () => {
      assert.equal(applyAgentDiff(current, { oldText, newText }), expected);
    });
  }
});

describe('merge: an edit on top of unsaved changes', () => {
  const base = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
  const edit = (text: string, line: number, by: string): string => text.replace(`line ${line}\n`, by);

  it('keeps both where they are apart, above and below', () => {
    const mine = edit(edit(base, 1, 'mine\nmine too\n'), 18, '');
    const edited = edit(edit(base, 8, 'theirs\n'), 12, '');
    const { text, kept } = mergeInto(mine, base, edited);
    assert.equal(text, edit(edit(mine, 8, 'theirs\n'), 12, ''));
    assert.equal(kept, 0);
  });

  it('keeps the lines of the person where both changed, and the rest of the edit', () => {
    const mine = edit(base, 8, 'mine\n');
    const { text, kept } = mergeInto(mine, base, edit(edit(base, 8, 'theirs\n'), 16, 'more\n'));
    assert.equal(text, edit(mine, 16, 'more\n'));
    assert.equal(kept, 1);
  });
});
