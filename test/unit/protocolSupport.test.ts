/** docs/protocol-support.md against the SDK, the tests it names and the source. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS } from '@agentclientprotocol/sdk/unstable';

type Row = { readonly name: string; readonly support: string; readonly test: string };
type Schema = {
  readonly $defs: {
    readonly SessionUpdate: { readonly oneOf?: readonly Variant[]; readonly anyOf?: readonly Variant[] };
  };
};
type Variant = { readonly properties?: { readonly sessionUpdate?: { readonly const?: string } } };

const page = readFileSync('docs/protocol-support.md', 'utf8');

/** The rows of one table of the page: its first, second and last column. */
function rowsOf(heading: string): readonly Row[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return section.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, name = '', support = ''] = cells;
    return /^`.+`$/.test(name) && support !== 'support'
      ? [{ name: name.slice(1, -1), support, test: (cells.at(-2) ?? '').slice(1, -1) }]
      : [];
  });
}

function sourceOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

const methods = rowsOf('Methods');
const updates = rowsOf('Updates');

describe('docs/protocol-support.md', () => {
  it('has a row for each method of the SDK, and no other', () => {
    const known = [AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS].flatMap((table) => Object.values(table));
    assert.ok(known.length > 30, 'the SDK lists its methods');
    assert.deepEqual(methods.map(({ name }) => name).sort(), [...new Set<string>(known)].sort());
  });

  it('has a row for each kind of update of the SDK’s schemas, and no other', () => {
    const known = ['schema.json', 'schema.unstable.json'].flatMap((file) => {
      const text = readFileSync(`node_modules/@agentclientprotocol/sdk/schema/v1/${file}`, 'utf8');
      const { oneOf, anyOf } = (JSON.parse(text) as Schema).$defs.SessionUpdate;
      return (oneOf ?? anyOf ?? []).flatMap(({ properties }) => properties?.sessionUpdate?.const ?? []);
    });
    assert.ok(known.length > 15, 'the schemas list the updates');
    assert.deepEqual(updates.map(({ name }) => name).sort(), [...new Set(known)].sort());
  });

  it('says of each method what the source does with it', () => {
    // Those of the SDK's own side stand there by its names for them.
    const bySdk: Readonly<Record<string, string>> = {
      'session/request_permission': 'sdk.methods.client.session.requestPermission',
      '$/cancel_request': 'cancellationSignal',
    };
    const source = sourceOf('src/agent');
    for (const { name, support } of methods) {
      assert.match(support, /^(called|served|no)$/, name);
      const own = name.includes('/') ? `'${name}'` : `request('${name}'`;
      const isUsed = source.includes(bySdk[name] ?? own);
      assert.equal(isUsed, support !== 'no', `${name} is marked “${support}”`);
    }
  });

  it('says of each update whether it is read', () => {
    const source = readFileSync('src/core/transcript/normalize.ts', 'utf8');
    for (const { name, support } of updates) {
      assert.match(support, /^(read|no)$/, name);
      assert.equal(source.includes(`case '${name}':`), support === 'read', `${name} is marked “${support}”`);
    }
  });

  for (const { name, test } of [...methods, ...updates]) {
    it(`names a test of ${name} that is there`, () => {
      const [, file = '', words = ''] = /^([\w/]+): (.+)$/.exec(test) ?? [];
      assert.ok(readFileSync(`test/${file}.test.ts`, 'utf8').includes(words), `${test} is not in the tests`);
    });
  }
});
