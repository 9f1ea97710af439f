import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/parse.ts';

test('splits rows and fields', () => {
  assert.deepEqual(parse('a,b\n1,2\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('gives no row for empty text', () => {
  assert.deepEqual(parse(''), []);
});
