import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanEntryGroup, PlanStep } from '../../core/transcript/model.js';
import { Icon } from '../icon.js';
import { VisibleText } from '../visibleText.js';

/** A plan of an earlier turn, as it stood at its end. */
export function ArchivedPlan(props: { readonly entry: PlanEntryGroup }): VNode {
  const { entries } = props.entry;
  const [open, setOpen] = useState(false);
  const done = entries.filter(({ status }) => status === 'completed').length;
  return (
    <>
      <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="tasklist" />
        <span class="what">
          <b>Plan</b> {done} of {entries.length} done
        </span>
      </button>
      {open && (
        <ul class="steps">
          {entries.map((step) => (
            <li key={step.id}>
              <Icon name={stepIcon(step)} />
              <span>
                <span class="sr">{stepWord(step)}: </span>
                <VisibleText text={step.content} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function stepIcon({ status }: PlanStep): string {
  switch (status) {
    case 'completed':
      return 'pass';
    case 'in_progress':
    case 'pending':
      return 'circle-large';
    default:
      return 'question';
  }
}

function stepWord({ status }: PlanStep): string {
  return status === 'completed' ? 'done' : status === 'in_progress' || status === 'pending' ? 'not done' : status;
}
