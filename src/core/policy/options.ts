/**
 * Which of the options that an agent offers answers a plain decision. The host chooses by kind alone and only the
 * once-kinds; an option's name is the agent's word and chooses nothing.
 */
import type { ApprovalOption, ApprovalOptionKind } from '../transcript/model.js';
import { limits } from '../text/limits.js';
import { utf8Length } from './paths.js';

export type OptionsCheck = { readonly valid: true } | { readonly valid: false; readonly why: string };

/** Whether a list of options can be shown and answered at all. Ids must be unique, or an answer has two meanings. */
export function checkOptions(options: readonly Pick<ApprovalOption, 'optionId'>[]): OptionsCheck {
  if (options.length === 0) {
    return { valid: false, why: 'no option was offered' };
  }
  if (options.length > limits.permissionOptions) {
    return { valid: false, why: `more than ${limits.permissionOptions} options were offered` };
  }
  if (options.some(({ optionId }) => optionId === '' || utf8Length(optionId) > limits.optionId)) {
    return { valid: false, why: 'an option has no usable id' };
  }
  if (new Set(options.map(({ optionId }) => optionId)).size !== options.length) {
    return { valid: false, why: 'two options have the same id' };
  }
  return { valid: true };
}

/** Two options of one allow kind are a question with several answers: only a person can choose. */
export function isChooser(options: readonly ApprovalOption[]): boolean {
  return countOf(options, 'allow_once') > 1 || countOf(options, 'allow_always') > 1;
}

/** The id of the one option of this kind, or undefined where there is none or more than one. */
export function soleOption(options: readonly ApprovalOption[], kind: 'allow_once' | 'reject_once'): string | undefined {
  const found = options.filter((option) => option.kind === kind);
  return found.length === 1 ? found[0]?.optionId : undefined;
}

/** Whether a person may answer with a plain Allow Once or Deny: each stands for one option at most. */
export function hasPlainAnswers(options: readonly ApprovalOption[]): boolean {
  return soleOption(options, 'allow_once') !== undefined && countOf(options, 'reject_once') <= 1;
}

export type OptionAnswer =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' }
  /** No option may be chosen for this decision: a person has to pick one. */
  | { readonly outcome: 'none'; readonly why: string };

/**
 * The answer for a plain decision. Allow: the only `allow_once`, else none. Deny: the only `reject_once`, else
 * `cancelled`; an option that rejects for good is never picked here. A malformed list is always `cancelled`.
 */
export function answerFor(decision: 'allow_once' | 'reject_once', options: readonly ApprovalOption[]): OptionAnswer {
  if (!checkOptions(options).valid) {
    return { outcome: 'cancelled' };
  }
  const optionId = soleOption(options, decision);
  if (optionId !== undefined && !(decision === 'allow_once' && isChooser(options))) {
    return { outcome: 'selected', optionId };
  }
  return decision === 'reject_once'
    ? { outcome: 'cancelled' }
    : {
        outcome: 'none',
        why: countOf(options, 'allow_once') > 0 ? 'several options allow it' : 'no option allows it once',
      };
}

/** What a person's chosen option means, or undefined for one whose effect is unknown. */
function meaningOf(kind: ApprovalOptionKind): 'allowed' | 'denied' | undefined {
  switch (kind) {
    case 'allow_once':
    case 'allow_always':
      return 'allowed';
    case 'reject_once':
    case 'reject_always':
      return 'denied';
    case 'unknown':
      return undefined;
  }
}

const allowWords = /\b(?:allow|yes|accept|approve|ok|proceed|continue)\b/iu;
const rejectWords = /\b(?:reject|no|deny|cancel|decline|refuse|stop|abort|don['’]?t)\b/iu;

/** Whether an option's name says the opposite of its kind: "No" on one that allows. */
export function isMisnamed({ name, kind }: Pick<ApprovalOption, 'name' | 'kind'>): boolean {
  const meaning = meaningOf(kind);
  const allows = allowWords.test(name);
  const rejects = rejectWords.test(name);
  return (meaning === 'allowed' && rejects && !allows) || (meaning === 'denied' && allows && !rejects);
}

function countOf(options: readonly ApprovalOption[], kind: ApprovalOptionKind): number {
  return options.filter((option) => option.kind === kind).length;
}
