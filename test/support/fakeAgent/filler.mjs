// @ts-check
/** Texts by the metre: deterministic, so that two runs of a test or a benchmark send the same bytes. */

const PARAGRAPHS = [
  '## Part {n}\n\n',
  'The parser reads one token at a time and keeps `{n}` of them, which is *enough* for this grammar. ',
  'A longer sentence follows, with **bold words**, a [link](https://example.com/{n}) and some `inline code`.\n\n',
  '- first point of list {n}\n- second point with `code`\n  - nested point\n\n',
  '```ts\nexport function part{n}(input: string): number {\n  return input.length + {n};\n}\n```\n\n',
  '| name | value |\n|---|---|\n| row {n} | {n} |\n\n',
  '> A quoted remark about part {n}.\n\n',
];

/**
 * A source of text pieces of exactly `chars` UTF-16 units each.
 * @param {'markdown' | 'plain'} kind
 * @param {number} chars
 * @returns {() => string}
 */
export function pieces(kind, chars) {
  let number = 0;
  let rest = '';
  return () => {
    while (rest.length < chars) {
      const pattern = kind === 'plain' ? 'word {n} ' : (PARAGRAPHS[number % PARAGRAPHS.length] ?? '');
      rest += pattern.replaceAll('{n}', String(number));
      number += 1;
    }
    const piece = rest.slice(0, chars);
    rest = rest.slice(chars);
    return piece;
  };
}

/**
 * `bytes` bytes of ASCII in lines of at most 80 bytes; the last byte is a line end.
 * @param {number} bytes
 * @returns {string}
 */
export function lines(bytes) {
  const line = `${'x'.repeat(79)}\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(-bytes);
}
