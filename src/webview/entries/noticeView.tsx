import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { stripControls } from '../../core/text/visible.js';
import type { Notice, NoticeAction, NoticeEntry } from '../../core/transcript/model.js';
import { useSelect, useStore } from '../hooks.js';
import { Icon } from '../icon.js';

const labels: Readonly<Record<NoticeAction, string>> = {
  restart: 'Restart',
  retry: 'Try Again',
  editPrompt: 'Edit Prompt',
  continue: 'Continue',
  showLog: 'Show Log',
  copyDetails: 'Copy Details',
  details: 'Details',
  probe: 'Probe Agent',
  editSettings: 'Edit Agent Settings',
  addAgent: 'Add Agent…',
  manageTrust: 'Manage Trust',
  openFolder: 'Open Folder',
  signIn: 'Sign In',
  stopNow: 'Stop Now',
};
/** These never are the thing to do next, so they never are filled. */
const linkActions = new Set<NoticeAction>(['showLog', 'copyDetails', 'details']);

/** What the host has to say: what, why, and the next step as a button. */
export function NoticeView(props: { readonly entry: NoticeEntry }): VNode {
  const { entry } = props;
  const { notice } = entry;
  if (notice.code === 'seam') {
    return (
      <div class="seam" role="separator" aria-label={notice.what}>
        <span>{notice.what}</span>
      </div>
    );
  }
  return <NoticeBox notice={notice} entryId={entry.id} />;
}

/** A notice in its box. Errors are announced at once. */
export function NoticeBox(props: { readonly notice: Notice; readonly entryId: string }): VNode {
  const { notice, entryId } = props;
  const store = useStore();
  // What stops a turn has nothing to do once the turn is over.
  const isOver = useSelect(({ transcript: { turn } }) => turn.state === 'idle' || turn.state === 'failed');
  const actions = isOver && notice.actions.includes('stopNow') ? [] : notice.actions;
  const [details, setDetails] = useState(false);
  const act = (action: NoticeAction): void => {
    if (action === 'details') {
      setDetails(!details);
    } else if (action === 'copyDetails' && notice.details !== undefined) {
      store.post({ type: 'copy', text: notice.details });
    } else {
      store.post({ type: 'act', entryId, action });
    }
  };
  return (
    <section
      class={notice.severity === 'error' ? 'notice bad' : 'notice soft'}
      {...(notice.severity === 'error' && { role: 'alert' })}
    >
      <Icon name={iconOf(notice)} />
      <div>
        <b>{stripControls(notice.what)}</b>
      </div>
      {notice.why !== '' && <div class="why">{withCode(stripControls(notice.why))}</div>}
      {notice.tail !== undefined && notice.tail.length > 0 && (
        <pre tabIndex={0}>{stripControls(notice.tail.join('\n'))}</pre>
      )}
      {details && notice.details !== undefined && <pre tabIndex={0}>{stripControls(notice.details)}</pre>}
      {actions.length > 0 && (
        <div class="acts">
          {actions.map((action, i) => (
            <button type="button" class={classOf(action, i)} key={action} onClick={() => act(action)}>
              {labels[action]}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

/** Parts between backticks as code: names of methods and settings. */
function withCode(text: string): (string | VNode)[] {
  const parts = text.split('`');
  return parts.length % 2 === 0 ? [text] : parts.map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>));
}

function classOf(action: NoticeAction, place: number): string {
  if (linkActions.has(action) || place > 1) {
    return 'link';
  }
  return place === 0 ? 'btn main' : 'btn';
}

function iconOf(notice: Notice): string {
  if (notice.code === 'signIn') {
    return 'account';
  }
  return notice.severity === 'info' ? 'info' : notice.severity;
}
