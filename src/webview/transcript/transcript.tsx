import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findTool, pageSize, type Entry } from '../../core/transcript/model.js';
import { ApprovalCard } from '../approval/approvalCard.js';
import { revealApproval } from '../approval/focus.js';
import { agentName, useModeName, type EntryContext } from '../entries/context.js';
import { EntryView } from '../entries/entryView.js';
import { plural } from '../format.js';
import { useSelect, useStore } from '../hooks.js';
import { memo } from '../memo.js';
import { EmptyState, wantsEmptyState } from '../panel/emptyState.js';
import { Consent, OldDialog } from '../panel/consent.js';
import type { ViewState } from '../store.js';
import { Follower, type FollowState } from './follow.js';
import { Pills } from './pills.js';
import { moveBetweenEntries } from './roving.js';

/** Entries that are drawn at first, and how many more each press shows. In whole pages, which keep their identity. */
const shownPages = Math.ceil(500 / pageSize);

/** The conversation. It is the one part of the panel that scrolls. */
export function Transcript(): VNode {
  const store = useStore();
  const scroller = useRef<HTMLDivElement>(null);
  const flow = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | null>(null);
  const [follow, setFollow] = useState<FollowState>({ following: true, approvalHidden: false });
  const empty = useSelect(wantsEmptyState);
  const isEmpty = useRef(empty);
  isEmpty.current = empty;
  const sent = useSelect((state) => state.transcript.turn.number);
  useLayoutEffect(() => {
    const element = scroller.current;
    const content = flow.current;
    if (element === null || content === null) {
      return undefined;
    }
    const active = new Follower(element, setFollow, () => store.state.transcript.approvals.length > 0);
    follower.current = active;
    // The empty state is read from its top; only a conversation is followed at its end.
    const whenTalking = (act: () => void) => (): void => {
      if (!isEmpty.current) {
        act();
      }
    };
    const observer = new ResizeObserver(whenTalking(() => active.resized()));
    observer.observe(element);
    observer.observe(content);
    const scrolled = whenTalking(() => active.scrolled());
    element.addEventListener('scroll', scrolled, { passive: true });
    const selected = (): void => {
      const selection = document.getSelection();
      if (selection?.isCollapsed === false && content.contains(selection.anchorNode)) {
        active.stop();
      }
    };
    document.addEventListener('selectionchange', selected);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
      document.removeEventListener('selectionchange', selected);
    };
  }, []);
  // A prompt that was sent is the person's own move: they want to see what follows.
  useLayoutEffect(() => {
    if (sent > 0) {
      follower.current?.toEnd();
    }
  }, [sent]);
  useLayoutEffect(() => {
    if (empty && scroller.current !== null) {
      scroller.current.scrollTop = 0;
    }
  }, [empty]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (scroller.current !== null && moveBetweenEntries(event, scroller.current)) {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'End') {
        follower.current?.toEnd();
      }
    }
  };
  return (
    <>
      <div
        class="scroll"
        ref={scroller}
        data-testid="transcript"
        role="log"
        aria-live="polite"
        aria-label="Conversation"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('[aria-expanded=true], .diff button') !== null) {
            follower.current?.stop();
          }
        }}
      >
        <div class="col flow" ref={flow}>
          {empty ? <EmptyState /> : <Entries scroller={scroller} />}
        </div>
      </div>
      <Pills follow={follow} toEnd={() => follower.current?.toEnd()} toApproval={(id) => revealApproval(id)} />
    </>
  );
}

function Entries(props: { readonly scroller: { readonly current: HTMLElement | null } }): VNode {
  const pages = useSelect((state) => state.transcript.pages);
  const context = useContextOfEntries();
  const [extra, setExtra] = useState(0);
  const first = Math.max(0, pages.length - shownPages - extra);
  const hidden = pages.slice(0, first).reduce((sum, page) => sum + page.length, 0);
  const fromEnd = useRef<number | null>(null);
  const more = (): void => {
    const element = props.scroller.current;
    fromEnd.current = element === null ? null : element.scrollHeight - element.scrollTop;
    setExtra((n) => n + shownPages);
  };
  // What is added above must not push what the person looks at.
  useLayoutEffect(() => {
    const element = props.scroller.current;
    if (element !== null && fromEnd.current !== null) {
      element.scrollTop = element.scrollHeight - fromEnd.current;
      fromEnd.current = null;
    }
  }, [extra]);
  return (
    <>
      {hidden > 0 && (
        <div class="earlier">
          <button type="button" class="btn small" onClick={more}>
            Show {plural(hidden, 'earlier entry', 'earlier entries')}
          </button>
        </div>
      )}
      {pages.slice(first).map((page, i) => (
        <Page key={first + i} page={page} context={context} />
      ))}
      <LooseApprovals context={context} />
      <Consent whenEmpty={false} />
      <OldDialog />
    </>
  );
}

const Page = memo(function Page(props: { readonly page: readonly Entry[]; readonly context: EntryContext }): VNode {
  return (
    <>
      {props.page.map((entry) => (
        <EntryView key={entry.id} entry={entry} context={props.context} />
      ))}
    </>
  );
});

function useContextOfEntries(): EntryContext {
  const agent = useSelect((state) => agentName(state.panel));
  const folder = useSelect((state) => state.panel?.folder?.name);
  const mode = useModeName();
  const turn = useSelect((state) => state.transcript.turn.number);
  return useMemo(() => ({ agent, folder, mode, turn }), [agent, folder, mode, turn]);
}

/** Requests that no tool row stands for: the host's own, and those of calls that were never announced. */
function LooseApprovals(props: { readonly context: EntryContext }): VNode {
  const { agent, folder, turn } = props.context;
  const approvals = useSelect((state) => state.transcript.approvals);
  const store = useStore();
  const count = useSelect((state) => (state.transcript.approvals.length === 0 ? 0 : state.transcript.count));
  const loose = useMemo(
    () => approvals.filter(({ state, toolCallId }) => state !== 'settled' && !hasRow(store.state, toolCallId, turn)),
    [store, approvals, count, turn],
  );
  return (
    <>
      {loose.map((approval) => (
        <div class="entry whole" key={approval.approvalId}>
          <ApprovalCard approval={approval} agent={agent} folder={folder ?? 'the folder'} />
        </div>
      ))}
    </>
  );
}

function hasRow({ transcript }: ViewState, toolCallId: string | undefined, turn: number): boolean {
  return toolCallId !== undefined && findTool(transcript, toolCallId)?.turn === turn;
}
