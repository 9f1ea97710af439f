import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { neverShow, redact } from '../../../src/core/text/redact.js';
import { redactJson } from '../../../src/core/text/redactJson.js';

const body = 'Ab3dE6gH1jK4mN7pQ0sT';

describe('redactJson', () => {
  const rows: [string, unknown, unknown][] = [
    ['a value by its name', { api_key: body, model: 'm' }, { api_key: '[redacted]', model: 'm' }],
    ['a list under such a name', { tokens: 1, token: [body, 7] }, { tokens: 1, token: ['[redacted]', 7] }],
    [
      'a variable and a header, which are pairs',
      { env: [{ name: 'DB_PASSWORD', value: 'hunter2' }], headers: [{ name: 'Cookie', value: 'a=b' }] },
      { env: [{ name: 'DB_PASSWORD', value: '[redacted]' }], headers: [{ name: 'Cookie', value: '[redacted]' }] },
    ],
    [
      'a phrase, to its line end',
      { text: 'password: a b c\nnext', more: 'x' },
      { text: 'password: [redacted]\nnext', more: 'x' },
    ],
    [
      'a key without an end',
      { text: '-----BEGIN PRIVATE KEY-----\nMIIE', more: 'x' },
      { text: '[redacted]', more: 'x' },
    ],
    ['a name that is one', { [`sk-ant-api03-${body}`]: 1 }, { '[redacted]': 1 }],
    ['a header as a field', { authorization: `Bearer ${body}` }, { authorization: '[redacted]' }],
    [
      'nothing else',
      { token: null, secret: true, path: '/a/token', sha: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
      undefined,
    ],
  ];
  for (const [what, given, expected] of rows) {
    it(`takes out ${what}`, () => deepStrictEqual(JSON.parse(redactJson(JSON.stringify(given))), expected ?? given));
  }

  it('keeps text without a secret to the letter, and long text whole', () => {
    const odd = '{"b":1.0,"a":1e3,  "u":"\\u00e9"}';
    equal(redactJson(odd), odd);
    const long = JSON.stringify({ text: 'y'.repeat(300_000), end: `key sk-proj-${body}` });
    deepStrictEqual(JSON.parse(redactJson(long)), { text: 'y'.repeat(300_000), end: 'key [redacted]' });
  });

  it('says so where it cannot look', () => {
    for (const json of ['{"a":', `${'['.repeat(200_000)}${']'.repeat(200_000)}`]) {
      equal(redactJson(json), '{"left out":"this could not be searched for secrets"}');
    }
  });

  it('gives JSON for every JSON, and finds nothing a second time', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'password: x y',
        '-----BEGIN PRIVATE KEY-----',
        `token=${body}`,
        'https://a:b@c',
        `"api_key": "${body}"`,
        '\\"',
      ),
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(text, fc.constantFrom('api_key', 'name', 'value', 'password')), tie('node'), {
          maxKeys: 4,
        }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        const once = redactJson(JSON.stringify(value));
        ok(JSON.parse(once) !== undefined);
        equal(redactJson(once), once);
      }),
      { numRuns: 500 },
    );
  }).timeout(20_000);

  it('never shows what was handed to an agent, in any of its forms', () => {
    const secret = 'wholly ordinary words 7';
    equal(redact(`said ${secret}`), `said ${secret}`);
    neverShow([secret, 'abc']);
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
    equal(redact(forms.join(' | ')), '[redacted] | [redacted] | [redacted]');
    equal(redactJson(JSON.stringify({ a: forms })), '{"a":["[redacted]","[redacted]","[redacted]"]}');
    equal(redact('abc'), 'abc');
  });
});
