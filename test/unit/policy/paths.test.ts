import { strict as assert } from 'node:assert';
import { posix as nodePosix, win32 as nodeWin32 } from 'node:path';
import fc from 'fast-check';
import { checkPath, collapse, fold, isInside, relativeTo, utf8Length } from '../../../src/core/policy/paths.js';
import type { PathFlavour } from '../../../src/core/policy/paths.js';

const accepted = (path: unknown, flavour: PathFlavour): boolean => checkPath(path, flavour).ok;

describe('paths: what the spelling alone refuses', () => {
  const posix: [unknown, boolean][] = [
    ['/ws/a', true],
    ['/ws//a/./b', true],
    ['/ws/../etc/hosts', true],
    ['/ws/файл.txt', true],
    ['/ws/a:b', true],
    ['', false],
    [undefined, false],
    [7, false],
    ['ws/a', false],
    ['./a', false],
    ['~/a', false],
    ['file:///ws/a', false],
    ['vscode-remote://x/ws/a', false],
    ['/ws/a\0.txt', false],
    ['/ws/\ud800', false],
    [`/ws/${'n'.repeat(256)}`, false],
    [`/ws/${'ü'.repeat(128)}`, false],
    [`/${'a/'.repeat(2100)}`, false],
  ];
  for (const [path, expected] of posix) {
    it(`B138 ${expected ? 'accepts' : 'refuses'} ${JSON.stringify(path)?.slice(0, 40) ?? 'undefined'}`, () => {
      assert.equal(accepted(path, 'posix'), expected);
    });
  }

  const windows: [string, boolean][] = [
    ['C:\\repo\\a', true],
    ['c:\\REPO\\a', true],
    ['C:/repo/a', true],
    ['C:\\repo/a\\b', true],
    ['C:\\repo\\console.txt', true],
    ['C:\\repo\\com10', true],
    ['C:\\repo\\~a', true],
    ['\\\\srv\\share\\x', false],
    ['//srv/share/x', false],
    ['\\\\?\\C:\\repo\\a', false],
    ['//?/C:/repo/a', false],
    ['\\\\.\\PhysicalDrive0', false],
    ['/\\.\\pipe\\x', false],
    ['C:repo', false],
    ['C:', false],
    ['\\repo\\a', false],
    ['/c/repo/a', false],
    ['C:\\repo\\a:stream', false],
    ['C:\\repo\\a::$DATA', false],
    ['C:\\repo\\NUL', false],
    ['C:\\repo\\con.txt', false],
    ['C:\\repo\\COM1', false],
    ['C:\\repo\\com\u00b9', false],
    ['C:\\repo\\AUX .txt', false],
    ['C:\\repo\\aux\\b', false],
    ['C:\\repo\\.git.', false],
    ['C:\\repo\\.git ', false],
    ['C:\\PROGRA~1\\a', false],
    ['C:\\repo\\GIT~1\\config', false],
    ['C:\\repo\\a?', false],
    ['C:\\repo\\a|b', false],
  ];
  for (const [path, expected] of windows) {
    it(`B138 on Windows ${expected ? 'accepts' : 'refuses'} ${path}`, () => {
      assert.equal(accepted(path, 'win32'), expected);
    });
  }

  it('leaves `..` to the file system and takes empty and dot components out', () => {
    assert.deepEqual(checkPath('/ws//a/./../b/', 'posix'), {
      ok: true,
      path: '/ws/a/../b',
      components: ['ws', 'a', '..', 'b'],
    });
    assert.deepEqual(checkPath('c:/x/./y', 'win32'), { ok: true, path: 'C:\\x\\y', components: ['x', 'y'] });
  });
});

describe('paths: containment', () => {
  const rows: [PathFlavour, string, string, boolean][] = [
    ['posix', '/ws', '/ws', true],
    ['posix', '/ws', '/ws/a', true],
    ['posix', '/ws/', '/ws/a', true],
    ['posix', '/ws', '/ws-evil/x', false],
    ['posix', '/ws', '/wsx', false],
    ['posix', '/ws', '/', false],
    ['posix', '/ws/a', '/ws', false],
    ['posix', '/ws', '/WS/a', false],
    ['posix', '/ws', '/ws/../etc/hosts', false],
    ['posix', '/', '/etc', true],
    ['win32', 'C:\\repo', 'c:\\REPO\\a', true],
    ['win32', 'C:\\repo', 'C:/repo/a', true],
    ['win32', 'C:\\repo', 'D:\\evil', false],
    ['win32', 'C:\\repo', 'D:\\repo\\a', false],
    ['win32', 'C:\\repo', 'C:\\repo-evil', false],
  ];
  for (const [flavour, root, path, expected] of rows) {
    it(`B138 ${path} is ${expected ? '' : 'not '}inside ${root} (${flavour})`, () => {
      assert.equal(isInside(root, path, flavour), expected);
    });
  }

  it('collapses by text for the first test', () => {
    assert.equal(collapse('/ws/../etc/hosts', 'posix'), '/etc/hosts');
    assert.equal(collapse('/../../x', 'posix'), '/x');
    assert.equal(collapse('C:\\repo\\..\\x', 'win32'), 'C:\\x');
  });

  it('lets no path string out: what counts as inside never has a component above the root', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'ws', 'ws-evil', 'a', '.git', '...', '..\u200b', '．．'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const check = checkPath(`/${parts.join('/')}`, 'posix');
        if (!check.ok) {
          return;
        }
        const below = relativeTo('/ws', check.path, 'posix');
        if (below !== undefined) {
          assert.ok(check.path === '/ws' || check.path.startsWith('/ws/'));
          assert.ok(!below.includes('..'));
          assert.equal(collapse(check.path, 'posix'), check.path);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('lets no path string out of a root of Windows, as Node itself resolves it', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'repo', 'REPO', 'repo-evil', 'a', 'C:', 'NUL', 'x:s', '?', 'PROGRA~1', '..\u200b'),
      fc.string({ maxLength: 6 }),
    );
    const start = fc.constantFrom(
      'C:\\repo',
      'c:/Repo',
      'C:\\',
      'C:',
      'D:\\repo',
      '\\\\?\\C:\\repo',
      '//server/share',
      '/',
      '',
    );
    const parts = fc.array(fc.tuple(fc.constantFrom('\\', '/', '\\\\'), part), { maxLength: 6 });
    let inside = 0;
    fc.assert(
      fc.property(start, parts, (root, rest) => {
        const check = checkPath(root + rest.map((pair) => pair.join('')).join(''), 'win32');
        if (!check.ok) {
          return;
        }
        assert.match(check.path, /^[A-Z]:\\[^:]*$/);
        const collapsed = collapse(check.path, 'win32');
        if (isInside('C:\\repo', collapsed, 'win32')) {
          inside += 1;
          const below = nodeWin32.relative('C:\\repo', nodeWin32.resolve(check.path));
          assert.ok(!nodeWin32.isAbsolute(below) && !below.split('\\').includes('..'), `${check.path} is ${below}`);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(inside > 100);
  });

  it('what is inside after the textual test is inside for Node too', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'ws', 'ws-evil', 'a', '\\', '..\\'),
      fc.string({ maxLength: 6 }),
    );
    let inside = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const check = checkPath(`/ws/${parts.join('/')}`, 'posix');
        if (check.ok && isInside('/ws', collapse(check.path, 'posix'), 'posix')) {
          inside += 1;
          const below = nodePosix.relative('/ws', nodePosix.resolve(check.path));
          assert.ok(!below.split('/').includes('..'), `${check.path} is ${below}`);
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(inside > 100);
  });
});

describe('paths: folding', () => {
  const rows: [string, string][] = [
    ['.GIT', '.git'],
    ['.git.', '.git'],
    ['.git ', '.git'],
    ['.g\u200cit', '.git'],
    ['\uff0eenv', '.env'],
    ['.git:s', '.git'],
    ['.git::$INDEX_ALLOCATION', '.git'],
    ['ＰＡＣＫＡＧＥ.json', 'package.json'],
    ['.ENV\u{e0041}', '.env'],
    ['\u212aey', 'key'],
    ['a. . ', 'a'],
  ];
  for (const [name, expected] of rows) {
    it(`folds ${JSON.stringify(name)} to ${expected}`, () => {
      assert.equal(fold(name), expected);
    });
  }

  it('is settled after one application', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (name) => {
        assert.equal(fold(fold(name)), fold(name));
      }),
      { numRuns: 3000 },
    );
  });

  it('counts UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(utf8Length(text), Buffer.byteLength(text));
      }),
    );
  });
});
