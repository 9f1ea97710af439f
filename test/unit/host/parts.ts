import type { Approval, ApprovalOption } from '../../../src/core/transcript/model.js';
import type { ApprovalRequest } from '../../../src/agent/ports.js';
import { diffView } from '../../../src/core/text/diffView.js';

export const allowOnce: ApprovalOption = { optionId: 'yes', name: 'Yes', kind: 'allow_once' };
export const rejectOnce: ApprovalOption = { optionId: 'no', name: 'No', kind: 'reject_once' };
export const folder = { folder: 'csv-kit', roots: ['/ws/csv-kit'] };

/** A request of the host to edit `/ws/csv-kit/src/parse.ts`. */
export function editApproval(changes: Partial<Approval> = {}): Approval {
  return {
    approvalId: 'a1',
    origin: 'host',
    verb: 'edit',
    title: 'Edit src/parse.ts?',
    paths: ['/ws/csv-kit/src/parse.ts'],
    diff: diffView('/ws/csv-kit/src/parse.ts', 'a\nb\nc\n', 'a\nx\ny\nc\n'),
    options: [allowOnce, rejectOnce],
    marks: [],
    state: 'waiting',
    ...changes,
  };
}

/** The same as it is asked, with a signal that nothing aborts unless one is given. */
export function editRequest(signal: AbortSignal, changes: Partial<Approval> = {}): ApprovalRequest {
  const { approvalId: _id, state: _state, ...facts } = editApproval(changes);
  return { ...facts, signal };
}

/** Lets everything that is already settled run on. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
