/**
 * Nothing is kept on the server: the script travels in the user's prompt, so that any agent can be driven by text.
 *
 *   [[mock:NAME key=value key="value with blanks"]]   one of the scenarios below
 *   [[mock:{"steps":[STEP, STEP, …]}]]                steps as JSON
 *
 * The last user text with a directive decides. Which step is due is read from the conversation: the ids of the mock
 * model's own calls carry their step.
 */
import type { Item, Step } from './types.js';

const MARKDOWN = `Here is **streamed markdown**:

1. first
2. second

\`\`\`js
function add(a, b) {
  return a + b; // <b>not html</b>
}
\`\`\`

Unicode: \u00e9 \u4f60\u597d \ud83d\ude80 and \`inline\`.`;

type Values = Readonly<Record<string, string | undefined>>;

const number = (value: string | undefined, fallback: number): number =>
  value !== undefined && Number.isFinite(Number(value)) ? Number(value) : fallback;

const scenarios: Readonly<Record<string, (values: Values) => readonly Step[]>> = {
  text: () => [{ text: HELLO }],
  markdown: () => [{ text: MARKDOWN, chunk: 7, delay: 3 }],
  thought: () => [{ thought: 'Let me think about it. Two and two is four.', text: 'The answer is 4.', chunk: 6 }],
  long: ({ n, delay }) => [
    { text: `${'line of text number N, '.repeat(4)}\n`.repeat(number(n, 200)), chunk: 40, delay: number(delay, 0) },
  ],
  slow: ({ n, delay }) => [{ text: 'tick '.repeat(number(n, 200)), chunk: 5, delay: number(delay, 100) }],
  hang: () => [{ text: 'I start and never end ', chunk: 8, hang: true }],
  drop: () => [{ text: 'I start and the socket drops ', chunk: 8, delay: 30, drop: true }],
  read: ({ path }) => [{ text: 'Reading the file.', do: 'read', path }, { text: 'I have read it.' }],
  write: ({ path, content }) => [
    { text: 'Writing the file.', do: 'write', path, content: content ?? 'written by the agent\n' },
    { text: 'I wrote it.' },
  ],
  edit: ({ path, old, new: replacement }) => [
    { do: 'read', path },
    { text: 'Editing the file.', do: 'edit', path, old, new: replacement },
    { text: 'I edited it.' },
  ],
  shell: ({ command }) => [
    { text: 'Running a command.', do: 'shell', command: command ?? 'echo hello-from-shell' },
    { text: 'The command is done.' },
  ],
  plan: () => [
    { text: 'Planning.', do: 'plan', items: plan('in_progress', 'pending', 'pending') },
    { do: 'plan', items: plan('completed', 'in_progress', 'pending') },
    { text: 'That was the plan.' },
  ],
  parallel: ({ path }) => [
    {
      text: 'Two at once.',
      parallel: [
        { do: 'read', path },
        { do: 'shell', command: 'echo parallel' },
      ],
    },
    { text: 'Both done.' },
  ],
  error: ({ status, message }) => [{ status: number(status, 500), message: message ?? 'mock error' }],
  length: () => [{ text: 'I ran out of tok', stop: 'length' }],
  refusal: () => [{ text: 'I cannot help with that.', stop: 'refusal' }],
};

/** The answer to a prompt without a directive. */
export const HELLO = 'Hello from the mock model.';

const OPENING = '[[mock:';

function plan(...statuses: readonly [string, string, string]): NonNullable<Step['items']> {
  return [
    ['Look at the code', statuses[0]],
    ['Change it', statuses[1]],
    ['Test it', statuses[2]],
  ];
}

/** The script that is in force and the number of the step that is due; no steps where no user text has a directive. */
export function dueStep(items: readonly Item[]): { readonly steps?: readonly Step[]; readonly step: number } {
  const at = items.findLastIndex((item) => 'user' in item && item.user.includes(OPENING));
  const found = items[at];
  let step = 0;
  for (const item of items.slice(at + 1)) {
    if ('callIds' in item) {
      step = Math.max(step, ...item.callIds.map((id) => stepOfCall(id) + 1));
    } else if ('callTurn' in item) {
      step++;
    }
  }
  return { step, ...(found !== undefined && 'user' in found ? { steps: parseDirective(found.user) } : {}) };
}

/** The id of a call, from which its step can be read back. */
export function callId(step: number, index: number, seed: string): string {
  return `call_mk${step}x${index}_${seed}`;
}

function stepOfCall(id: string): number {
  return Number(/mk(\d+)x/.exec(id)?.[1] ?? -1);
}

/** The steps of the last directive in a text. A directive that cannot be read answers with a text that says so. */
export function parseDirective(text: string): readonly Step[] {
  const body = text.slice(text.lastIndexOf(OPENING) + OPENING.length);
  if (body.trimStart().startsWith('{')) {
    return parseSteps(body);
  }
  const end = body.indexOf(']]');
  const [, name = '', rest = ''] = /^\s*([\w-]+)\s*([\s\S]*)$/.exec(end < 0 ? body : body.slice(0, end)) ?? [];
  const values: Record<string, string> = {};
  for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\S+)/g)) {
    values[key] = value.startsWith('"') ? (JSON.parse(value) as string) : value;
  }
  return scenarios[name]?.(values) ?? [{ text: `mock: no scenario ${name}` }];
}

/** A `]]` may stand inside a string, so that the first one need not be the end. */
function parseSteps(body: string): readonly Step[] {
  for (let end = body.indexOf(']]'); end >= 0; end = body.indexOf(']]', end + 1)) {
    try {
      return (JSON.parse(body.slice(0, end)) as { steps: readonly Step[] }).steps;
    } catch {
      // Look further.
    }
  }
  return [{ text: 'mock: unreadable directive' }];
}
