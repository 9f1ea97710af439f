import type { VNode } from 'preact';
import { agentName } from '../entries/context.js';
import { duration } from '../format.js';
import { useNow, useSelect } from '../hooks.js';
import { Icon } from '../icon.js';
import type { ViewState } from '../store.js';
import { stateNumbers, stateWords, type StateWords } from './stateWords.js';

/** One line that is always there. Its seconds are not read out, its words are. */
export function StateLine(): VNode {
  const turn = useSelect((state) => state.transcript.turn.state);
  const starting = useSelect((state) => state.panel?.agentState.state === 'starting');
  const now = useNow(turn === 'running' || turn === 'cancelling' || starting);
  const words = (state: ViewState): StateWords =>
    stateWords(state.transcript, agentName(state.panel), state.panel?.agentState, state.panel?.folder?.name, now);
  // Parts that are strings and numbers: a chunk that changes no word draws nothing.
  const text = useSelect((state) => words(state).text);
  const icon = useSelect((state) => words(state).icon?.name);
  const iconClass = useSelect((state) => words(state).icon?.class);
  const since = useSelect((state) => words(state).since);
  const numbers = useSelect((state) => stateNumbers(state.transcript, now));
  return (
    <div class="state" data-testid="turn-state" data-state={turn} role="status">
      <div class="col">
        {icon !== undefined && <Icon name={icon} {...(iconClass !== undefined && { class: iconClass })} />}
        <span class="cut grow" title={text}>
          {text}
          {since !== undefined && <span aria-hidden="true"> · {duration(now - since)}</span>}
        </span>
        <span class="num hide-narrow numbers" aria-hidden="true">
          {numbers}
        </span>
      </div>
    </div>
  );
}
