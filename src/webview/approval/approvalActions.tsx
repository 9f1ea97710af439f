import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Approval } from '../../core/transcript/model.js';
import { useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { isComposingKey } from '../composer/keys.js';
import { choiceId, plainChoice, type Choice } from './answer.js';

export type ApprovalView = {
  readonly approval: Approval;
  readonly agent: string;
  readonly armed: boolean;
  readonly busy: boolean;
  readonly careful: boolean;
  readonly answering: Choice | null;
  readonly confirming: Choice | null;
  readonly choose: (choice: Choice) => void;
};

/** The bar of a plain request: Allow left of Deny, always. */
export function ApprovalActions(props: ApprovalView): VNode {
  const { approval, agent, armed, busy, careful, answering, confirming, choose } = props;
  const store = useStore();
  const [why, setWhy] = useState(false);
  const allow = plainChoice(approval, 'allow_once');
  const deny = plainChoice(approval, 'reject_once');
  const label = !careful ? 'Allow Once' : confirming === null ? 'Allow Once…' : 'Press again to allow';
  const open = (): void =>
    store.post(
      approval.verb === 'execute'
        ? { type: 'openApproval', approvalId: approval.approvalId }
        : { type: 'openDiff', approvalId: approval.approvalId },
    );
  return (
    <footer>
      <Answer kind="allow_once" choice={allow} label={label} main={!careful} {...{ armed, busy, answering, choose }} />
      <Answer kind="reject_once" choice={deny} label="Deny" main={false} {...{ armed, busy, answering, choose }} />
      <span class="grow" />
      <IconButton
        icon="comment"
        label="Deny and say why…"
        text="Deny and say why…"
        textClass="wide"
        onClick={() => setWhy(!why)}
      />
      {approval.verb === 'execute' ? (
        <IconButton icon="go-to-file" label="Open in editor" text="Open in editor" textClass="wide" onClick={open} />
      ) : (
        approval.diff !== undefined && (
          <IconButton icon="diff" label="Open diff" text="Open diff" textClass="wide" onClick={open} />
        )
      )}
      {why && (
        <Why
          agent={agent}
          send={(comment) => choose(comment === '' ? deny : { by: 'decision', decision: 'reject_once', comment })}
          close={() => setWhy(false)}
        />
      )}
    </footer>
  );
}

function Answer(props: {
  readonly kind: 'allow_once' | 'reject_once';
  readonly choice: Choice;
  readonly label: string;
  readonly main: boolean;
  readonly armed: boolean;
  readonly busy: boolean;
  readonly answering: Choice | null;
  readonly choose: (choice: Choice) => void;
}): VNode {
  const { kind, choice, label, main, armed, busy, answering, choose } = props;
  const pressed = answering !== null && choiceId(answering) === choiceId(choice);
  return (
    <button
      type="button"
      class={main ? 'btn main' : 'btn'}
      data-testid="approval-option"
      data-option-kind={kind}
      data-option-id={choiceId(choice)}
      aria-disabled={!armed || busy}
      onClick={() => choose(choice)}
    >
      {pressed && <Icon name="loading" class="spin" />}
      {label}
    </button>
  );
}

/** The reason is the person's next prompt. */
function Why(props: {
  readonly agent: string;
  readonly send: (text: string) => void;
  readonly close: () => void;
}): VNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <input
      class="why"
      ref={input}
      placeholder={`What should ${props.agent} do instead?`}
      aria-label={`What should ${props.agent} do instead?`}
      onKeyDown={(event) => {
        if (isComposingKey(event)) {
          return;
        }
        if (event.key === 'Enter') {
          event.preventDefault();
          event.stopPropagation();
          props.send(event.currentTarget.value.trim());
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          props.close();
        }
      }}
    />
  );
}
