import assert from 'node:assert/strict';
import { MarkdownPainter } from '../../../src/webview/markdown/painter.js';
import { decodeEntity } from '../../../src/webview/markdown/entities.js';
import { bareTarget, destination, imageTarget, linkTarget } from '../../../src/webview/markdown/urls.js';
import { show } from './vnodes.js';

function draw(text: string): string {
  const { parts } = new MarkdownPainter().paint(text, false, Infinity, () => 0);
  return parts.map(show).join('');
}

const png = 'data:image/png;base64,iVBORw0KGgo=';

describe('Markdown by hand', () => {
  const cases: readonly (readonly [name: string, text: string, drawn: string])[] = [
    ['marks are not text', '**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code></p>'],
    ['a heading without its marks', '## Title ##', '<h4>Title</h4>'],
    ['a heading that is underlined', 'Title\n=====', '<h3>Title</h3>'],
    ['a soft break in a quote', '> one\n> two', '<blockquote><p>one\n two</p></blockquote>'],
    ['hard breaks', 'a  \nb\\\nc', '<p>a<br></br>b<br></br>c</p>'],
    ['CRLF', 'a  \r\nb\r\n\r\nc', '<p>a<br></br>b</p><p>c</p>'],
    ['known and unknown entities', '&amp; &hellip; &nosuch; &#65; &#x42;', '<p>&amp; … &amp;nosuch; A B</p>'],
    ['escapes', '\\*not\\* \\&amp;', '<p>*not* &amp;amp;</p>'],
    ['a link', '[t](https://e.com "T")', '<p><a href="https://e.com/" title="T">t</a></p>'],
    ['a link in angle brackets', '[t](<https://e.com/a b>)', '<p><a href="https://e.com/a%20b">t</a></p>'],
    ['an undefined reference', '[a] [b][c] [d][]', '<p>[a] [b][c] [d][]</p>'],
    ['a defined one, in another case', '[A b]\n\n[a  B]: https://e.com', '<p><a href="https://e.com/">A b</a></p>'],
    ['a footnote keeps its note', 'x[^1]\n\n[^1]: note', '<p>x[^1]</p><p>[^1]: note</p>'],
    [
      'autolinks',
      '<https://e.com> www.e.com a@b.co',
      '<p><a href="https://e.com/">https://e.com</a> <a href="https://www.e.com/">www.e.com</a> <a href="mailto:a@b.co">a@b.co</a></p>',
    ],
    ['a path is a label', '[f.ts](src/f.ts#L3)', '<p><span class="ref" title="src/f.ts#L3">f.ts</span></p>'],
    ['another scheme is text', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['so is plain http', '[a](http://e.com)', '<p>[a](http://e.com)</p>'],
    ['an escaped scheme', '[a](java&#115;cript:alert(1))', '<p>[a](java&amp;#115;cript:alert(1))</p>'],
    [
      'an image of the network',
      '![p](https://t.example/p.png)',
      '<p><a href="https://t.example/p.png">p (t.example)</a></p>',
    ],
    ['an image of its own bytes', `![p](${png})`, `<p><img src=${JSON.stringify(png)} alt="p"></img></p>`],
    ['an SVG is text', '![p](data:image/svg+xml;base64,AAAA)', '<p>![p](data:image/svg+xml;base64,AAAA)</p>'],
    ['HTML is text', '<b>x</b>\n\n<div>\ny\n</div>', '<p>&lt;b>x&lt;/b></p><p class="raw">&lt;div>\ny\n&lt;/div></p>'],
    ['a comment is text', 'a <!-- b --> c', '<p>a &lt;!-- b --> c</p>'],
    ['a tight list', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['a loose list', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['a list from 3', '3. a\n4. b', '<ol start=3><li>a</li><li>b</li></ol>'],
    [
      'a task list',
      '- [x] a',
      '<ul><li class="task"><input type="checkbox" disabled=true checked=true aria-label="Done"></input> a</li></ul>',
    ],
    [
      'code in a quote and a list',
      '> ```js\n> a\n>  b\n> ```\n\n- x\n\n      c',
      '<blockquote><code-block language="js" text="a\\n b" finished=true></code-block></blockquote><ul><li><p>x</p><code-block language="" text="c" finished=true></code-block></li></ul>',
    ],
    ['inline code over two lines', '`` a ` b\nc ``', '<p><code>a ` b c</code></p>'],
    [
      'a table',
      '| a | b |\n|:-:|--:|\n| `x\\|y` | |\n|| z | extra |',
      '<table><thead><tr><th class="center">a</th><th class="right">b</th></tr></thead><tbody><tr><td class="center"><code>x|y</code></td><td class="right"></td></tr><tr><td class="center"></td><td class="right">z</td></tr></tbody></table>',
    ],
    ['a rule', 'a\n\n---', '<p>a</p><hr></hr>'],
  ];
  for (const [name, text, drawn] of cases) {
    it(name, () => assert.equal(draw(text), drawn));
  }

  it('only https and mailto open', () => {
    for (const url of [
      'javascript:x',
      'JAVA\nSCRIPT:x',
      '\u0001javascript:x',
      'vbscript:x',
      'command:a.b',
      'file:///etc',
      'vscode:x',
      'http://e.com',
      '//e.com/x',
      'data:text/html,x',
      'blob:https://e.com/1',
    ]) {
      assert.equal(linkTarget(destination(url)).kind, 'refused', url);
      assert.notEqual(imageTarget(destination(url)).kind, 'image', url);
    }
    assert.deepEqual(linkTarget('https://e.com/x'), { kind: 'open', href: 'https://e.com/x', host: 'e.com' });
    assert.deepEqual(bareTarget('a@b.co'), { kind: 'open', href: 'mailto:a@b.co', host: 'a@b.co' });
  });

  it('entities outside Unicode become the replacement character', () => {
    assert.equal(decodeEntity('&#0;'), '\ufffd');
    assert.equal(decodeEntity('&#xD800;'), '\ufffd');
    assert.equal(decodeEntity('&#9999999;'), '\ufffd');
    assert.equal(decodeEntity('&constructor;'), '&constructor;');
  });
});
