import type { VNode } from 'preact';
import type { UserEntry } from '../../core/transcript/model.js';
import { useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { VisibleText } from '../visibleText.js';

/** What the person wrote. Not Markdown: it is shown as it was typed. */
export function UserView(props: { readonly entry: UserEntry }): VNode {
  const { entry } = props;
  const store = useStore();
  return (
    <article class="user" aria-label="You">
      <div class="words">{entry.text}</div>
      {entry.attachments.length > 0 && (
        <div class="chips">
          {entry.attachments.map((attachment) => (
            <span class="chip" key={attachment.uri} title={attachment.uri}>
              <Icon name="file-code" />
              <span class="cut">
                <VisibleText text={attachment.name} />
              </span>
            </span>
          ))}
        </div>
      )}
      <div class="acts">
        <IconButton icon="copy" label="Copy" onClick={() => store.post({ type: 'copy', text: entry.text })} />
      </div>
    </article>
  );
}
