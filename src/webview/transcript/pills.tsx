import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSelect } from '../hooks.js';
import { Icon } from '../icon.js';
import type { FollowState } from './follow.js';

/** What the person would miss, over the end of the transcript. Takes no room. */
export function Pills(props: {
  readonly follow: FollowState;
  readonly toEnd: () => void;
  readonly toApproval: (approvalId: string) => void;
}): VNode {
  const { following, approvalHidden } = props.follow;
  const count = useSelect((state) => (following ? 0 : state.transcript.count));
  const approvalId = useSelect((state) => state.transcript.approvals[0]?.approvalId);
  const [left, setLeft] = useState(0);
  useEffect(() => setLeft(count), [following]);
  const fresh = following || left === 0 ? 0 : count - left;
  return (
    <div class="over">
      <div class="pills">
        {approvalHidden && approvalId !== undefined && (
          <button type="button" class="pill main" onClick={() => props.toApproval(approvalId)}>
            <Icon name="shield" />
            Needs your answer
          </button>
        )}
        {!following && (
          <button type="button" class="pill" onClick={props.toEnd}>
            <Icon name="arrow-down" />
            Latest{fresh > 0 && ` · ${fresh} new`}
          </button>
        )}
      </div>
    </div>
  );
}
