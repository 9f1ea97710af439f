/**
 * Facts about a session, in the past tense. They are the only input of `reduce`, the only thing written to a session
 * log, and, one JSON line each, what the headless host prints. Every field is bounded before an event is made.
 */
import type {
  Approval,
  Attachment,
  Command,
  ConfigOption,
  Content,
  Location,
  Modes,
  Notice,
  Provenance,
  Text,
  ToolContent,
  ToolKind,
  ToolStatus,
  Usage,
} from './model.js';

/** A change of a tool call: absent fields are unchanged, arrays replace. */
export type ToolPatch = {
  readonly toolCallId: string;
  readonly title?: string;
  readonly name?: string;
  readonly toolKind?: ToolKind;
  readonly status?: ToolStatus;
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly Location[];
  readonly rawInput?: Text;
  readonly rawOutput?: Text;
  /** More places or contents were named than are here, or some could not be read. */
  readonly isPartial?: true;
};

export type PlanInput = { readonly content: string; readonly priority: string; readonly status: string };

type Fact<T extends string, F = object> = { readonly type: T; /** Epoch ms. */ readonly at: number } & Readonly<F>;

export type SessionEvent =
  | Fact<'sessionStarted', { sessionId: string; modes: Modes | null; options: readonly ConfigOption[] }>
  | Fact<'promptQueued', { promptId: string; text: string; /** Before what waits already. */ first?: true }>
  | Fact<'promptUnqueued', { promptId: string }>
  | Fact<'promptSent', { text: string; attachments: readonly Attachment[]; promptId?: string }>
  | Fact<'messageChunk', { role: 'assistant' | 'thought' | 'user'; content: Content; messageId?: string }>
  | Fact<'toolChanged', { patch: ToolPatch }>
  /** The host found that a place which the call names lies outside the folders of the session. `turn`: when it was named. */
  | Fact<'toolOutside', { toolCallId: string; path: string; turn: number }>
  | Fact<'planChanged', { entries: readonly PlanInput[] }>
  | Fact<'commandsChanged', { commands: readonly Command[] }>
  | Fact<'modesChanged', { modes: Modes }>
  | Fact<'modeChanged', { modeId: string }>
  /** The agent was asked for this mode. */
  | Fact<'modeRequested', { modeId: string }>
  /** It answered. `taken`: this is the mode now. */
  | Fact<'modeSettled', { modeId: string; taken: boolean; message?: string }>
  | Fact<'optionsChanged', { options: readonly ConfigOption[] }>
  | Fact<'usageChanged', { usage: Usage }>
  | Fact<'titleChanged', { title: string | null }>
  | Fact<'noticeShown', { notice: Notice }>
  | Fact<'approvalRequested', { approval: Approval }>
  /** The host found out more about a waiting request: its diff, where its paths lead. */
  | Fact<'approvalUpdated', { approval: Approval }>
  | Fact<
      'approvalSettled',
      {
        approvalId: string;
        outcome: 'allowed' | 'denied' | 'cancelled';
        by: 'person' | 'policy' | 'cancel' | 'agent' | 'exit';
        optionId?: string;
        provenance?: Provenance;
      }
    >
  | Fact<'fileRead', { path: string; canonical: string | null; outcome: FileOutcome; reason?: string }>
  | Fact<
      'fileWritten',
      { path: string; canonical: string | null; outcome: FileOutcome; reason?: string; provenance?: Provenance }
    >
  | Fact<'terminalStarted', { terminalId: string; command: string; cwd?: string }>
  | Fact<'terminalOutput', { terminalId: string; tail: string; lines: number; truncated: boolean }>
  | Fact<'terminalExited', { terminalId: string; code: number | null; signal: string | null }>
  /** A command that the agent runs itself. `data` continues its output or is all of it; `lines` counts its line ends. */
  | Fact<
      'agentTerminal',
      {
        terminalId: string;
        cwd?: string;
        data?: string;
        lines?: number;
        whole?: true;
        exit?: { readonly code: number | null; readonly signal: string | null };
      }
    >
  | Fact<'cancelRequested'>
  | Fact<'turnEnded', { stopReason: string }>
  | Fact<'turnFailed', { reason: string; message: string; data?: string; notice: Notice }>
  | Fact<'agentExited', { code: number | null; signal: string | null; stderrTail: readonly string[]; notice?: Notice }>;

export type FileOutcome = 'done' | 'refused' | 'failed';
export type SessionEventType = SessionEvent['type'];
