import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { redact } from '../../../src/core/text/redact.js';

/** Put together here, so that no scanner takes the corpus for leaked keys. */
const body = 'Ab3dE6gH1jK4mN7pQ0sT';
const jwt = `eyJ${body}.eyJ${body}.${body}`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\nMIIE${body}\n${body}\n-----END RSA PRIVATE KEY-----`;

/** A line, and what must not be left of it. */
const secretLines: [string, string][] = [
  [`OPENAI_API_KEY=${body}`, body],
  [`export ANTHROPIC_API_KEY="${body}"`, body],
  [`{"api_key":"${body}","model":"m"}`, body],
  [`{\\"access_token\\":\\"${body}\\"}`, body],
  [`clientSecret: '${body}'`, body],
  ['Password: correct horse battery staple', 'battery'],
  ['DB_PASS=hunter2secret', 'hunter2secret'],
  [`Authorization: Bearer ${body}`, body],
  [`"authorization": "Basic ${body}"`, body],
  [`x-api-key: ${body}`, body],
  [`Cookie: session=${body}; theme=dark`, body],
  [`Set-Cookie: id=${body}; HttpOnly`, body],
  [`https://user:p@ss${body}@registry.example/x`, body],
  [`https://${body}@git.example/x.git`, body],
  [pem, body],
  [`MIIE key -----BEGIN PRIVATE KEY-----\n${body}`, body],
  [`got ${jwt} from server`, body],
  [`key sk-ant-api03-${body}-x`, body],
  [`key sk-proj-${body}`, body],
  [`remote: ghp_${body}${body}`, body],
  [`github_pat_${body}_${body}`, body],
  [`glpat-${body}`, body],
  [`npm_${body}${body}`, body],
  [`hf_${body}`, body],
  [`gsk_${body}`, body],
  [`xai-${body}`, body],
  [`AIza${body}${body}`, body],
  [`ya29.${body}`, body],
  [`xoxb-12345678-${body}`, body],
  ['id AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI'],
  [`//registry.example/:_authToken=${body}`, body],
  [`agent --api-key ${body} --verbose`, body],
  [`curl -H "Authorization: token ${body}"`, body],
  [`sent Bearer ${body}`, body],
];

const innocentLines = [
  'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'HEAD is now at 0dcade1 Add the agent',
  '/home/ann/.config/token/secret/index.ts',
  'src/auth/token.ts:12: error TS2345',
  'secret: src/auth/secret.ts',
  'max_tokens: 4096, input tokens: 812',
  'token_count=15, tokenizer: gpt2',
  '{"usage":{"total_tokens":1200},"monkey":"banana"}',
  'the password was wrong; try again',
  'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP==',
  'ssh://git@github.com/o/r.git and git@github.com:o/r.git',
  'https://example.com/a?b=c#d, mail ann@example.com',
  'author: Ann, cookies enabled, basic authentication',
  'key: value, hotkey: ctrl+k, sk-learn, Bearer of news',
  'token: null, secret=',
  '{"api_key": null, "token": undefined}',
];

describe('redact', () => {
  for (const [line, secret] of secretLines) {
    it(`takes the secret out of: ${line.slice(0, 26).replaceAll('\n', ' ')}…`, () => {
      const result = redact(`before\n${line}`);
      ok(!result.includes(secret), result);
      ok(result.includes('[redacted]'));
      ok(result.startsWith('before\n'));
    });
  }

  for (const line of innocentLines) {
    it(`leaves alone: ${line.slice(0, 40)}`, () => equal(redact(line), line));
  }

  it('keeps what stands round a secret', () => {
    equal(redact('{"api_key":"abcdef","model":"m"}'), '{"api_key":"[redacted]","model":"m"}');
    equal(redact('A_TOKEN=abc OTHER=1'), 'A_TOKEN=[redacted] OTHER=1');
    equal(redact('get https://ann:pw@host/x now'), 'get https://[redacted]@host/x now');
    equal(redact('password: a b c\nnext line'), 'password: [redacted]\nnext line');
  });

  it('takes out given values, the longest first, and in their encoded forms', () => {
    const secret = 'pa/ss+wörd 1';
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
    equal(redact(forms.join(' | '), ['pa/s', secret]), '[redacted] | [redacted] | [redacted]');
    equal(redact(`a "quo\\"ted" b`, ['quo"ted']), 'a "[redacted]" b');
    equal(redact('see a cat', ['a', '']), 'see a cat');
  });

  it('is idempotent', () => {
    const piece = fc.oneof(
      fc.constantFrom(...secretLines.map(([line]) => line), ...innocentLines),
      fc.constantFrom(
        'token',
        '=',
        ':',
        ' ',
        '"',
        "'",
        '\n',
        '@',
        '://',
        'password',
        'Bearer ',
        '--',
        '\\',
        '[redacted]',
        ',',
        ';',
      ),
      fc.string({ maxLength: 6 }),
    );
    const secrets = fc.array(
      fc.oneof(fc.string({ minLength: 4, maxLength: 8 }), fc.constantFrom('redacted', 'token=')),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), secrets, (pieces, values) => {
        const first = redact(pieces.join(''), values);
        equal(redact(first, values), first);
      }),
      { numRuns: 1_000 },
    );
  }).timeout(10_000);

  it('takes time in proportion to the text, however it is made', () => {
    const hostile = ['a-', 'a_a:', '--token ', 'token="\\', 'eyJa.', 'x://', 'a=1 ', '-----BEGIN PRIVATE KEY', ' '].map(
      (piece) => piece.repeat(65_536 / piece.length),
    );
    for (const text of hostile) {
      const started = performance.now();
      redact(text);
      const took = performance.now() - started;
      ok(took < 2_000, `${text.slice(0, 10)} took ${took} ms`);
    }
  }).timeout(10_000);

  it('bounds what it is given', () => {
    const result = redact(`${'x'.repeat(70_000)} OPENAI_API_KEY=${body}`);
    ok(result.endsWith('\n(cut)'));
    deepStrictEqual(result.length < 70_000, true);
  });
});
