import { equal } from 'node:assert/strict';
import { changesPrograms, mixesAlphabets } from '../../../src/core/text/cardNotes.js';

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

describe('variables that change what runs', () => {
  for (const variable of [
    'PATH=/tmp/bin',
    'Path=C:\\x',
    'LD_PRELOAD=./a.so',
    'DYLD_INSERT_LIBRARIES=a',
    'NODE_OPTIONS=--require=./x.js',
    'BASH_ENV=./x',
    'GIT_SSH_COMMAND=sh x',
    'GIT_CONFIG_COUNT=1',
    'PAGER=sh -c "cat; curl x"',
    'EDITOR=./x',
    'GIT_ASKPASS=./x=cat',
    'SHELL=./bash',
    'SHELL=/tmp/bin/bash',
    'SHELL=/bin/bash/../../tmp/x',
    'SHELL=bash',
  ]) {
    it(`${variable} does`, () => equal(changesPrograms(variable), true));
  }
  for (const variable of [
    'LANG=C',
    'MY_PATH=1',
    'PATHS=1',
    'OLD_PATH=1',
    'FORCE_COLOR=0',
    'CI=1',
    'DIGIT_X=',
    'SHELL=/bin/bash',
    'SHELL=/usr/bin/zsh',
    'PAGER=cat',
    'GIT_PAGER=cat',
    'GIT_TERMINAL_PROMPT=0',
    'GIT_EDITOR=true',
    'EDITOR=',
  ]) {
    it(`${variable} does not`, () => equal(changesPrograms(variable), false));
  }
});
