import type { ComponentChildren, VNode } from 'preact';
import type { Entry, ToolEntry } from '../../core/transcript/model.js';
import { ApprovalCard } from '../approval/approvalCard.js';
import { useSelect } from '../hooks.js';
import { memo } from '../memo.js';
import { CommandCard } from '../tools/commandCard.js';
import { EditCard } from '../tools/editCard.js';
import { ToolRow } from '../tools/toolRow.js';
import { AssistantView } from './assistantView.js';
import { isCard, type EntryContext } from './context.js';
import { NoticeView } from './noticeView.js';
import { ArchivedPlan } from './planView.js';
import { ThoughtView } from './thoughtView.js';
import { UserView } from './userView.js';

type Props<E extends Entry> = { readonly entry: E; readonly context: EntryContext };

/** One entry of the conversation, drawn again only when it or what it stands in is another value. */
export const EntryView = memo(function EntryView(props: Props<Entry>): VNode {
  const { entry, context } = props;
  switch (entry.kind) {
    case 'user':
      return (
        <Frame kind="user" shape="whole">
          <UserView entry={entry} />
        </Frame>
      );
    case 'assistant':
      return (
        <Frame kind="assistant">
          <AssistantView entry={entry} agent={context.agent} />
        </Frame>
      );
    case 'thought':
      return (
        <Frame kind="thought" shape="tight">
          <ThoughtView entry={entry} />
        </Frame>
      );
    case 'tool':
      return <ToolView entry={entry} context={context} />;
    case 'notice':
      return (
        <Frame kind="notice">
          <NoticeView entry={entry} />
        </Frame>
      );
    case 'plan':
      return (
        <Frame kind="plan" shape="tight">
          <ArchivedPlan entry={entry} />
        </Frame>
      );
  }
});

function Frame(props: {
  readonly kind: Entry['kind'];
  /** How it stands: close to its neighbours, or drawn even out of view because something hangs over its edge. */
  readonly shape?: 'tight' | 'whole';
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div
      class={props.shape === undefined ? 'entry' : `entry ${props.shape}`}
      data-testid="entry"
      data-kind={props.kind}
      tabIndex={-1}
    >
      {props.children}
    </div>
  );
}

function ToolView(props: Props<ToolEntry>): VNode {
  const { entry, context } = props;
  const { agent, folder, mode, turn } = context;
  const approval = useSelect((state) =>
    state.transcript.approvals.find((one) => one.toolCallId === entry.toolCallId && one.state !== 'settled'),
  );
  const asks = approval !== undefined && entry.turn === turn;
  const card = isCard(entry, turn);
  const shape = asks ? 'entry whole' : card === null ? 'entry tight' : 'entry tight boxed';
  const shared = { entry, agent, folder, mode };
  return (
    <div
      class={shape}
      data-testid="entry"
      data-kind="tool"
      data-tool-call-id={entry.toolCallId}
      data-status={entry.status}
      tabIndex={-1}
    >
      {asks ? (
        <ApprovalCard key={approval.approvalId} approval={approval} agent={agent} folder={folder ?? 'the folder'} />
      ) : card === 'edit' ? (
        <EditCard {...shared} />
      ) : card === 'command' ? (
        <CommandCard {...shared} />
      ) : (
        <ToolRow {...shared} />
      )}
    </div>
  );
}
