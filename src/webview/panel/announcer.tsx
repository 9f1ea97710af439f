import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Approval } from '../../core/transcript/model.js';
import { approvalActor, approvalQuestion } from '../approval/words.js';
import { agentName } from '../entries/context.js';
import { plural } from '../format.js';
import { useSelect } from '../hooks.js';

/** What is said aloud: that work begins and ends, and each request with its facts. Chunks are not read. */
export function Announcer(): VNode {
  const agent = useSelect((state) => agentName(state.panel));
  const folder = useSelect((state) => state.panel?.folder?.name ?? 'the folder');
  const turn = useSelect((state) => state.transcript.turn.state);
  const approvals = useSelect((state) => state.transcript.approvals);
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  const before = useRef({ turn, approvals });
  useEffect(() => {
    const { turn: was, approvals: had } = before.current;
    before.current = { turn, approvals };
    if (turn !== was) {
      setPolite(turn === 'running' ? `${agent} is working.` : turn === 'idle' ? `${agent} is done.` : '');
    }
    const fresh = approvals.find(({ approvalId }) => !had.some((old) => old.approvalId === approvalId));
    if (fresh !== undefined) {
      const place = approvals.indexOf(fresh) + 1;
      setUrgent(`Request ${place} of ${approvals.length}: ${spoken(fresh, agent, folder)}`);
    } else if (approvals.length < had.length) {
      setUrgent('');
    }
  }, [agent, folder, turn, approvals]);
  return (
    <>
      <div class="sr" aria-live="polite">
        {polite}
      </div>
      <div class="sr" aria-live="assertive">
        {urgent}
      </div>
    </>
  );
}

function spoken(approval: Approval, agent: string, folder: string): string {
  const { diff } = approval;
  const lines = diff === undefined ? '' : ` ${plural(diff.added, 'line')} added, ${diff.removed} removed.`;
  const command = approval.command === undefined ? '' : ` ${approval.command}.`;
  return `${approvalQuestion(approval)}${command}${lines} ${approvalActor(approval, { agent, folder })}`;
}
