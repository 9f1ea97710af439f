/** What the previewed states are made of: a panel and events, with times that count up. */
import type { PanelState } from '../../../src/core/messages.js';
import { diffView } from '../../../src/core/text/diffView.js';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import type { Approval, Notice, ToolContent, ToolKind } from '../../../src/core/transcript/model.js';

/** Times in the events are relative; the page's clock is near this. */
const base = Date.now() - 42_000;
let clock = 0;
export const at = (ms = 100): number => base + (clock += ms);

/** Begins again, so that the same state has the same ids. */
export function resetPreview(): void {
  clock = 0;
  calls = 0;
}

export const panel: PanelState = {
  surface: 'sidebar',
  folder: { name: 'csv-kit' },
  trusted: true,
  agents: [
    { name: 'Claude', detail: 'claude-agent-acp', note: 'installed' },
    { name: 'Codex', detail: 'codex-acp', note: 'installed' },
    { name: 'Gemini', detail: 'gemini-cli', note: 'downloads 38 MB' },
    { name: 'Demo agent', detail: '', note: 'no key, no network' },
  ],
  agent: 'Claude',
  agentState: { state: 'ready' },
  agentVersion: 'claude-agent-acp 0.25.0',
  edits: 'ask',
  oldDialog: false,
  draft: '',
};

const modes = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'Default' },
    { id: 'bypassPermissions', name: 'Auto' },
  ],
};
export const started = (): SessionEvent => ({ type: 'sessionStarted', at: at(), sessionId: 's1', modes, options: [] });
export const title = (): SessionEvent => ({ type: 'titleChanged', at: at(), title: 'Empty input in the CSV parser' });
export const usage = (used: number): SessionEvent => ({
  type: 'usageChanged',
  at: at(),
  usage: { used, size: 200_000, cost: { amount: 0.46, currency: 'USD' } },
});
export const prompt = (text: string, attachments: { name: string; uri: string }[] = []): SessionEvent => ({
  type: 'promptSent',
  at: at(),
  text,
  attachments,
});
export const say = (text: string, messageId = text.slice(0, 12)): SessionEvent => ({
  type: 'messageChunk',
  at: at(),
  role: 'assistant',
  content: { type: 'text', text },
  messageId,
});
export const think = (text: string): SessionEvent => ({
  type: 'messageChunk',
  at: at(),
  role: 'thought',
  content: { type: 'text', text },
});

let calls = 0;
type Call = {
  kind: ToolKind;
  title: string;
  ms?: number;
  status?: 'in_progress' | 'completed' | 'failed';
  path?: string;
  line?: number;
  content?: ToolContent[];
  id?: string;
};
export function call({
  kind,
  title: name,
  ms = 100,
  status = 'completed',
  path,
  line,
  content,
  id = `call-${++calls}`,
}: Call): SessionEvent[] {
  const locations = path === undefined ? [] : [{ path, ...(line !== undefined && { line }) }];
  const first: SessionEvent = {
    type: 'toolChanged',
    at: at(),
    patch: {
      toolCallId: id,
      title: name,
      toolKind: kind,
      status: 'in_progress',
      locations,
      ...(content && { content }),
    },
  };
  return status === 'in_progress'
    ? [first]
    : [first, { type: 'toolChanged', at: at(ms), patch: { toolCallId: id, status } }];
}

const before =
  "export function parse(input: string): Row[] {\n  const [head, ...rest] = input.split('\\n');\n  const columns = head.split(',');\n";
const after =
  "export function parse(input: string): Row[] {\n  const lines = splitLines(input);\n  if (lines.length === 0) return [];\n  const [head, ...rest] = lines;\n  const columns = head.split(',');\n";
const diff: ToolContent = { type: 'diff', path: '/home/me/work/csv-kit/src/parse.ts', oldText: before, newText: after };

const testLines = Array.from({ length: 31 }, (_, i) => `    expect(column(${i})).toBe('c${i}');`);
const testBefore = `describe('parse', () => {\n  it('splits rows and columns', () => {\n${testLines.join('\n')}\n  it('keeps quoted commas', () => {\n    const rows = parse('"a,b",c');\n    expect(rows).toHaveLength(1);\n  });\n});\n`;
const testAfter = testBefore
  .replace(
    "  it('splits",
    "  it('returns [] for empty input', () => {\n    expect(parse('')).toEqual([]);\n    expect(parse('\\n')).toEqual([]);\n  });\n\n  it('splits",
  )
  .replace(`parse('"a,b",c')`, `parse('"a,b",c\\n')`);

export const once = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no', name: 'No, and tell Claude what to do differently', kind: 'reject_once' as const },
];
export const approval = (part: Partial<Approval>): SessionEvent => ({
  type: 'approvalRequested',
  at: at(),
  approval: {
    approvalId: `a${++calls}`,
    origin: 'host',
    verb: 'edit',
    title: 'Edit test/parse.test.ts?',
    paths: ['test/parse.test.ts'],
    options: once,
    marks: [],
    state: 'waiting',
    ...part,
  },
});
export const editApproval = (toolCallId?: string): SessionEvent =>
  approval({
    diff: diffView('test/parse.test.ts', testBefore, testAfter),
    ...(toolCallId !== undefined && { toolCallId }),
  });

export const plan = (doing: number): SessionEvent => ({
  type: 'planChanged',
  at: at(),
  entries: [
    'Find who calls parse()',
    'Return [] for empty input',
    'Add a test for empty input',
    'Run the whole suite',
    'Update the README',
    'Add a changelog line',
  ].map((content, i) => ({
    content,
    priority: 'medium',
    status: i < doing ? 'completed' : i === doing ? 'in_progress' : 'pending',
  })),
});

export const opening = (): SessionEvent[] => [
  started(),
  title(),
  prompt('Empty input makes @parse.ts throw. Return an empty list instead, and add a test.', [
    { name: 'parse.ts', uri: 'file:///home/me/work/csv-kit/src/parse.ts' },
    { name: 'parse.ts:40–52', uri: 'file:///home/me/work/csv-kit/src/parse.ts#40' },
  ]),
  think('The parser splits first. I should look at who calls it.'),
];

const esc = '\u001b';
export const output = `${esc}[32m  ✓${esc}[0m splits rows and columns ${esc}[90m(4 ms)${esc}[0m\n${esc}[32m  ✓${esc}[0m keeps quoted commas\n${esc}[31m  1) returns [] for empty input${esc}[0m\n \n  2 passing, 1 failing\n`;
export const terminal = (id: string, tail: string, lines: number, code?: number): SessionEvent[] => [
  {
    type: 'terminalStarted',
    at: at(),
    terminalId: id,
    command: id === 't1' ? 'npm test -- parse' : 'npm test',
    cwd: '/home/me/work/csv-kit',
  },
  { type: 'terminalOutput', at: at(3000), terminalId: id, tail, lines, truncated: false },
  ...(code === undefined ? [] : [{ type: 'terminalExited' as const, at: at(), terminalId: id, code, signal: null }]),
];

const markdown =
  "The test fails because `trim()` keeps a byte order mark. A small helper covers both cases:\n\n```ts\nfunction splitLines(input: string): string[] {\n  if (input.trim() === '') return [];\n  return input.replace(/\\n$/, '').split('\\n');\n}\n```\n\nNext I run the whole suite to be sure that";

export function conversation(): SessionEvent[] {
  return [
    ...opening(),
    say('The parser splits before it looks at the text. I will read it and see who calls it.'),
    ...call({ kind: 'read', title: 'Read parse.ts', path: '/home/me/work/csv-kit/src/parse.ts', line: 1 }),
    ...call({ kind: 'search', title: 'Search “parse(” · 7 results in 4 files', ms: 300 }),
    ...call({ kind: 'read', title: 'Read ~/.npmrc' }),
    ...call({
      kind: 'edit',
      title: 'Edit parse.ts',
      content: [diff],
      id: 'edit-1',
      path: '/home/me/work/csv-kit/src/parse.ts',
    }),
    {
      type: 'fileWritten',
      at: at(),
      path: '/home/me/work/csv-kit/src/parse.ts',
      canonical: null,
      outcome: 'done',
      provenance: { by: 'person', outcome: 'allowed' },
    },
    ...call({
      kind: 'execute',
      title: '`npm test -- parse`',
      status: 'in_progress',
      id: 'run-1',
      content: [{ type: 'terminal', terminalId: 't1' }],
    }),
    ...terminal('t1', output, 214, 1),
    { type: 'toolChanged', at: at(), patch: { toolCallId: 'run-1', status: 'failed' } },
    ...call({ kind: 'fetch', title: 'Fetch csv-spec.example.dev', status: 'failed', ms: 30_000 }),
    plan(2),
    say(markdown),
    usage(12_400),
  ];
}

export const notice = (part: Partial<Notice>): SessionEvent => ({
  type: 'noticeShown',
  at: at(),
  notice: { code: 'failed', severity: 'error', what: '', why: '', actions: [], ...part },
});
