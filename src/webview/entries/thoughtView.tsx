import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { stripControls } from '../../core/text/visible.js';
import type { ThoughtEntry } from '../../core/transcript/model.js';
import { duration } from '../format.js';
import { Icon } from '../icon.js';

/** A thought in one row; opens in place as quiet text. */
export function ThoughtView(props: { readonly entry: ThoughtEntry }): VNode {
  const { entry } = props;
  const [open, setOpen] = useState(false);
  const ms = entry.endedAt === undefined ? 0 : entry.endedAt - entry.at;
  const label = entry.open ? 'Thinking…' : ms < 500 ? 'Thought' : `Thought for ${duration(ms)}`;
  return (
    <>
      <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="thinking" />
        <span class="what">{label}</span>
      </button>
      {open && <div class="thought">{stripControls(entry.text)}</div>}
    </>
  );
}
