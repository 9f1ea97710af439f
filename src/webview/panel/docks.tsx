import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanStep, QueuedPrompt } from '../../core/transcript/model.js';
import { stripControls } from '../../core/text/visible.js';
import { isComposingKey } from '../composer/keys.js';
import { clock } from '../format.js';
import { useNow, useSelect, useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { memo } from '../memo.js';
import { VisibleText } from '../visibleText.js';

/** Queued prompts that are listed. */
const listed = 3;

/** What belongs to the turn and not to a place in the conversation, tucked onto the composer. */
export function Docks(): VNode | null {
  const plan = useSelect((state) => state.transcript.plan);
  const queue = useSelect((state) => state.transcript.queue);
  return plan.length === 0 && queue.length === 0 ? null : (
    <div class="dock">
      {plan.length > 0 && <PlanDock plan={plan} />}
      {queue.slice(0, listed).map((prompt, i) => (
        <Queued key={prompt.promptId} prompt={prompt} place={i + 1} />
      ))}
      {queue.length > listed && <div class="quiet">and {queue.length - listed} more</div>}
    </div>
  );
}

const PlanDock = memo(function PlanDock(props: { readonly plan: readonly PlanStep[] }): VNode {
  const { plan } = props;
  const store = useStore();
  const running = useSelect((state) => state.transcript.turn.state === 'running');
  const doing = plan.findIndex(({ status }) => status === 'in_progress');
  const done = plan.filter(({ status }) => status === 'completed').length;
  const place = doing >= 0 ? doing + 1 : done;
  const step = plan[doing >= 0 ? doing : Math.min(done, plan.length - 1)];
  const now = useNow(running && step?.startedAt !== undefined && step.endedAt === undefined);
  const elapsed = step?.startedAt === undefined ? '' : clock((step.endedAt ?? now) - step.startedAt);
  const content = stripControls(step?.content ?? '');
  return (
    <button
      type="button"
      data-testid="entry"
      data-kind="plan"
      title={`Open the plan\n${content}`}
      aria-label={`Plan, step ${place} of ${plan.length}: ${content}. Open the plan view.`}
      onClick={() => store.post({ type: 'showPlan' })}
    >
      <Icon name="tasklist" />
      <span class="num">
        {place}/{plan.length}
      </span>
      <span class="cut grow fg">
        <VisibleText text={content} />
      </span>
      <span class="bar">
        <i style={{ width: `${Math.round((100 * done) / plan.length)}%` }} />
      </span>
      <span class="num quiet">{elapsed}</span>
      <Icon name="chevron-right" />
    </button>
  );
});

/** One function, so that a new drawing does not focus the field again. */
function focusIt(element: HTMLTextAreaElement | null): void {
  element?.focus();
}

function Queued(props: { readonly prompt: QueuedPrompt; readonly place: number }): VNode {
  const { prompt, place } = props;
  const store = useStore();
  const idle = useSelect(({ transcript: { turn } }) => turn.state === 'idle' || turn.state === 'failed');
  const [editing, setEditing] = useState(false);
  const save = (text: string): void => {
    setEditing(false);
    if (text.trim() !== '' && text !== prompt.text) {
      store.post({ type: 'editQueued', promptId: prompt.promptId, text });
    }
  };
  return (
    <div>
      <span class="ord num">{place}</span>
      {editing ? (
        <textarea
          class="grow"
          rows={1}
          aria-label={`Queued prompt ${place}`}
          ref={focusIt}
          onBlur={(event) => save(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (isComposingKey(event)) {
              return;
            }
            if (event.key === 'Escape') {
              event.stopPropagation();
              setEditing(false);
            } else if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              event.stopPropagation();
              save(event.currentTarget.value);
            }
          }}
          defaultValue={prompt.text}
        />
      ) : (
        <span class="cut grow fg" title={prompt.text}>
          {prompt.text}
        </span>
      )}
      {idle && (
        <IconButton
          icon="forward"
          label="Send now"
          onClick={() => store.post({ type: 'sendQueued', promptId: prompt.promptId })}
        />
      )}
      <IconButton icon="edit" label="Edit" onClick={() => setEditing(true)} />
      <IconButton
        icon="close"
        label="Remove"
        onClick={() => store.post({ type: 'removeQueued', promptId: prompt.promptId })}
      />
    </div>
  );
}
