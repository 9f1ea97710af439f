/**
 * The whole protocol between the extension host and the chat webview, on one page.
 *
 * The view is a replica: it gets a snapshot when it says `ready`, then ordered batches of events that it folds with
 * the same `reduce`. It asks by id and never names a path, a command or a program. Messages to the host are parsed
 * (`parseToHost`) because a webview that was taken over must not be able to do more than a person can.
 */
import type { SessionEvent } from './transcript/events.js';
import type { NoticeAction, Transcript } from './transcript/model.js';

export type AgentChoice = {
  readonly name: string;
  /** Quiet words beside the name: the program. */
  readonly detail: string;
  /** Right column: `installed`, `no key, no network`, `not found`, `downloads …`. */
  readonly note: string;
};

export type AgentState =
  | { readonly state: 'stopped' }
  | { readonly state: 'starting'; readonly phase: 'process' | 'session'; readonly since: number }
  | { readonly state: 'ready' }
  | { readonly state: 'failed' };

export type EditsChoice = 'unset' | 'off' | 'ask' | 'allow';

/** What stands round the transcript. Small, and posted whole when it changes. */
export type PanelState = {
  readonly surface: 'sidebar' | 'editor';
  readonly folder: { readonly name: string } | null;
  readonly trusted: boolean;
  readonly agents: readonly AgentChoice[];
  /** The chosen agent's name, or null where none is configured. */
  readonly agent: string | null;
  readonly agentState: AgentState;
  readonly agentVersion: string | null;
  /** What was chosen for edits. `allow` stands here only when it was acknowledged. */
  readonly edits: EditsChoice;
  /** A modal from before a restart may still be open. */
  readonly oldDialog: boolean;
  /** The draft to show when a view opens anew. */
  readonly draft: string;
};

export type ToView =
  | {
      readonly type: 'snapshot';
      /** Changes with every chat; events of another chat are dropped. */
      readonly chat: number;
      /** Number of events folded into the transcript. */
      readonly seq: number;
      readonly transcript: Transcript;
      readonly panel: PanelState;
    }
  | {
      readonly type: 'events';
      readonly chat: number;
      /** seq before the first */ readonly from: number;
      readonly events: readonly SessionEvent[];
    }
  | { readonly type: 'panel'; readonly panel: PanelState }
  | { readonly type: 'body'; readonly bodyId: string; readonly text: string | null }
  | { readonly type: 'reveal'; readonly approvalId?: string; readonly toolCallId?: string }
  | { readonly type: 'focusComposer' }
  | { readonly type: 'setComposer'; readonly text: string };

export type ToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'sendPrompt'; readonly text: string }
  | { readonly type: 'stop' }
  | { readonly type: 'answer'; readonly approvalId: string; readonly optionId: string }
  | {
      readonly type: 'decide';
      readonly approvalId: string;
      readonly decision: 'allow_once' | 'reject_once';
      /** Sent to the agent as the next prompt. */
      readonly comment?: string;
    }
  | { readonly type: 'openDiff'; readonly toolCallId?: string; readonly approvalId?: string }
  | { readonly type: 'openLocation'; readonly toolCallId: string; readonly index: number }
  | { readonly type: 'openApproval'; readonly approvalId: string }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'fetchBody'; readonly bodyId: string }
  | { readonly type: 'selectAgent'; readonly name: string }
  | { readonly type: 'pickAgent' }
  | { readonly type: 'addAgent' }
  | { readonly type: 'newSession' }
  | { readonly type: 'chooseEdits'; readonly choice: 'ask' | 'off' }
  | { readonly type: 'pickEdits' }
  | { readonly type: 'pickMode' }
  | { readonly type: 'showPlan' }
  | { readonly type: 'showMenu' }
  | { readonly type: 'editQueued'; readonly promptId: string; readonly text: string }
  | { readonly type: 'removeQueued'; readonly promptId: string }
  | { readonly type: 'sendQueued'; readonly promptId: string }
  | { readonly type: 'act'; readonly entryId: string; readonly action: NoticeAction }
  /** A key was typed in the composer: no dialog opens within a second of it. */
  | { readonly type: 'typed' }
  | { readonly type: 'draft'; readonly text: string }
  /** The view could not apply an event batch and asks for a snapshot. */
  | { readonly type: 'resync' };
