import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Composer } from './composer/composer.js';
import type { Draft } from './composer/draft.js';
import { StoreProvider, useSelect } from './hooks.js';
import { Announcer } from './panel/announcer.js';
import { Docks } from './panel/docks.js';
import { Header } from './panel/header.js';
import { StateLine } from './panel/stateLine.js';
import type { Store } from './store.js';
import { Transcript } from './transcript/transcript.js';

/** The whole panel: header, transcript, state line, docks, composer. Only the transcript scrolls. */
export function App(props: {
  readonly store: Store;
  readonly draft: Draft;
  readonly initialDraft: () => string;
}): VNode {
  return (
    <StoreProvider value={props.store}>
      <Panel draft={props.draft} initialDraft={props.initialDraft} />
    </StoreProvider>
  );
}

function Panel(props: { readonly draft: Draft; readonly initialDraft: () => string }): VNode | null {
  const ready = useSelect((state) => state.panel !== null);
  const chat = useSelect((state) => state.chat);
  const surface = useSelect((state) => state.panel?.surface ?? 'sidebar');
  // Colours and padding differ in an editor tab.
  useLayoutEffect(() => {
    document.body.dataset['host'] = surface;
  }, [surface]);
  // Another chat is another conversation: nothing that was open, scrolled or typed in the old one stays.
  return ready ? (
    <main class="panel" key={chat}>
      <Header />
      <Transcript />
      <StateLine />
      <div class="bottom">
        <div class="col">
          <Docks />
          <Composer draft={props.draft} initial={props.initialDraft} />
        </div>
      </div>
      <Announcer />
    </main>
  ) : null;
}
