/** A transcript as text, one line an entry, for reviewed expectations. Times and random ids are left out. */
import { entriesOf, inlineText, type Entry, type ToolEntry, type Transcript } from '../../src/core/transcript/model.js';
import { terminalOf } from '../../src/core/transcript/agentTerminals.js';

const LONG = 240;

/** Paths of `folder` read as if it were called `/workspace`. */
export function renderTranscript(transcript: Transcript, folder: string): string {
  const lines = entriesOf(transcript).map((entry) => line(entry, transcript));
  const plan = transcript.plan.map(({ status, content }) => `  ${status}: ${content}`);
  const { state, stopReason } = transcript.turn;
  const tail = [
    ...(plan.length === 0 ? [] : ['plan', ...plan]),
    `turn ${[state, stopReason].filter((part) => part !== undefined).join(' ')}`,
  ];
  return `${[...lines, ...tail].join('\n')}\n`.replaceAll(folder, '/workspace');
}

function line(entry: Entry, transcript: Transcript): string {
  switch (entry.kind) {
    case 'user':
      return `user ${quoted(entry.text)}`;
    case 'assistant': {
      const extras = entry.extras.map(({ content }) => ` +${content.type}`).join('');
      return `assistant ${quoted(entry.text)}${extras}`;
    }
    case 'thought':
      return `thought ${quoted(entry.text)}`;
    case 'notice':
      return `notice ${entry.notice.severity} ${[entry.notice.what, entry.notice.why]
        .filter((part) => part !== '')
        .map(quoted)
        .join(' ')}`;
    case 'plan':
      return `plan of an earlier turn: ${entry.entries.map(({ status, content }) => `${content} (${status})`).join(', ')}`;
    case 'tool':
      return tool(entry, transcript);
  }
}

function tool(entry: ToolEntry, { terminals }: Transcript): string {
  const terminal = terminalOf(entry, terminals);
  // The card of a command shows its terminal instead of its texts.
  const seen = entry.content.filter(({ type }) => terminal === undefined || type !== 'content');
  const content = seen.map((item) => {
    switch (item.type) {
      case 'diff':
        return `diff ${item.path} ${item.oldText === null ? 'new' : quoted(inlineText(item.oldText))} → ${quoted(inlineText(item.newText))}`;
      case 'content':
        return item.content.type === 'text' ? `text ${quoted(inlineText(item.content.text))}` : item.content.type;
      case 'terminal':
        return 'terminal';
    }
  });
  const { provenance, asked, failure } = entry;
  const by =
    provenance === undefined ? '' : 'outcome' in provenance ? `${provenance.by} ${provenance.outcome}` : provenance.by;
  return [
    `tool ${entry.toolKind} ${entry.status} ${quoted(entry.title)}`,
    ...entry.locations.map(({ path, line: at }) => `at ${path}${at === undefined ? '' : `:${String(at)}`}`),
    ...content,
    ...(terminal === undefined
      ? []
      : [`output ${quoted(terminal.tail)} exit ${String(terminal.exit?.code ?? terminal.exit?.signal ?? 'unknown')}`]),
    ...(by === '' ? [asked ? 'asked' : 'not asked'] : [by]),
    ...(failure === undefined ? [] : [`failure ${quoted(failure)}`]),
  ].join(' | ');
}

function quoted(text: string): string {
  const cut = text.length > LONG ? `${text.slice(0, LONG)}… ${String(text.length)} characters` : text;
  return JSON.stringify(cut);
}
