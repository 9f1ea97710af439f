import { deepEqual, equal } from 'node:assert/strict';
import { readPlainInput } from '../../../src/core/policy/plainInput.js';

describe('4.5 input that says no more than places', () => {
  const plain: [string, unknown, 'look' | 'edit', string[]][] = [
    ['nothing', undefined, 'look', []],
    ['null', null, 'edit', []],
    ['an object without fields', {}, 'look', []],
    ['a file', { file_path: '/w/a.ts' }, 'look', ['/w/a.ts']],
    ['a window of a file', { absolutePath: '/w/a.ts', offset: 1, limit: 20, view_range: [1, 5] }, 'look', ['/w/a.ts']],
    ['files', { paths: ['a.ts', 'b.ts'] }, 'look', ['a.ts', 'b.ts']],
    ['a URI of a file', { uri: 'file:///w/a.ts' }, 'look', ['file:///w/a.ts']],
    ['a search', { pattern: 'TODO|FIXME', path: 'src', glob: '**/*.ts', '-n': true }, 'look', ['src']],
    ['fields of one number or switch', { whatever: 3, other: false, none: null }, 'look', []],
    [
      'an edit',
      { file_path: '/w/a', old_string: 'rm -rf /', new_string: '../../x', replace_all: true },
      'edit',
      ['/w/a'],
    ],
    ['a new file', { path: 'a', content: '#!/bin/sh' }, 'edit', ['a']],
    ['a diff', { filepath: '/w/a', diff: '--- a' }, 'edit', ['/w/a']],
  ];
  for (const [what, input, act, paths] of plain) {
    it(`${what} is plain`, () => deepEqual(readPlainInput(input, act), { isPlain: true, paths }));
  }

  const more: [string, unknown, 'look' | 'edit'][] = [
    ['a text', 'rm -rf /', 'look'],
    ['a list', ['rm', '-rf'], 'look'],
    ['a number', 3, 'look'],
    ...['command', 'cmd', 'script', 'argv', 'shell', 'code', 'exec', 'CommandLine', 'COMMAND', 'command ', 'tool'].map(
      (field): [string, unknown, 'look'] => [`a field ${JSON.stringify(field)}`, { path: 'a', [field]: 'ls' }, 'look'],
    ),
    ['a command in a list', { path: 'a', commands: ['ls'] }, 'look'],
    ['something nested', { path: 'a', b: { command: 'ls' } }, 'look'],
    ['something nested in a list', { path: 'a', b: [{ command: 'ls' }] }, 'look'],
    ['a text to write', { path: 'a', content: 'x' }, 'look'],
    ['a command in an edit', { path: 'a', command: 'ls' }, 'edit'],
    ['changes by file', { changes: { '/w/a': {} } }, 'edit'],
    ['an address', { path: 'a', url: 'http://169.254.169.254/' }, 'look'],
    ['an address as a path', { path: 'http://169.254.169.254/' }, 'look'],
    ['a home folder', { path: '~/.ssh/id_rsa' }, 'look'],
    ['a variable', { path: '$HOME/.ssh/id_rsa' }, 'look'],
    ['a command in a path', { path: 'a`id`' }, 'look'],
    ['a path with a pattern', { path: '/w/*/../.env' }, 'look'],
    ['a pattern outside', { path: '.', pattern: '/etc/**' }, 'look'],
    ['a pattern that climbs', { path: '.', glob: '../**' }, 'look'],
    ['a pattern that climbs in a choice', { path: '.', glob: '{a,../b}/*' }, 'look'],
    ['a pattern of a home', { path: '.', include: ['~/**'] }, 'look'],
  ];
  for (const [what, input, act] of more) {
    it(`${what} is more`, () => equal(readPlainInput(input, act).isPlain, false));
  }

  it('names paths also where it says more', () =>
    deepEqual(readPlainInput({ path: 'a', command: 'ls' }, 'look').paths, ['a']));
});
