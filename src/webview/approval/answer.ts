import type { ToHost } from '../../core/messages.js';
import type { Approval, ApprovalOption } from '../../core/transcript/model.js';

/** What a press on a card means. */
export type Choice =
  | { readonly by: 'option'; readonly option: ApprovalOption }
  | { readonly by: 'decision'; readonly decision: 'allow_once' | 'reject_once'; readonly comment?: string };

/** True where Allow Once and Deny do not say it all: several ways to allow, or one that lasts. */
export function needsOptionList(options: readonly ApprovalOption[]): boolean {
  const count = (kind: ApprovalOption['kind']): number => options.filter((option) => option.kind === kind).length;
  return (
    count('allow_once') > 1 ||
    count('reject_once') > 1 ||
    options.some(({ kind }) => kind === 'allow_always' || kind === 'reject_always' || kind === 'unknown')
  );
}

/** The plain answer: by the agent's own option where exactly one has the kind, else as a decision of ours. */
export function plainChoice(approval: Approval, decision: 'allow_once' | 'reject_once'): Choice {
  const [option, ...others] = approval.options.filter(({ kind }) => kind === decision);
  return option !== undefined && others.length === 0 ? { by: 'option', option } : { by: 'decision', decision };
}

/** The message for a choice. */
export function answerMessage(approval: Approval, choice: Choice): ToHost {
  const { approvalId } = approval;
  return choice.by === 'option'
    ? { type: 'answer', approvalId, optionId: choice.option.optionId }
    : {
        type: 'decide',
        approvalId,
        decision: choice.decision,
        ...(choice.comment !== undefined && { comment: choice.comment }),
      };
}

/** The option that Allow Once and Deny stand for, for `data-option-id`. */
export function choiceId(choice: Choice): string {
  return choice.by === 'option' ? choice.option.optionId : choice.decision;
}

export function isAllow(choice: Choice): boolean {
  return choice.by === 'decision' ? choice.decision === 'allow_once' : !choice.option.kind.startsWith('reject');
}
