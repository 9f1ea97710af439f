import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, stripControls, visible, visibleLine } from '../../../src/core/text/visible.js';

describe('visible', () => {
  const hidden: [string, string, string][] = [
    ['a direction override', 'a\u202eb', 'a[U+202E]b'],
    ['a zero-width space', 'a\u200bb', 'a[U+200B]b'],
    ['a tag character', 'a\u{e0041}b', 'a[U+E0041]b'],
    ['a variation selector', 'a\u{e0100}b', 'a[U+E0100]b'],
    ['a Hangul filler', 'a\u3164b', 'a[U+3164]b'],
    ['a line separator', 'a\u2028b', 'a[U+2028]b'],
    ['a line erased and written again', 'rm\u001b[2K\rls', 'rm[U+001B][2K[U+000D]ls'],
    ['a lone surrogate', 'a\ud800b', 'a[U+D800]b'],
    ['an unusual space', 'a\u00a0b', 'a[U+00A0]b'],
    ['a private character', 'a\ue000b', 'a[U+E000]b'],
    ['an unassigned code point', 'a\u0378b', 'a[U+0378]b'],
    ['stacked marks', `a${'\u0300'.repeat(6)}`, `a${'[U+0300]'.repeat(6)}`],
  ];
  for (const [what, text, expected] of hidden) {
    it(`names ${what}`, () => deepStrictEqual(visible(text), { text: expected, hidden: true }));
  }

  it('leaves ordinary text of any language alone', () => {
    for (const text of ['npm test -- --grep "ä é"', 'ёлка 日本語 עברית', 'a\tb\nc', 'e\u0301 \u1ed9', '😀']) {
      deepStrictEqual(visible(text), { text, hidden: false });
    }
  });

  it('counts padding that pushes the end out of sight', () => {
    equal(visible(`ls${' '.repeat(300)}; rm -rf x`).text, 'ls[300 spaces]; rm -rf x');
    equal(visible(`ls${'\n'.repeat(50)}rm`).text, 'ls\n[50 line breaks]\nrm');
    equal(visible(`ls${'\n \t'.repeat(50)}\nrm`).text, 'ls\n[51 line breaks]\nrm');
    equal(visible(`a\n\n\nb${' '.repeat(11)}c`).text, `a\n\n\nb${' '.repeat(11)}c`);
    equal(visibleLine(`${' '.repeat(20)}x\u200b`).text, `${' '.repeat(20)}x[U+200B]`);
  });

  it('leaves nothing that does not show, and is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const first = visible(text);
        const second = visible(first.text);
        equal(second.hidden, false);
        ok(first.hidden || !/\p{Cf}/u.test(text));
      }),
    );
  });
});

describe('stripControls', () => {
  it('takes out terminal sequences, controls and direction marks', () => {
    equal(
      stripControls(
        '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ \u202eabc\u202c\u0000\u009b1m!',
      ),
      'red link abc!',
    );
    equal(stripControls('a\r\nb\rc\td'), 'a\nb\nc\td');
  });

  it('keeps joined emoji and text of any language', () => {
    for (const text of ['👩‍💻 ❤️', 'می‌خواهم', 'a\n\tb']) {
      equal(stripControls(text), text);
    }
  });

  it('B117 leaves markup as the characters it is made of', () => {
    const text = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) <style>*{display:none}</style>';
    equal(stripControls(text), text);
    equal(visible(text).text, text);
  });

  it('makes one line of a title', () => {
    equal(oneLine(' a\n b\u001b[1m\tc '), 'a b c');
    equal(oneLine('abcdef', 4), 'abc…');
  });
});
