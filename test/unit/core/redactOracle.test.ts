/** What another, well-kept search for secrets finds must be gone after redaction. The samples are put together here. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import fc from 'fast-check';
import { redact } from '../../../src/core/text/redact.js';

const preset = '@secretlint/secretlint-rule-preset-recommend';
const letters = (count: number, alphabet: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: count, maxLength: count })
    .map((list) => list.join(''));
const hex = '0123456789abcdef';
const digits = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const word = `${upper}${upper.toLowerCase()}${digits}`;
const join = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((list) => list.join(''));

/** Secrets by the rule that knows them. */
const kinds: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ['github', join('ghp', '_', letters(36, word))],
  ['github', join('github', '_pat_', letters(22, word), '_', letters(59, word))],
  ['aws', join('AWS_SECRET_ACCESS_KEY=', letters(40, word))],
  ['slack', join('xox', 'b-', letters(12, digits), '-', letters(12, digits), '-', letters(24, word))],
  [
    'slack',
    join('https://hooks.', 'slack.com/services/T', letters(8, upper), '/B', letters(8, upper), '/', letters(24, word)),
  ],
  ['npm', join('npm', '_', letters(36, word))],
  ['basicauth', join('https://ann:', letters(12, word), '@git.acme.dev/x.git')],
  [
    'privatekey',
    join(
      '-----BEGIN RSA PRIVATE',
      ' KEY-----\n',
      letters(64, word),
      '\n',
      letters(64, word),
      '\n-----END RSA PRIVATE',
      ' KEY-----',
    ),
  ],
  ['sendgrid', join('SG', '.', letters(22, word), '.', letters(43, word))],
  ['shopify', join('shp', 'at_', letters(32, hex))],
  ['openai', join('sk', '-', letters(20, word), 'T3Blb', 'kFJ', letters(20, word))],
  ['linear', join('lin', '_api_', letters(40, word))],
  [
    '1password',
    letters(43, word).map((k) => {
      const account = {
        email: `${k.slice(0, 13)}@1passwordserviceaccounts.lcl`,
        muk: { alg: 'A256GCM', k, kty: 'oct' },
      };
      const more = { secretKey: 'A3', srpX: k, signInAddress: 'acme.1password.com', userAuth: {}, throttleSecret: {} };
      return `ops_${Buffer.from(JSON.stringify({ ...account, ...more, deviceUuid: k })).toString('base64')}`;
    }),
  ],
];

/** How a secret stands in what an agent says. */
const around: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `error: bad key ${secret}, try again`,
  (secret) => JSON.stringify({ jsonrpc: '2.0', params: { text: `key is ${secret}` } }),
  (secret) => `\u001b[31m${secret}\u001b[0m`,
  (secret) => `export X='${secret}'`,
  (secret) => `curl -H 'X: ${secret}' <${secret}> (${secret})`,
];

async function found(content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { content, filePath: '/tmp/log.txt', contentType: 'text', ext: '.txt' },
    options: { config: { rules: [{ id: preset, rule: creator }] } },
  });
  return messages.map(({ ruleId }) => ruleId.replace('@secretlint/secretlint-rule-', ''));
}

describe('redact, against another search for secrets', () => {
  for (const [rule, secrets] of kinds) {
    it(`leaves nothing that the rule ${rule} finds`, async () => {
      let known = 0;
      await fc.assert(
        fc.asyncProperty(secrets, fc.constantFrom(...around), async (secret, put) => {
          const text = put(secret);
          known += (await found(text)).includes(rule) ? 1 : 0;
          deepStrictEqual(await found(redact(text)), [], redact(text));
        }),
        { numRuns: 40 },
      );
      ok(known > 10, `the rule knew ${String(known)} of 40 samples, so nothing was tested`);
    }).timeout(30_000);
  }

  it('leaves alone what only looks like one', async () => {
    const innocent = [
      'commit da39a3ee5e6b4b0d3255bfef95601890afd80709 (HEAD -> main)',
      '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
      'id 123e4567-e89b-12d3-a456-426614174000, build 20261201.4',
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
      '/home/ann/project/node_modules/@scope/some-long-package-name-v12/dist/index.js:120:7',
      'https://github.com/owner/repository/pull/12345/files#diff-da39a3ee5e6b4b0d3255bfef95601890',
      'const shopifyTokenPrefix = readTokenPrefix(configurationOfTheWholeApplication2);',
      'src/components/SG.Button.tsx linear_api_reference.md ops_everything.ts',
    ];
    for (const line of innocent) {
      deepStrictEqual(await found(line), [], line);
      equal(redact(line), line);
    }
  });
});
