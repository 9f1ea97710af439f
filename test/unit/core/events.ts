/** Short ways to make events, and arbitraries of every kind of event for the property tests. */
import fc from 'fast-check';
import type { SessionEvent, SessionEventType, ToolPatch } from '../../../src/core/transcript/events.js';
import { normalizeUpdate } from '../../../src/core/transcript/normalize.js';
import { emptyTranscript, entriesOf, toolKinds } from '../../../src/core/transcript/model.js';
import type { Approval, Content, Notice, Transcript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';

/** The transcript after these events. */
export function fold(events: readonly SessionEvent[], from: Transcript = emptyTranscript): Transcript {
  return events.reduce(reduce, from);
}

/** Facts from updates as they stand on the wire, a millisecond apart. */
export function wire(...updates: readonly unknown[]): SessionEvent[] {
  return updates.flatMap((update, index) => normalizeUpdate(update, 1_000 + index));
}

export function sent(text: string, at = 1): SessionEvent {
  return { type: 'promptSent', at, text, attachments: [] };
}

export function ended(stopReason = 'end_turn', at = 9_000): SessionEvent {
  return { type: 'turnEnded', at, stopReason };
}

export function said(
  text: string,
  messageId?: string,
  role: 'assistant' | 'thought' | 'user' = 'assistant',
): SessionEvent {
  const content: Content = { type: 'text', text };
  return { type: 'messageChunk', at: 100, role, content, ...(messageId !== undefined && { messageId }) };
}

export function tool(toolCallId: string, patch: Omit<ToolPatch, 'toolCallId'> = {}, at = 200): SessionEvent {
  return { type: 'toolChanged', at, patch: { toolCallId, ...patch } };
}

export const notice: Notice = { code: 'turn', severity: 'error', what: 'It failed', why: '', actions: ['retry'] };

export function approval(approvalId: string, toolCallId?: string): Approval {
  return {
    approvalId,
    ...(toolCallId !== undefined && { toolCallId }),
    origin: 'agent',
    verb: 'edit',
    title: 'edit a.ts',
    paths: [],
    options: [],
    marks: [],
    state: 'waiting',
  };
}

export const cancel: SessionEvent = { type: 'cancelRequested', at: 400 };

/** One short line for each entry. */
export function outline(t: Transcript): string[] {
  return entriesOf(t).map((entry) => {
    switch (entry.kind) {
      case 'user':
      case 'assistant':
      case 'thought':
        return `${entry.kind}:${entry.text}`;
      case 'tool':
        return `tool:${entry.toolCallId}:${entry.status}`;
      default:
        return entry.kind;
    }
  });
}

const id = fc.constantFrom('a', 'b', 'c', '__proto__');
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', ' ', '\n', 'step one', 'step two'),
);
const optionalRecord = <T extends object>(all: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T)[]) =>
  fc.record(all, { requiredKeys: required });

const text = fc.oneof(words, fc.record({ bodyId: id, bytes: fc.nat(), preview: words }));
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('image' as const), mimeType: words, data: text }),
  fc.record({ type: fc.constant('link' as const), uri: words, name: words }),
  fc.record({ type: fc.constant('resource' as const), uri: words, text }),
  fc.record({ type: fc.constant('placeholder' as const), label: words }),
);
const toolContent = fc.oneof(
  fc.record({ type: fc.constant('content' as const), content }),
  fc.record({ type: fc.constant('diff' as const), path: words, oldText: fc.option(text), newText: text }),
  fc.record({ type: fc.constant('terminal' as const), terminalId: id }),
);
const patch = optionalRecord(
  {
    toolCallId: id,
    title: words,
    name: words,
    toolKind: fc.constantFrom(...toolKinds),
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'cancelled', 'interrupted'),
    content: fc.array(toolContent, { maxLength: 3 }),
    locations: fc.array(fc.record({ path: words }), { maxLength: 2 }),
    rawInput: text,
    rawOutput: text,
  },
  ['toolCallId'],
) as fc.Arbitrary<ToolPatch>;
const modes = fc.record({
  currentModeId: id,
  availableModes: fc.array(fc.record({ id, name: words }), { maxLength: 2 }),
});
const anApproval = fc.tuple(id, fc.option(id, { nil: undefined })).map(([one, call]) => approval(one, call));
const provenance = fc.constantFrom(
  { by: 'person' as const, outcome: 'denied' as const },
  { by: 'above' as const },
  { by: 'setting' as const },
  { by: 'host' as const, outcome: 'denied' as const, reason: 'no' },
);
const fileFields = { path: words, canonical: fc.option(words), outcome: fc.constantFrom('done', 'refused', 'failed') };
const exit = { code: fc.option(fc.integer()), signal: fc.option(words) };
const modeOption = fc.record({
  id,
  name: words,
  category: fc.constantFrom('mode', 'other'),
  type: fc.constant('select'),
  value: id,
  choices: fc.array(fc.record({ value: id, name: words }), { maxLength: 3 }),
});
const nothing = fc.record({});

/** What each kind of event carries beside its type and time. A new kind does not compile until it stands here. */
const fieldsByType: Record<SessionEventType, fc.Arbitrary<object>> = {
  sessionStarted: fc.record({ sessionId: id, modes: fc.option(modes), options: fc.constant([]) }),
  promptQueued: fc.record({ promptId: id, text: words }),
  promptUnqueued: fc.record({ promptId: id }),
  promptSent: fc.record(
    { text: words, attachments: fc.constant([]), promptId: id },
    { requiredKeys: ['text', 'attachments'] },
  ),
  messageChunk: fc.record(
    { role: fc.constantFrom('assistant', 'thought', 'user'), content, messageId: id },
    { requiredKeys: ['role', 'content'] },
  ),
  toolChanged: fc.record({ patch }),
  toolOutside: fc.record({ toolCallId: id, path: words, turn: fc.nat({ max: 4 }) }),
  planChanged: fc.record({
    entries: fc.array(
      fc.record({
        content: words,
        priority: words,
        status: fc.constantFrom('pending', 'in_progress', 'completed', 'odd'),
      }),
      { maxLength: 4 },
    ),
  }),
  commandsChanged: fc.record({ commands: fc.array(fc.record({ name: words, description: words }), { maxLength: 2 }) }),
  modesChanged: fc.record({ modes }),
  modeChanged: fc.record({ modeId: id }),
  modeRequested: fc.record({ modeId: id }),
  modeSettled: fc.record({ modeId: id, taken: fc.boolean(), message: words }, { requiredKeys: ['modeId', 'taken'] }),
  optionsChanged: fc.record({ options: fc.array(modeOption, { maxLength: 2 }) }),
  usageChanged: fc.record({ usage: fc.record({ used: fc.nat(), size: fc.nat() }, { requiredKeys: [] }) }),
  titleChanged: fc.record({ title: fc.option(words) }),
  noticeShown: fc.record({ notice: fc.constant(notice) }),
  approvalRequested: fc.record({ approval: anApproval }),
  approvalUpdated: fc.record({ approval: anApproval }),
  approvalSettled: fc.record(
    {
      approvalId: id,
      outcome: fc.constantFrom('allowed', 'denied', 'cancelled'),
      by: fc.constantFrom('person', 'policy', 'cancel', 'agent', 'exit'),
      provenance,
    },
    { requiredKeys: ['approvalId', 'outcome', 'by'] },
  ),
  fileRead: fc.record(fileFields),
  fileWritten: fc.record({ ...fileFields, provenance }, { requiredKeys: ['path', 'canonical', 'outcome'] }),
  terminalStarted: fc.record({ terminalId: id, command: words }),
  terminalOutput: fc.record({ terminalId: id, tail: words, lines: fc.nat(), truncated: fc.boolean() }),
  terminalExited: fc.record({ terminalId: id, ...exit }),
  agentTerminal: fc.record(
    {
      ...{ terminalId: id, cwd: words, data: words, lines: fc.nat() },
      ...{ whole: fc.constant(true as const), exit: fc.record(exit) },
    },
    { requiredKeys: ['terminalId'] },
  ),
  cancelRequested: nothing,
  turnEnded: fc.record({ stopReason: fc.constantFrom('end_turn', 'cancelled', 'odd') }),
  turnFailed: fc.record({ reason: words, message: words, notice: fc.constant(notice) }),
  agentExited: fc.record(
    { ...exit, stderrTail: fc.constant([]), notice: fc.constant(notice) },
    {
      requiredKeys: ['code', 'signal', 'stderrTail'],
    },
  ),
};

/** Any event of any kind. */
export const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  ...Object.entries(fieldsByType).map(([type, fields]) =>
    // By way of JSON, as in a log, since the arbitraries make objects without a prototype.
    fc.tuple(fields, fc.nat()).map(([own, at]) => JSON.parse(JSON.stringify({ type, at, ...own })) as SessionEvent),
  ),
);
