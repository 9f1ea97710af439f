import type { Edit } from './project.js';

const FENCE = '```';

/** The answer before the edit. It has no heading on purpose: most answers of agents have none. */
export function explanation(read: string | undefined): string {
  const seen = read ?? 'I found no file that I know in this folder, so I start with an empty page.';
  return `Hello! ${seen} This is how I work:

- I **show** each change before I make it
- you allow it or you refuse it, and I go on either way
- you can press *Stop* at any time; type \`/help\` to see what else I show

Code looks like this:

${FENCE}ts
export function greet(name: string): string {
  const hour = new Date().getHours();
  return hour < 12 ? \`Good morning, \${name}\` : \`Hello, \${name}\`;
}
${FENCE}

`;
}

/** What would be changed, as a fenced diff of the lines that the edit adds. */
export function shownAsDiff({ name, oldText, newText }: Edit): string {
  const before = oldText ?? '';
  const added = newText.startsWith(before) ? newText.slice(before.length) : newText;
  const lines = added
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `+${line}`);
  return `This is what I would add to \`${name}\`:\n\n${FENCE}diff\n${lines.join('\n')}\n${FENCE}\n\n`;
}

/** The last words of a turn. */
export const SUMMARY = 'That was the whole tour. Ask for anything, or type `/help`.\n';

/** A thought that is long enough to scroll. */
export const LONG_THOUGHT = Array.from(
  { length: 12 },
  (_unused, index) =>
    `Step ${index + 1}. I compare two ways to go. The first is short but hides a case; the second is plain and a ` +
    'little longer. I weigh them, find nothing against the second, and keep it.\n\n',
).join('');

/** About 35,000 characters of Markdown. */
export const LONG_ANSWER = Array.from(
  { length: 110 },
  (_unused, index) => `### Part ${index + 1}

A paragraph of part ${index + 1} with **strong words**, *quiet words* and \`code\`. It goes on for a while, so that you can
scroll up and read while more text arrives.

${
  index % 5 === 4
    ? `${FENCE}ts\nexport const part${index + 1} = { number: ${index + 1}, even: ${index % 2 === 1} };\n${FENCE}`
    : `- a point about part ${index + 1}\n- and another one`
}

`,
).join('');

/** Every feature of Markdown that agents use, and some that should stay inert. */
export const MARKDOWN = `# Heading 1

## Heading 2

### Heading 3

A paragraph with **bold**, *italic*, ***both***, ~~struck~~, \`inline code\`, a [link](https://example.com "Example"),
a bare address https://example.com/path and an escaped \\*star\\*.
A line with a hard break at its end\\
and the next line. Other scripts: 中文, العربية, 🙂, naïve.

1. First
2. Second
   - nested point
   - another one
     1. deeper
3. Third

- [x] done
- [ ] to do

> A quote with \`code\`.
>
> > And one inside it.

| left | centre | right |
|:-----|:------:|------:|
| a | b | 1 |
| \`code\` | **bold** | 22 |

---

${FENCE}ts
// TypeScript
const squares: readonly number[] = [1, 2, 3].map((n) => n * n);
${FENCE}

${FENCE}json
{ "name": "demo", "list": [1, true, null] }
${FENCE}

${FENCE}diff
-old line
+new line
${FENCE}

${FENCE}python
def greet(name: str) -> str:
    return f"Hello, {name}"
${FENCE}

${FENCE}
no language, and a very long line that does not wrap: ${'0123456789 '.repeat(20)}
${FENCE}

    an indented code block

An image is not loaded: ![a picture](https://example.com/picture.png)

HTML stays text: <b>bold</b> <img src=x onerror=alert(1)> <!-- comment -->

This link does nothing: [click](javascript:alert(1))
`;
