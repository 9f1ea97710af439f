import { strict as assert } from 'node:assert';
import { open, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { limits } from '../../../src/core/text/limits.js';
import { fit, lineEndsOf, readText, windowOf } from '../../../src/agent/files/textFile.js';
import { makeHarness, makeTree, reasonOf, wordsOf } from './tree.js';
import type { Harness, Tree } from './tree.js';

describe('files: text and windows', () => {
  let tree: Tree;
  let h: Harness;
  beforeEach(async () => {
    tree = await makeTree();
    h = makeHarness([tree.ws]);
  });
  afterEach(() => tree.dispose());

  const windows: [number | undefined, number | undefined, string][] = [
    [1, 1, 'l1\n'],
    [2, 1, 'l2\n'],
    [2, undefined, 'l2\nl3\n'],
    [undefined, 2, 'l1\nl2\n'],
    [3, 10, 'l3\n'],
    [4, 1, ''],
    [99, 1, ''],
    [1, 0, ''],
    [0, 1, 'l1\n'],
    [undefined, undefined, 'l1\nl2\nl3\n'],
  ];
  for (const [line, limit, expected] of windows) {
    it(`B84 line ${line ?? '-'} limit ${limit ?? '-'} gives ${JSON.stringify(expected)}, from disk and from the editor`, async () => {
      const path = await tree.write('ws/f', 'l1\nl2\nl3\n');
      assert.equal(await h.read(path, line, limit), expected);
      h.editor.documents.set(path, { text: 'l1\nl2\nl3\n', dirty: true });
      assert.equal(await h.read(path, line, limit), expected);
    });
  }

  it('B84 a last line without an end, an empty file, and numbers that are none', async () => {
    const path = await tree.write('ws/f', 'l1\nl2');
    assert.equal(await h.read(path, 2, 1), 'l2');
    assert.equal(await h.read(path, null, null), 'l1\nl2');
    assert.equal(await h.read(path, 3, 1), '');
    assert.equal(await h.read(await tree.write('ws/e', ''), 1, 1), '');
    for (const bad of [-1, 1.5, NaN, '1' as unknown as number]) {
      assert.equal(await reasonOf(h.read(path, bad, 1)), 'badParams');
      assert.equal(await reasonOf(h.read(path, 1, bad)), 'badParams');
    }
  });

  it('B84 the window of a file is the window of its text, whatever the chunks', async () => {
    const long = limits.readChunk - 3;
    const lines = [
      `${'a'.repeat(long)}\n`,
      'ü\r\n',
      '\n',
      `${'é'.repeat(long / 2)}\n`,
      'x\n',
      `${'z'.repeat(2 * long)}\n`,
      'end',
    ];
    const text = lines.join('');
    const path = await tree.write('ws/f', text);
    await fc.assert(
      fc.asyncProperty(fc.nat(9), fc.option(fc.nat(9), { nil: undefined }), async (line, limit) => {
        const from = Math.max(line, 1) - 1;
        const expected = lines.slice(from, limit === undefined ? undefined : from + limit).join('');
        assert.equal(await h.read(path, line, limit), expected);
        assert.equal(windowOf(text, limit === undefined ? { line } : { line, limit }), expected);
        h.service.startTurn();
      }),
      { numRuns: 60 },
    );
  });

  it('3.4 refuses a file over the cap before reading it and says how to go on', async () => {
    const path = await tree.write('ws/f', 'line\n'.repeat(limits.readBytes / 5 + 1));
    assert.equal(await reasonOf(h.read(path)), 'tooLarge');
    assert.match(await wordsOf(h.read(path)), /"line" and "limit"/);
    assert.equal(await h.read(path, 1_000_000, 1), 'line\n');
    assert.equal(await reasonOf(h.read(path, 1)), 'tooLarge');
    const oneLine = await tree.write('ws/g', `${'x'.repeat(limits.readBytes + 1)}\nend\n`);
    assert.equal(await reasonOf(h.read(oneLine, 1, 1)), 'tooLarge');
    assert.equal(await h.read(oneLine, 2, 1), 'end\n');
    const full = await tree.write('ws/full', 'x'.repeat(limits.readBytes));
    assert.equal((await h.read(full)).length, limits.readBytes);
    h.editor.documents.set(full, { text: 'x'.repeat(limits.readBytes + 1), dirty: true });
    assert.equal(await reasonOf(h.read(full)), 'tooLarge');
  });

  it('B89 keeps the byte order mark and CRLF, whichever line ends the agent sends', async () => {
    const path = await tree.write('ws/f', '\ufeffa\r\nb\r\n');
    for (const content of ['a\r\nc\r\n', 'a\nc\n', '\ufeffa\nc\n']) {
      await tree.write('ws/f', '\ufeffa\r\nb\r\n');
      assert.equal(await h.read(path), 'a\r\nb\r\n');
      await h.write(path, content);
      assert.equal((await readFile(path)).toString('hex'), 'efbbbf' + Buffer.from('a\r\nc\r\n').toString('hex'));
    }
    assert.deepEqual(
      h.asked[0]?.diff?.lines.map((line) => line.sign),
      [' ', '-', '+'],
    );
  });

  it('B89 keeps LF, leaves mixed line ends as sent, and a new file byte for byte', async () => {
    const rows: [string | null, string, string][] = [
      ['a\nb\n', 'a\r\nc\r\n', 'a\nc\n'],
      ['a\r\nb\nc\n', 'a\nb\r\nc\nd', 'a\nb\r\nc\nd'],
      ['one line', 'a\r\nb', 'a\r\nb'],
      [null, 'a\r\nb\n', 'a\r\nb\n'],
      [null, '\ufeffa\r\n', '\ufeffa\r\n'],
      [null, '', ''],
    ];
    for (const [index, [before, content, after]] of rows.entries()) {
      const path = before === null ? tree.at('ws', `n${index}`) : await tree.write(`ws/n${index}`, before);
      await h.write(path, content);
      assert.deepEqual(await readFile(path), Buffer.from(after), JSON.stringify([before, content]));
    }
  });

  it('B89 reads the mark nowhere and writing what was read changes no byte', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'ü', '\n', '\r\n', '😀', ''), { maxLength: 12 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (body, bom) => {
        const bytes = Buffer.from(`${bom ? '\ufeff' : ''}${body}`);
        const path = await tree.write('ws/p', bytes);
        const seen = await h.read(path);
        assert.equal(seen, body);
        await h.write(path, seen);
        assert.deepEqual(await readFile(path), bytes);
        await h.write(path, `${seen}x`);
        assert.deepEqual(await readFile(path), Buffer.concat([bytes, Buffer.from('x')]));
        h.service.startTurn();
      }),
      { numRuns: 100 },
    );
  });

  it('3.4 stops at the cap where a file grows while it is read, or has more than its size says', async () => {
    const path = await tree.write('ws/grows', Buffer.alloc(limits.readBytes + 10, 'x'));
    const handle = await open(path);
    try {
      for (const size of [0, 10, limits.readBytes]) {
        assert.equal(await reasonOf(readText(handle, size, {})), 'tooLarge');
        assert.equal(await readText(handle, size, { limit: 1 }).catch(() => 'too large'), 'too large');
      }
    } finally {
      await handle.close();
    }
  });

  it('fits once and then stays', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('lf' as const, 'crlf' as const), (content, lineEnds) => {
        const once = fit(content, { bom: false, lineEnds });
        assert.equal(fit(once, { bom: false, lineEnds }), once.startsWith('\ufeff') ? once.slice(1) : once);
        assert.ok(['none', lineEnds].includes(lineEndsOf(once)));
      }),
    );
  });

  it('B91 3.4 refuses what is not UTF-8, says where, and leaves its bytes alone', async () => {
    const latin = await tree.write('ws/latin', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
    assert.equal(await reasonOf(h.read(latin)), 'notUtf8');
    assert.match(await wordsOf(h.read(latin)), /byte 3 /);
    assert.equal(await reasonOf(h.write(latin, 'cafe\n')), 'notUtf8');
    assert.equal((await readFile(latin)).toString('hex'), '636166e90a');
    const utf16 = await tree.write('ws/u16', Buffer.from('\ufeffa\n', 'utf16le'));
    assert.equal(await reasonOf(h.read(utf16)), 'notUtf8');
    assert.equal(await reasonOf(h.write(utf16, 'b\n')), 'notUtf8');
    assert.equal((await readFile(utf16)).length, 6);
  });

  it('B91 an open document is read where the editor knows the encoding', async () => {
    const latin = await tree.write('ws/latin', Buffer.from([0xa9, 0x0a]));
    h.editor.documents.set(latin, { text: '©\n', dirty: false });
    assert.equal(await h.read(latin), '©\n');
  });
});
