import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VNode } from 'preact';
import { MarkdownPainter } from '../../../src/webview/markdown/painter.js';
import { MarkdownDocument } from '../../../src/webview/markdown/document.js';
import { show } from './vnodes.js';

const still = (): number => 0;

function step(painter: MarkdownPainter, text: string, open: boolean): readonly VNode[] {
  const { parts, done } = painter.paint(text, open, Infinity, still);
  assert.equal(done, true);
  return parts;
}

function paint(painter: MarkdownPainter, text: string, open: boolean): string {
  return step(painter, text, open).map(show).join('');
}

/** A small generator with a seed, so that a failure can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

describe('Markdown that streams', () => {
  const root = join(import.meta.dirname, '../../..');
  const modules = join(root, 'node_modules');
  const files = readdirSync(modules)
    .sort()
    .map((name) => join(modules, name, 'README.md'))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => text.length > 1_000 && text.length < 15_000)
    .slice(0, 60);

  it('draws the same after appends at any cut as all at once, for real documents', () => {
    assert.ok(files.length >= 50, `only ${files.length} documents`);
    files.forEach(({ file, text }, i) => {
      const next = random(i + 1);
      const painter = new MarkdownPainter();
      for (let end = 1 + next(200); end < text.length; end += 1 + next(400)) {
        const parts = step(painter, text.slice(0, end), true);
        if (next(20) === 0) {
          assert.equal(
            parts.map(show).join(''),
            paint(new MarkdownPainter(), text.slice(0, end), true),
            `${file} at ${end}`,
          );
        }
      }
      assert.equal(paint(painter, text, false), paint(new MarkdownPainter(), text, false), file);
    });
  }).timeout(60_000);

  it('keeps the identity of blocks that are finished', () => {
    const document = new MarkdownDocument();
    const paragraph = `${'word '.repeat(60)}\n\n`;
    document.update(paragraph.repeat(10));
    document.advance(Infinity, still);
    const before = document.blocks.slice(0, 9);
    document.update(`${paragraph.repeat(10)}and more`);
    document.advance(Infinity, still);
    const kept = before.filter((block, i) => document.blocks[i] === block);
    assert.ok(kept.length >= 8, `${kept.length} of 9 were kept`);
  });

  it('starts over when the text is not an append', () => {
    const painter = new MarkdownPainter();
    paint(painter, 'one two three', true);
    assert.equal(paint(painter, 'four', true), '<p>four</p>');
  });

  it('stops at a deadline and goes on from there', () => {
    const document = new MarkdownDocument();
    document.update('a paragraph\n\n'.repeat(100));
    let time = 0;
    let steps = 0;
    while (!document.advance(time + 3, () => time++)) {
      steps++;
    }
    assert.ok(steps > 5, `${steps} steps`);
    assert.equal(document.blocks.length, 100);
  });

  it('parses a slow text only part of the time', () => {
    const document = new MarkdownDocument();
    let time = 0;
    document.update('a paragraph\n\n'.repeat(10));
    assert.equal(
      document.advance(Infinity, () => (time += 10)),
      true,
    );
    document.update('a paragraph\n\n'.repeat(11));
    assert.equal(
      document.advance(Infinity, () => time),
      false,
    );
    time += 10_000;
    assert.equal(
      document.advance(Infinity, () => time),
      true,
    );
  });

  it('joins a CRLF whose halves come apart', () => {
    const painter = new MarkdownPainter();
    paint(painter, '| a | b |\r', true);
    paint(painter, '| a | b |\r\n|--|--|\r', true);
    assert.equal(
      paint(painter, '| a | b |\r\n|--|--|\r\n| 1 | 2 |\r\n', true),
      paint(new MarkdownPainter(), '| a | b |\n|--|--|\n| 1 | 2 |\n', true),
    );
  });

  it('B115 a fence is one code block from its first line on, with the text as it is', () => {
    const code = "const a = '$1 <b>x</b> \\(y\\)';";
    const text = `Here:\n\`\`\`ts\n${code}\n`;
    const painter = new MarkdownPainter();
    for (let end = 1; end <= text.length; end++) {
      const drawn = paint(painter, text.slice(0, end), true);
      if (end >= 'Here:\n```ts\nc'.length) {
        const soFar = text.slice('Here:\n```ts\n'.length, end).replace(/\n$/, '');
        assert.match(drawn, /<p>Here:<\/p><code-block/);
        assert.ok(drawn.includes(` text=${JSON.stringify(soFar)}`), drawn);
      }
    }
    assert.ok(paint(painter, text, false).includes(` text=${JSON.stringify(code)} finished=true`));
  });

  it('a definition that comes later makes earlier references links', () => {
    const painter = new MarkdownPainter();
    const text = `See [the docs].\n\n${'More text here. '.repeat(20)}\n\n`;
    assert.match(paint(painter, text, true), /See \[the docs\]\./);
    assert.match(
      paint(painter, `${text}[the docs]: https://example.com/x\n`, true),
      /<a href="https:\/\/example.com\/x">the docs<\/a>/,
    );
  });
});
