/**
 * The few doors by which the agent side reaches an editor. The headless host and the tests implement them with Node,
 * the extension with VS Code. Nothing here knows of either.
 */
import type { FileRules } from '../core/policy/fileRules.js';
import type { Approval, Provenance } from '../core/transcript/model.js';

/** Ends something that was begun. Safe to call twice. */
export interface Disposable {
  dispose(): void;
}

export type OpenText = { readonly text: string; readonly dirty: boolean };

export type EditorWrite =
  /** Written and saved. `saved` differs from what was asked for where a formatter ran on save. */
  | { readonly outcome: 'saved'; readonly saved: string }
  /** The person's unsaved text was kept; nothing was written. */
  | { readonly outcome: 'conflict' }
  /** The document was closed meanwhile: the jail writes. */
  | { readonly outcome: 'notOpen' };

/** Documents that are open in an editor, by canonical path. */
export interface EditorFiles {
  /** The text a person sees now, saved or not, or undefined where the file is not open. */
  openText(canonical: string): OpenText | undefined;
  /**
   * Writes into an open document with unsaved changes and saves it. `base` is the text that `text` was built on: if
   * the document holds something else by now, nothing is written and `conflict` is answered.
   */
  write(canonical: string, text: string, base: string): Promise<EditorWrite>;
  /**
   * Called before the jail writes a file that is not open, so that the person can undo it in the editor later. Never
   * rejects, and takes little time.
   */
  prepareUndo?(canonical: string): Promise<void>;
}

export interface Log {
  /** One line, already redacted by the caller's side of `redact`. */
  info(message: string): void;
  warn(message: string): void;
}

export type ApprovalRequest = Omit<Approval, 'approvalId' | 'state' | 'preparing'> & {
  /**
   * Looks at what the request would do, after it was put at its place in the queue. Either it decides, or it adds
   * facts and a person is asked. If it rejects, a person is asked with what is there.
   */
  readonly prepare?: () => Promise<{ readonly decision?: Decision; readonly facts?: Partial<Approval> }>;
  /** Ends the wait: the turn was cancelled, the agent took the request back, or it stopped. */
  readonly signal: AbortSignal;
};

export type Decision =
  | { readonly outcome: 'allowed'; readonly by: 'person' | 'policy'; readonly optionId?: string }
  | {
      readonly outcome: 'denied';
      readonly by: 'person' | 'policy';
      readonly optionId?: string;
      readonly comment?: string;
    }
  | { readonly outcome: 'cancelled'; readonly by: 'cancel' | 'agent' | 'exit' };

/** Asks a person, or answers for a person who set a rule. Never rejects. */
export interface ApprovalGate {
  ask(request: ApprovalRequest): Promise<Decision>;
}

/** How the host may serve the file and terminal methods of one session. Read anew at every call. */
export type ServePolicy = {
  readonly read: boolean;
  readonly write: 'off' | 'ask' | 'allow';
  readonly terminal: 'off' | 'ask' | 'allow';
  /** Without it `allow` behaves as `ask`. */
  readonly acknowledged: boolean;
  /** The person's and the folder's own patterns. */
  readonly files?: FileRules;
};

export type FileFact = {
  readonly operation: 'read' | 'write';
  readonly path: string;
  readonly canonical: string | null;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly reason?: string;
  readonly provenance?: Provenance;
};
