/** Events and the transcript as the lines that the headless host prints. Names are a contract; see docs. */
import type { SessionEvent } from '../../core/transcript/events.js';
import {
  entriesOf,
  findTool,
  inlineText,
  type Content,
  type Entry,
  type Transcript,
} from '../../core/transcript/model.js';
import { asksNothing, modeControl } from '../../core/transcript/modes.js';
import { didNotAsk } from '../../core/transcript/tools.js';

export type Line = Readonly<Record<string, unknown>> & { readonly event: string };

/** The line for one event of a session; `transcript` is the one that it led to. */
export function eventLine(event: SessionEvent, transcript: Transcript): Line {
  const { type, at: _at, ...rest } = event;
  switch (event.type) {
    case 'sessionStarted':
      return { event: type, modes: event.modes, configOptions: event.options };
    case 'messageChunk':
      return {
        event: type,
        role: event.role,
        text: contentText(event.content),
        ...(event.messageId === undefined ? {} : { messageId: event.messageId }),
        ...(event.content.type === 'text' ? {} : { content: event.content }),
      };
    case 'toolChanged': {
      const entry = findTool(transcript, event.patch.toolCallId);
      return {
        event: type,
        toolCallId: event.patch.toolCallId,
        kind: entry?.toolKind ?? 'other',
        status: entry?.status ?? 'pending',
        title: entry?.title ?? '',
      };
    }
    case 'approvalRequested':
    case 'approvalUpdated': {
      const { state: _state, ...approval } = event.approval;
      const name = event.type === 'approvalRequested' ? 'approval' : 'approvalUpdated';
      return { event: name, toolCallId: null, command: null, ...approval };
    }
    case 'turnFailed':
      return turnFailedLine(event.reason, event.message, event.data);
    case 'agentExited':
      return { event: type, code: event.code, signal: event.signal, stderrTail: event.stderrTail };
    case 'fileRead':
    case 'fileWritten':
      return {
        event: type,
        path: event.path,
        canonical: event.canonical,
        outcome: event.outcome,
        reason: event.reason ?? null,
        ...('provenance' in event ? { provenance: event.provenance } : {}),
      };
    default:
      return { event: type, ...rest };
  }
}

/** `data` as the agent sent it, or as the text that is left of it where it was cut. */
export function turnFailedLine(reason: string, message: string, data: string | undefined): Line {
  return { event: 'turnFailed', reason, message, data: data === undefined ? null : parsed(data) };
}

function parsed(data: string): unknown {
  try {
    return /^[[{]/.test(data) ? (JSON.parse(data) as unknown) : data;
  } catch {
    return data;
  }
}

/** The last line of a run. */
export function transcriptLine(transcript: Transcript): Line {
  const { modes } = transcript;
  const mode = modeControl(transcript);
  return {
    event: 'transcript',
    transcript: {
      entries: entriesOf(transcript).map(printEntry),
      plan: transcript.plan.map(({ content, priority, status }) => ({ content, priority, status })),
      turn: transcript.turn,
      queue: transcript.queue,
      ...(transcript.terminals.length === 0 ? {} : { terminals: transcript.terminals }),
      ...(transcript.title === null ? {} : { title: transcript.title }),
      ...(modes === null ? {} : { modes }),
      ...(mode === null ? {} : { mode: { ...mode.current, asksNothing: asksNothing(transcript) } }),
      ...(transcript.options.length === 0 ? {} : { configOptions: transcript.options }),
    },
  };
}

function printEntry(entry: Entry): Record<string, unknown> {
  const { id, kind } = entry;
  switch (entry.kind) {
    case 'user':
    case 'thought':
      return { id, kind, text: entry.text };
    case 'assistant':
      return { id, kind, text: entry.text, ...(entry.extras.length === 0 ? {} : { extras: entry.extras }) };
    case 'tool':
      return {
        id,
        kind,
        toolCallId: entry.toolCallId,
        status: entry.status,
        toolKind: entry.toolKind,
        title: entry.title,
        content: entry.content,
        locations: entry.locations,
        ...(entry.provenance === undefined ? {} : { provenance: entry.provenance }),
        ...(entry.outside === undefined ? {} : { outside: entry.outside }),
        ...(didNotAsk(entry) ? { didNotAsk: true } : {}),
      };
    case 'notice':
      return { id, kind, text: `${entry.notice.what}. ${entry.notice.why}`.trim(), severity: entry.notice.severity };
    case 'plan':
      return {
        id,
        kind,
        entries: entry.entries.map(({ content, priority, status }) => ({ content, priority, status })),
      };
  }
}

function contentText(content: Content): string {
  switch (content.type) {
    case 'text':
    case 'resource':
      return inlineText(content.text);
    case 'link':
      return content.name;
    case 'image':
      return '';
    case 'placeholder':
      return content.label;
  }
}
