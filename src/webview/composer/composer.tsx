import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { agentName } from '../entries/context.js';
import { useSelect, useStore } from '../hooks.js';
import type { Draft } from './draft.js';
import { isComposingKey, isSendKey } from './keys.js';
import { PromptHistory } from './history.js';
import { findCommands, slashQuery, type Found } from './slash.js';
import { SlashPopup } from './slashPopup.js';
import { Toolbar } from './toolbar.js';

/** `typed` is a hint for the host to hold a dialog back; one in this many ms is enough. */
const typedEvery = 250;

/** The text box and its buttons. The text lives in the DOM; everything else is drawn from the replica. */
export function Composer(props: { readonly draft: Draft; readonly initial: () => string }): VNode {
  const { draft } = props;
  const store = useStore();
  const input = useRef<HTMLTextAreaElement>(null);
  const lastTyped = useRef(-Infinity);
  const history = useRef(new PromptHistory());
  const [text, setText] = useState(props.initial);
  const first = useRef(text);
  const [selected, setSelected] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [hint, setHint] = useState(false);
  const agent = useSelect((state) => agentName(state.panel));
  const active = useSelect(({ transcript: { turn } }) => turn.state === 'running' || turn.state === 'cancelling');
  const dead = useSelect(({ panel }) => panel?.agentState.state === 'failed');
  // Where the question is not shown there is nothing to choose first; the host then keeps the prompt.
  const unset = useSelect(({ panel }) => panel?.edits === 'unset' && panel.trusted && panel.folder !== null);
  const hasAgent = useSelect(({ panel }) => panel !== null && panel.agent !== null);
  const commands = useSelect((state) => state.transcript.commands);
  useLayoutEffect(() => {
    if (input.current !== null) {
      input.current.value = first.current;
    }
  }, []);
  useEffect(() => {
    if (!unset) {
      setHint(false);
    }
  }, [unset]);
  const query = slashQuery(text);
  const found = query === null ? [] : findCommands(commands, query);
  const popup = query !== null && closedFor !== text && (found.length > 0 || query === '');
  const at = Math.min(selected, Math.max(0, found.length - 1));

  const changed = (): void => {
    const value = input.current?.value ?? '';
    setText(value);
    setSelected(0);
    draft.note(value);
  };
  const put = (value: string): void => {
    if (input.current !== null) {
      input.current.value = value;
      input.current.setSelectionRange(value.length, value.length);
      changed();
    }
  };
  const send = (): void => {
    const value = input.current?.value ?? '';
    if (value.trim() === '') {
      return;
    }
    if (unset && hasAgent) {
      setHint(true);
      document.querySelector<HTMLElement>('[data-testid=consent-ask]')?.focus();
      return;
    }
    store.post({ type: 'sendPrompt', text: value });
    history.current.add(value);
    put('');
    draft.flush();
  };
  const choose = (one: Found): void => put(`/${one.name} `);
  const onPopupKey = (event: KeyboardEvent): boolean => {
    const one = found[at];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setSelected((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % Math.max(1, found.length));
        return true;
      case 'Enter':
      case 'Tab':
        // A command that is typed in full is sent, not completed.
        if (one === undefined || event.shiftKey || (event.key === 'Enter' && one.name === query)) {
          return false;
        }
        choose(one);
        return true;
      case 'Escape':
        setClosedFor(text);
        store.escape.mayStep();
        return true;
      default:
        return false;
    }
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (popup && onPopupKey(event)) {
      return true;
    }
    if (isSendKey(event)) {
      send();
      return true;
    }
    if (event.key === 'Escape') {
      return active && store.escape.mayStep() ? (store.post({ type: 'stop' }), true) : active;
    }
    const recalled = input.current === null ? null : history.current.key(event, input.current);
    if (recalled !== null) {
      put(recalled);
      return true;
    }
    return false;
  };
  return (
    <div class="composer">
      {popup && <SlashPopup agent={agent} known={commands.length > 0} found={found} selected={at} choose={choose} />}
      {hint && (
        <p class="hint" role="alert">
          Choose this first. Your prompt is kept.
        </p>
      )}
      <textarea
        class="box"
        ref={input}
        data-testid="composer-input"
        rows={1}
        aria-label={`Message to ${agent}`}
        placeholder={placeholderOf(hasAgent ? agent : null, dead, active)}
        aria-activedescendant={popup && found.length > 0 ? `slash-${at}` : undefined}
        onInput={changed}
        onBlur={() => draft.flush()}
        onKeyDown={(event) => {
          if (performance.now() - lastTyped.current > typedEvery) {
            lastTyped.current = performance.now();
            store.post({ type: 'typed' });
          }
          if (!isComposingKey(event) && onKey(event)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      />
      <Toolbar empty={text.trim() === ''} active={active} send={send} stop={() => store.post({ type: 'stop' })} />
    </div>
  );
}

function placeholderOf(agent: string | null, dead: boolean, active: boolean): string {
  if (agent === null) {
    return 'Ask an agent';
  }
  return dead ? `Send restarts ${agent}` : active ? 'Queue a follow-up' : `Ask ${agent}. / shows commands`;
}
