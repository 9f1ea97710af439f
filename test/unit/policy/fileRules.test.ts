import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { classify, type PathClass } from '../../../src/core/policy/classify.js';
import { compileFileRules, noFileRules } from '../../../src/core/policy/fileRules.js';
import { mentions } from '../../../src/core/policy/mentions.js';
import { fold } from '../../../src/core/policy/paths.js';

const parts = (path: string): string[] => path.split('/').map(fold);

describe('patterns of files', () => {
  const rows: [string, string[], string[]][] = [
    // pattern, covered, not covered
    ['*.sql', ['a.sql', 'db/b.SQL', 'x.sql/inner'], ['a.sqlx', 'sql']],
    ['private', ['private', 'private/a', 'src/private/b'], ['privates', 'my-private']],
    ['private/', ['private/a', 'src/private/b'], ['privates']],
    ['/top', ['top', 'top/a'], ['src/top']],
    ['config/*.json', ['config/a.json'], ['config/sub/a.json', 'src/config/a.json']],
    ['config/**', ['config', 'config/a', 'config/a/b'], ['conf']],
    ['**/gen/*.ts', ['gen/a.ts', 'a/b/gen/c.ts'], ['gen/sub/a.ts']],
    ['a/**/z', ['a/z', 'a/b/c/z', 'a/z/y'], ['z', 'a']],
    ['{a,b}.{x,y}', ['a.x', 'b.y'], ['a.z', 'ab.x']],
    ['p?n', ['pan', 'PIN'], ['pn', 'paan']],
    ['*a*a*b', ['xaxaxb'], ['xaxb']],
    ['.env.ci', ['.env.ci', '.ENV.CI'], ['.env']],
  ];
  for (const [pattern, covered, free] of rows) {
    it(`${pattern} covers ${covered.join(', ')} and not ${free.join(', ')}`, () => {
      const { rules, complaints } = compileFileRules([pattern], []);
      assert.deepEqual(complaints, []);
      covered.forEach((path) => assert.ok(rules.denies(parts(path)), path));
      free.forEach((path) => assert.ok(!rules.denies(parts(path)), path));
    });
  }

  it('leaves out what cannot be used, says so, and keeps the rest', () => {
    const { rules, complaints } = compileFileRules(
      ['ok', 7, '{a', 'a}', '{a,{b}}', 'x'.repeat(400), '{1,2,3,4,5,6,7,8}{1,2,3,4,5,6,7,8}{1,2}'],
      'text',
    );
    assert.equal(complaints.length, 7);
    assert.ok(rules.denies(['ok']) && !rules.denies(['a']) && !rules.allows(['text']));
    assert.deepEqual(compileFileRules(undefined, null).complaints, []);
    const many = compileFileRules(
      Array.from({ length: 300 }, (_, i) => `f${String(i)}`),
      [],
    );
    assert.deepEqual(
      [many.rules.denies(['f199']), many.rules.denies(['f200']), many.complaints.length],
      [true, false, 1],
    );
  });

  it('tries no more patterns than it can afford for every path', () => {
    const list = Array.from({ length: 200 }, (_, i) => `{a,b,c,d,e,f,g,h}${String(i)}{1,2,3,4,5,6,7,8}`);
    const { rules, complaints } = compileFileRules(list, []);
    assert.deepEqual([rules.denies(['a01']), rules.denies(['a1991']), complaints.length], [true, false, 1]);
    const started = performance.now();
    for (let i = 0; i < 100; i++) {
      rules.denies(Array.from({ length: 16 }, () => 'x'.repeat(200)));
    }
    assert.ok(performance.now() - started < 5_000);
  });

  it('takes time in proportion to what it is given', () => {
    const { rules } = compileFileRules([`${'*a'.repeat(140)}b`, `${'**/a/'.repeat(50)}z`], []);
    const started = performance.now();
    for (let i = 0; i < 200; i++) {
      rules.denies(Array.from({ length: 16 }, () => 'a'.repeat(255)));
    }
    assert.ok(performance.now() - started < 5_000);
  });

  const rank: Record<PathClass, number> = { ok: 0, sensitive: 1, secret: 2, git: 3, denied: 4 };
  const judge = (path: string, deny: unknown, allow: unknown): PathClass =>
    classify([{ components: ['w', ...path.split('/')], rootDepth: 1 }], compileFileRules(deny, allow).rules).klass;

  it('frees a secret by name, and neither Git nor a sensitive file, and never over a denial', () => {
    assert.equal(judge('cfg/prod.env', [], []), 'secret');
    assert.equal(judge('cfg/prod.env', [], ['prod.env']), 'ok');
    assert.equal(judge('cfg/prod.env', ['cfg'], ['prod.env']), 'denied');
    assert.equal(judge('.git/config', [], ['**', '.git']), 'git');
    assert.equal(judge('.vscode/tasks.json', [], ['**']), 'sensitive');
    assert.equal(judge('a.ts', [], ['a.ts']), 'ok');
  });

  it('a pattern that denies never widens, whatever else is set', () => {
    const name = fc.constantFrom('a.ts', '.env', '.git', 'src', 'package.json', 'x.pem', 'b');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((list) => list.join('/'));
    const pattern = fc.oneof(
      path,
      fc.constantFrom('*', '**', '*.ts', '{a,b}*', 'src/**'),
      fc.string({ maxLength: 12 }),
    );
    const list = fc.array(pattern, { maxLength: 4 });
    fc.assert(
      fc.property(path, list, list, pattern, (file, deny, allow, added) => {
        assert.ok(rank[judge(file, [...deny, added], allow)] >= rank[judge(file, deny, allow)]);
        const plain = classify([{ components: ['w', ...file.split('/')], rootDepth: 1 }], noFileRules).klass;
        assert.ok(plain === 'secret' || rank[judge(file, deny, allow)] >= rank[plain]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what a prompt names', () => {
  const rows: [string, string, boolean][] = [
    ['show me .env', '.env', true],
    ['read `.env`, please', '.env', true],
    ['Is .env. complete?', '.env', true],
    ['see @config/.env and go on', '.env', true],
    ['see config\\prod.env', 'config/prod.env', true],
    ['"server.key"', 'server.key', true],
    ['.env', '.env', true],
    ['what is .env.example for', '.env', false],
    ['my.env is here', '.env', false],
    ['the .environment', '.env', false],
    ['.env/x', '.env', false],
    ['nothing of that kind', '.env', false],
    ['id_rsa_old and old_id_rsa', 'id_rsa', false],
    ['', '.env', false],
    ['anything', '', false],
  ];
  for (const [text, name, expected] of rows) {
    it(`${JSON.stringify(text)} ${expected ? 'names' : 'does not name'} ${JSON.stringify(name)}`, () =>
      assert.equal(mentions(text, [name]), expected));
  }
});
