import type { VNode } from 'preact';
import type { ApprovalOption } from '../../core/transcript/model.js';
import { useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { VisibleText } from '../visibleText.js';
import type { ApprovalView } from './approvalActions.js';
import { optionVerbs } from './words.js';

const icons: Readonly<Record<ApprovalOption['kind'], string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'close',
  reject_always: 'circle-slash',
  unknown: 'question',
};
const order: readonly ApprovalOption['kind'][] = [
  'allow_once',
  'reject_once',
  'unknown',
  'allow_always',
  'reject_always',
];

/** Several ways to answer: our verb, and the agent's words quoted below. What lasts comes last, under its own sentence. */
export function OptionList(props: ApprovalView): VNode {
  const sorted = order.flatMap((kind) => props.approval.options.filter((option) => option.kind === kind));
  const lasting = sorted.filter(({ kind }) => kind === 'allow_always' || kind === 'reject_always');
  const once = sorted.filter((option) => !lasting.includes(option));
  const hasDeny = once.some(({ kind }) => kind === 'reject_once');
  const store = useStore();
  const { approvalId, diff } = props.approval;
  return (
    <div class="options">
      {once.map((option) => (
        <Option key={option.optionId} option={option} once {...props} />
      ))}
      {!hasDeny && (
        <button
          type="button"
          class="opt once"
          data-testid="approval-option"
          data-option-id="reject_once"
          data-option-kind="reject_once"
          aria-disabled={!props.armed || props.busy}
          onClick={() => props.choose({ by: 'decision', decision: 'reject_once' })}
        >
          <Icon name={icons.reject_once} />
          <span>
            <b>{optionVerbs.reject_once}</b>
          </span>
        </button>
      )}
      {lasting.length > 0 && <h4>{props.agent} would remember these. VS Code will not see the next ones.</h4>}
      {lasting.map((option) => (
        <Option key={option.optionId} option={option} {...props} />
      ))}
      {diff !== undefined && (
        <footer>
          <span class="grow" />
          <IconButton
            icon="diff"
            label="Open diff"
            text="Open diff"
            textClass="wide"
            onClick={() => store.post({ type: 'openDiff', approvalId })}
          />
        </footer>
      )}
    </div>
  );
}

function Option(props: ApprovalView & { readonly option: ApprovalOption; readonly once?: boolean }): VNode {
  const { option, once, armed, busy, answering, confirming, choose } = props;
  const is = (choice: ApprovalView['answering']): boolean =>
    choice?.by === 'option' && choice.option.optionId === option.optionId;
  const verb = is(confirming) ? 'Press again to allow' : optionVerbs[option.kind];
  return (
    <button
      type="button"
      class={once === true ? 'opt once' : 'opt'}
      data-testid="approval-option"
      data-option-id={option.optionId}
      data-option-kind={option.kind}
      aria-disabled={!armed || busy}
      onClick={() => choose({ by: 'option', option })}
    >
      {is(answering) ? <Icon name="loading" class="spin" /> : <Icon name={icons[option.kind]} />}
      <span>{once === true ? <b>{verb}</b> : verb}</span>
      <q>
        <VisibleText text={option.name} />
      </q>
    </button>
  );
}
