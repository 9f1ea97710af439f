/** The words of a request for permission. */
import { isMisnamed } from '../../core/policy/options.js';
import { lookalikeNote, variablesNote } from '../../core/text/cardNotes.js';
import type { Approval, ApprovalMark, ApprovalOptionKind } from '../../core/transcript/model.js';

type Names = { readonly agent: string; readonly folder: string };

/** The question, as the host worded it. Only `other` is the agent's own sentence and may lack its mark. */
export function approvalQuestion(approval: Approval): string {
  return approval.verb === 'other' || approval.title.endsWith('?') ? approval.title : `${approval.title}?`;
}

/** Who does it: VS Code after the answer, or the agent by itself. */
export function approvalActor(approval: Approval, { agent, folder }: Names): string {
  if (approval.verb === 'switch_mode' && approval.switchesToFree === true && approval.switchesTo?.length === 1) {
    return `In this mode ${agent} asks nothing.`;
  }
  if (approval.verb === 'read' && approval.marks.includes('outside')) {
    return `It is outside ${folder}.`;
  }
  if (approval.origin === 'host') {
    return approval.verb === 'execute'
      ? 'VS Code runs this in a terminal after you allow it.'
      : approval.verb === 'edit' || approval.verb === 'create'
        ? 'VS Code writes this after you allow it.'
        : 'VS Code does this after you allow it.';
  }
  return approval.verb === 'execute'
    ? `${agent} runs this itself. These are its words.`
    : `${agent} does this itself. These are its words.`;
}

/** What an option does, in our words. Its name is the agent's, and may say something else. */
export const optionVerbs: Readonly<Record<ApprovalOptionKind, string>> = {
  allow_once: 'Allow Once',
  allow_always: 'Always allow',
  reject_once: 'Deny',
  reject_always: 'Always deny',
  unknown: 'Unknown effect',
};

/** The sentence that a mark puts into the card's body, or undefined for one that is a tag only. */
export function approvalNote(approval: Approval, mark: ApprovalMark, { agent }: Names): string | undefined {
  switch (mark) {
    case 'hidden': {
      const what = approval.verb === 'execute' ? 'command' : 'text';
      const end = approval.verb === 'execute' ? ' What you see may not be what runs.' : '';
      return `This ${what} contains characters that do not show. They stand here as codes.${end}`;
    }
    case 'differs':
      return 'This differs from what you allowed above.';
    case 'nodetail':
      return `${agent} sent no details.`;
    case 'stale':
      return `${fileName(approval)} has changed since ${agent} read it. The diff is against the text as it is now.`;
    case 'conflict':
      return 'You have unsaved changes here. Allowing keeps them and adds the edit; where both changed, yours stay.';
    case 'misnamed': {
      const option = approval.options.find(isMisnamed);
      return option && `${agent} calls this “${option.name}”, but it means ${optionVerbs[option.kind]}.`;
    }
    case 'lookalike':
      return lookalikeNote;
    case 'variables':
      return variablesNote;
    case 'sensitive':
    case 'outside':
    case 'linked':
    case 'shell':
      return undefined;
  }
}

function fileName(approval: Approval): string {
  const path = approval.paths[0] ?? approval.title;
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const careful: ReadonlySet<ApprovalMark> = new Set(['hidden', 'lookalike', 'variables', 'sensitive', 'outside']);

/** Nothing of this is allowed with one click. */
export function needsCare(approval: Approval): boolean {
  return approval.marks.some((mark) => careful.has(mark));
}
