/**
 * The Transcript: everything a person can see of one session, as one immutable value.
 *
 * It follows ACP v2's semantics (upsert by id, a turn state apart from the prompt's promise, open enums), so that a
 * second protocol version needs another adapter and not another model. Everything in it came from an untrusted agent:
 * strings are bounded before they get here (`text/limits.ts`) and are made visible where they are drawn.
 */

/** A text that was too large to keep inline. The whole text stays with its owner and is fetched by id. */
export type BodyRef = {
  readonly bodyId: string;
  /** Length of the whole text in UTF-8 bytes. */
  readonly bytes: number;
  /** The first part of the text, at most `limits.bodyPreview` characters. */
  readonly preview: string;
};

/** Text kept inline, or a reference to a body kept elsewhere. */
export type Text = string | BodyRef;

/** Content of a message or a tool call, with everything unknown reduced to a labelled placeholder. */
export type Content =
  | { readonly type: 'text'; readonly text: Text }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: Text }
  | { readonly type: 'link'; readonly uri: string; readonly name: string }
  | { readonly type: 'resource'; readonly uri: string; readonly text: Text }
  | { readonly type: 'placeholder'; readonly label: string };

export type ToolContent =
  | { readonly type: 'content'; readonly content: Content }
  | {
      readonly type: 'diff';
      readonly path: string;
      /** null: the file is new. */
      readonly oldText: Text | null;
      readonly newText: Text;
    }
  | { readonly type: 'terminal'; readonly terminalId: string };

export type Location = { readonly path: string; /** 1-based, as on the wire. */ readonly line?: number };

export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;
/** The agent's word for what a call does. Never a reason to allow anything. */
export type ToolKind = (typeof toolKinds)[number];

/** `cancelled` and `interrupted` are the host's: the turn ended while the call was open. */
export type ToolStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/** Where the permission for a call came from: shown at the card's foot. */
export type Provenance =
  | {
      readonly by: 'person';
      readonly outcome: 'allowed' | 'denied';
      readonly comment?: string;
      /** The agent's name for the answer, where it was one of several. */
      readonly choice?: string;
    }
  | { readonly by: 'above' }
  | { readonly by: 'setting' }
  | { readonly by: 'host'; readonly outcome: 'denied'; readonly reason: string };

type EntryBase = {
  /** Stable in this transcript, made by the host: `e1`, `e2`, … */
  readonly id: string;
  /** Milliseconds since the epoch, by the host's clock. */
  readonly at: number;
  /** The turn it belongs to; 0 before the first prompt. */
  readonly turn: number;
};

export type UserEntry = EntryBase & {
  readonly kind: 'user';
  readonly text: string;
  /** Only of a replayed prompt. */
  readonly messageId?: string;
  readonly attachments: readonly Attachment[];
};
export type AssistantEntry = EntryBase & {
  readonly kind: 'assistant';
  readonly text: string;
  /** Content that is not text, in order of arrival, each after `offset` characters of the text. */
  readonly extras: readonly { readonly offset: number; readonly content: Content }[];
  readonly messageId?: string;
  readonly open: boolean;
};
export type ThoughtEntry = EntryBase & {
  readonly kind: 'thought';
  readonly text: string;
  readonly messageId?: string;
  readonly open: boolean;
  readonly endedAt?: number;
};
export type ToolEntry = EntryBase & {
  readonly kind: 'tool';
  readonly toolCallId: string;
  readonly title: string;
  readonly toolKind: ToolKind;
  /** The agent called it something else before. */
  readonly kindChanged?: true;
  /** The MCP or built-in tool's own name, where the agent gives it. */
  readonly name?: string;
  readonly status: ToolStatus;
  readonly content: readonly ToolContent[];
  readonly locations: readonly Location[];
  /** Not all places and contents that it named could be kept, so what is here does not say what it does. */
  readonly isPartial?: true;
  /** JSON text. */
  readonly rawInput?: Text;
  /** JSON text. */
  readonly rawOutput?: Text;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** A path that it names and that lies outside the folders of the session. */
  readonly outside?: string;
  /** A request for permission named this call: an edit or command that completed without one "did not ask". */
  readonly asked: boolean;
  readonly provenance?: Provenance;
  /** The change that a person saw and allowed, made by the host. Shown where the agent itself sends no diff. */
  readonly allowed?: DiffView;
  /** Why the call failed, in words for the person, where the host knows it. */
  readonly failure?: string;
};
export type NoticeEntry = EntryBase & { readonly kind: 'notice'; readonly notice: Notice };
export type PlanEntryGroup = EntryBase & { readonly kind: 'plan'; readonly entries: readonly PlanStep[] };

export type Entry = UserEntry | AssistantEntry | ThoughtEntry | ToolEntry | NoticeEntry | PlanEntryGroup;

/** Something the host has to say in the flow of the conversation. `code` chooses words and buttons in the view. */
export type Notice = {
  readonly code: NoticeCode;
  readonly severity: 'info' | 'warning' | 'error';
  /** What happened. */
  readonly what: string;
  /** Why, at most two sentences. */
  readonly why: string;
  /** The last lines of the agent's stderr, redacted. */
  readonly tail?: readonly string[];
  /** Details for Copy and Details, redacted and bounded. */
  readonly details?: string;
  readonly actions: readonly NoticeAction[];
};
export type NoticeCode =
  'failed' | 'stopped' | 'signIn' | 'start' | 'turn' | 'seam' | 'agent' | 'bound' | 'late' | 'file' | 'setting';
export const noticeActions = [
  'restart',
  'retry',
  'editPrompt',
  'continue',
  'showLog',
  'copyDetails',
  'details',
  'probe',
  'editSettings',
  'addAgent',
  'manageTrust',
  'openFolder',
  'signIn',
  'stopNow',
] as const;
export type NoticeAction = (typeof noticeActions)[number];

export type Attachment = { readonly name: string; readonly uri: string };

export type PlanStep = {
  /** Stable over whole-replace updates as long as the step can be recognised. */
  readonly id: string;
  readonly content: string;
  /** `high`, `medium`, `low`, or whatever the agent sent. */
  readonly priority: string;
  /** `pending`, `in_progress`, `completed`, or whatever the agent sent. */
  readonly status: string;
  /** When the step was first seen in progress, and when it left that state. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly change?: 'new' | 'reworded';
};

/** A request that waits for a person, as far as a view may know it. The live request is held by the agent layer. */
export type Approval = {
  readonly approvalId: string;
  readonly toolCallId?: string;
  readonly origin: 'agent' | 'host';
  readonly verb: ApprovalVerb;
  /** The question without its question mark's facts: which file, which command. Made by the host. */
  readonly title: string;
  /** What the host found: paths as people should read them, canonical where it was pinned. */
  readonly paths: readonly string[];
  readonly resolvesTo?: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly environment?: readonly string[];
  /** The modes that its answers lead to, by name, in the order of the options. */
  readonly switchesTo?: readonly string[];
  /** In one of them nothing is asked. */
  readonly switchesToFree?: boolean;
  /** Made by the host against the current text, never the agent's own. */
  readonly diff?: DiffView;
  readonly options: readonly ApprovalOption[];
  readonly marks: readonly ApprovalMark[];
  /** The agent's own words, quoted and bounded. */
  readonly agentWords?: string;
  /** More of what it says it would do: an address, a tool, an input. */
  readonly claims?: readonly ApprovalFact[];
  /** Why the host asks at all, as a sentence of its own, where that is not plain from the rest. */
  readonly reason?: string;
  /** The host still looks at what the request would do; it is asked when that is known. */
  readonly preparing?: boolean;
  readonly state: 'waiting' | 'answering' | 'settled';
};
export type ApprovalFact = { readonly name: string; readonly value: string };
export type ApprovalVerb =
  'edit' | 'create' | 'delete' | 'move' | 'execute' | 'read' | 'fetch' | 'switch_mode' | 'other';
export type ApprovalMark =
  | 'sensitive'
  | 'hidden'
  | 'lookalike'
  | 'variables'
  | 'outside'
  | 'differs'
  | 'nodetail'
  | 'stale'
  | 'conflict'
  | 'misnamed'
  | 'linked'
  | 'shell';
export type ApprovalOption = {
  readonly optionId: string;
  /** The agent's label, bounded. */
  readonly name: string;
  readonly kind: ApprovalOptionKind;
};
export type ApprovalOptionKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';

/** A unified view of a change: lines with real line numbers, unchanged runs folded. */
export type DiffView = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  /** Lines that were left out of `lines` because the diff is too large to list. */
  readonly omitted: number;
  readonly isNew: boolean;
};
export type DiffLine =
  | { readonly sign: ' ' | '+' | '-'; readonly number: number; readonly text: string }
  | { readonly sign: '…'; readonly count: number };

/** A terminal that belongs to a tool call: run by the host, or by the agent and shown by its extension fields. */
export type TerminalView = {
  readonly terminalId: string;
  readonly command: string;
  readonly cwd?: string;
  /** The end of the output, at most `limits.terminalTail` characters, ANSI sequences kept. */
  readonly tail: string;
  /** All lines that were written, also those no longer kept. */
  readonly lines: number;
  readonly truncated: boolean;
  readonly exit?: { readonly code: number | null; readonly signal: string | null };
  readonly startedAt: number;
  readonly endedAt?: number;
};

export type TurnState = {
  readonly state: 'idle' | 'running' | 'cancelling' | 'failed';
  readonly number: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly cancelledAt?: number;
  readonly stopReason?: string;
  /** Tool calls of the turn so far. */
  readonly tools: number;
  /** The last time anything came from the agent; the idle watch reads it. */
  readonly lastUpdateAt?: number;
};

export type QueuedPrompt = { readonly promptId: string; readonly text: string };
export type Command = { readonly name: string; readonly description: string; readonly hint?: string };
export type Mode = { readonly id: string; readonly name: string; readonly description?: string };
export type Modes = { readonly currentModeId: string; readonly availableModes: readonly Mode[] };
export type ConfigOption = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly category?: string;
} & (
  | { readonly type: 'select'; readonly value: string; readonly choices: readonly ConfigChoice[] }
  | { readonly type: 'boolean'; readonly value: boolean }
);
export type ConfigChoice = {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  readonly group?: string;
};
export type Usage = {
  readonly used?: number;
  readonly size?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
};

export type Transcript = {
  /** The agent's session id, raw, or null before there is one. */
  readonly sessionId: string | null;
  readonly title: string | null;
  /** Entries in pages of `pageSize`, so that one event copies one page. */
  readonly pages: readonly (readonly Entry[])[];
  readonly count: number;
  readonly nextId: number;
  readonly plan: readonly PlanStep[];
  readonly turn: TurnState;
  readonly queue: readonly QueuedPrompt[];
  readonly approvals: readonly Approval[];
  readonly terminals: readonly TerminalView[];
  readonly commands: readonly Command[];
  readonly modes: Modes | null;
  readonly options: readonly ConfigOption[];
  /** The mode that was asked for and is not confirmed yet. */
  readonly pendingMode?: string;
  /** Commands and the like under the current mode: requests that came, and calls that were done without one. */
  readonly seenInMode?: { readonly asked: number; readonly unasked: number };
  readonly usage: Usage | null;
  /** White space that came where no message was: the next one of its role begins with it. */
  readonly blank?: { readonly assistant?: string; readonly thought?: string };
  /** Files changed through the host and edits seen that did not come through it. */
  readonly edits: { readonly brokered: number; readonly direct: number };
};

export const pageSize = 64;

/** The empty transcript that every fold starts from. */
export const emptyTranscript: Transcript = {
  sessionId: null,
  title: null,
  pages: [],
  count: 0,
  nextId: 1,
  plan: [],
  turn: { state: 'idle', number: 0, tools: 0 },
  queue: [],
  approvals: [],
  terminals: [],
  commands: [],
  modes: null,
  options: [],
  usage: null,
  edits: { brokered: 0, direct: 0 },
};

/** All entries in order. Copies; for tests, export and the headless host, not for drawing. */
export function entriesOf(transcript: Transcript): Entry[] {
  return transcript.pages.flat();
}

/** The newest tool entry with this id, or undefined. Searches from the end, where live calls are. */
export function findTool(transcript: Transcript, toolCallId: string): ToolEntry | undefined {
  for (let p = transcript.pages.length - 1; p >= 0; p--) {
    const page = transcript.pages[p] ?? [];
    for (let i = page.length - 1; i >= 0; i--) {
      const entry = page[i];
      if (entry?.kind === 'tool' && entry.toolCallId === toolCallId) {
        return entry;
      }
    }
  }
  return undefined;
}

/** The inline part of a text: all of it, or the preview of a body. */
export function inlineText(text: Text): string {
  return typeof text === 'string' ? text : text.preview;
}
