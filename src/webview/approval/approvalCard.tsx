import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval } from '../../core/transcript/model.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { DiffStat } from '../tools/diffBlock.js';
import { VisibleText } from '../visibleText.js';
import { ApprovalBody, ApprovalTags } from './approvalBody.js';
import { ApprovalActions } from './approvalActions.js';
import { OptionList } from './optionList.js';
import { answerMessage, isAllow, needsOptionList, plainChoice, type Choice } from './answer.js';
import { pageSurroundings, useArming, type Surroundings } from './arming.js';
import { focusAfterAnswer, focusNewRequest, revealApproval } from './focus.js';
import { approvalActor, approvalQuestion, needsCare } from './words.js';

/** How long "Press again to allow" stands, ms. */
const confirmFor = 5_000;

/**
 * A request that waits for a person. Nothing is answered before the buttons stood still for a moment, allowing what
 * needs care takes two presses after the end of the body was seen, and focus never lies on an allow by itself.
 */
export function ApprovalCard(props: {
  readonly approval: Approval;
  readonly agent: string;
  readonly folder: string;
  readonly surroundings?: Surroundings;
}): VNode {
  const { approval, agent, folder } = props;
  const store = useStore();
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const armed = useArming(bar, props.surroundings ?? pageSurroundings);
  const [answering, setAnswering] = useState<Choice | null>(null);
  const [confirming, setConfirming] = useState<Choice | null>(null);
  const careful = needsCare(approval);
  useLayoutEffect(() => {
    const element = card.current;
    focusNewRequest(element);
    return () => focusAfterAnswer(element);
  }, []);
  useEffect(() => {
    if (confirming === null) {
      return undefined;
    }
    const timer = setTimeout(() => setConfirming(null), confirmFor);
    return () => clearTimeout(timer);
  }, [confirming]);
  const busy = answering !== null || approval.state === 'answering';
  const choose = (choice: Choice): void => {
    if (busy) {
      return;
    }
    if (careful && isAllow(choice) && !isSame(confirming, choice)) {
      if (sawEnd(body.current)) {
        setConfirming(choice);
      }
      return;
    }
    setAnswering(choice);
    setConfirming(null);
    store.post(answerMessage(approval, choice));
  };
  const names = { agent, folder };
  const titleId = `approval-${approval.approvalId}`;
  const press = (choice: Choice): void => {
    if (armed) {
      choose(choice);
    }
  };
  const view = { approval, agent, armed, busy, careful, answering, confirming, choose: press };
  return (
    <section
      class="approval"
      ref={card}
      data-testid="approval"
      data-approval-id={approval.approvalId}
      role="group"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.isComposing && store.escape.mayStep()) {
          event.stopPropagation();
          choose(plainChoice(approval, 'reject_once'));
        }
      }}
    >
      <header>
        <Icon name="shield" />
        <h3 id={titleId}>
          <VisibleText text={approvalQuestion(approval)} />
        </h3>
        <Place approval={approval} />
        <p>
          {approvalActor(approval, names)}{' '}
          {approval.diff !== undefined && <DiffStat added={approval.diff.added} removed={approval.diff.removed} />}
        </p>
        <ApprovalTags approval={approval} names={names} />
      </header>
      <div class="body" ref={body} tabIndex={0} role="region" aria-label="What it asks for">
        <ApprovalBody approval={approval} names={names} />
      </div>
      <div ref={bar}>
        {needsOptionList(approval.options) ? <OptionList {...view} /> : <ApprovalActions {...view} />}
      </div>
    </section>
  );
}

/** `1 of 3` with the way to the others. Alone, it says nothing. */
function Place(props: { readonly approval: Approval }): VNode | null {
  const approvals = useSelect((state) => state.transcript.approvals);
  const at = approvals.findIndex(({ approvalId }) => approvalId === props.approval.approvalId);
  if (approvals.length < 2 || at < 0) {
    return null;
  }
  const go = (step: number): void => {
    const other = approvals[(at + step + approvals.length) % approvals.length];
    if (other !== undefined) {
      revealApproval(other.approvalId);
    }
  };
  return (
    <span class="nav num">
      <span>
        {at + 1} of {approvals.length}
      </span>
      <IconButton icon="chevron-up" label="Previous request" onClick={() => go(-1)} />
      <IconButton icon="chevron-down" label="Next request" onClick={() => go(1)} />
    </span>
  );
}

function isSame(a: Choice | null, b: Choice): boolean {
  return (
    a !== null &&
    (a.by === 'option'
      ? b.by === 'option' && a.option.optionId === b.option.optionId
      : b.by === 'decision' && a.decision === b.decision)
  );
}

/** Whether the end of the body is on screen; if it is not, scrolls on towards it. */
function sawEnd(body: HTMLElement | null): boolean {
  if (body === null || body.scrollHeight - body.scrollTop - body.clientHeight <= 2) {
    return true;
  }
  body.scrollTop += Math.max(40, body.clientHeight - 40);
  return false;
}
