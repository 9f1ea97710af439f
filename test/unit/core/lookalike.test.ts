import { equal } from 'node:assert/strict';
import { mixesAlphabets } from '../../../src/core/text/lookalike.js';

describe('names that look like another', () => {
  const rows: [string, boolean][] = [
    ['package.json', false],
    ['p\u0430ckage.json', true],
    ['src/\u0441onfig/a.ts', true],
    ['\u043f\u0430\u043f\u043a\u0430/file.ts', false],
    ['\u0444\u0430\u0439\u043b.ts', false],
    ['\u0444\u0430\u0439\u043b_v2-final.ts', false],
    ['\u03b1lpha.ts', true],
    ['\u65e5\u672c\u8a9eabc.md', false],
    ['na\u00efve.txt', false],
    ['C:\\w\\\u0435xe.bat', true],
    ['', false],
  ];
  for (const [path, expected] of rows) {
    it(`3.4 ${JSON.stringify(path)} ${expected ? 'mixes' : 'does not mix'} alphabets`, () =>
      equal(mixesAlphabets(path), expected));
  }
});
