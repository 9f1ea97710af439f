import type { VNode } from 'preact';
import { stripControls } from '../../core/text/visible.js';
import { Icon } from '../icon.js';
import type { Found } from './slash.js';

/** The agent's commands, above the composer. The composer keeps the focus and moves the selection. */
export function SlashPopup(props: {
  readonly agent: string;
  readonly known: boolean;
  readonly found: readonly Found[];
  readonly selected: number;
  readonly choose: (found: Found) => void;
}): VNode {
  const { agent, known, found, selected, choose } = props;
  return (
    <div class="popup">
      {found.length === 0 ? (
        <p class="pi hint">{known ? 'No command matches.' : `${agent} has not offered commands yet.`}</p>
      ) : (
        <div role="listbox" id="slash-commands" aria-label="Commands">
          {found.map((one, i) => (
            <div
              class={i === selected ? 'pi sel' : 'pi'}
              key={one.name}
              id={`slash-${i}`}
              role="option"
              aria-selected={i === selected}
              onMouseDown={(event) => {
                // Before the text box loses the focus.
                event.preventDefault();
                choose(one);
              }}
            >
              <Icon name="symbol-event" />
              <span class="lab cut">
                /{one.pieces.map((piece) => (piece.match ? <em>{piece.text}</em> : stripControls(piece.text)))}
              </span>
              <span class="hint cut grow">{stripControls(one.command.description)}</span>
            </div>
          ))}
        </div>
      )}
      <footer>
        <span>
          <kbd>Enter</kbd> insert
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
        <span class="hide-narrow">Commands offered by {agent}</span>
      </footer>
    </div>
  );
}
