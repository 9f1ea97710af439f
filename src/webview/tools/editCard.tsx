import type { VNode } from 'preact';
import type { ToolEntry } from '../../core/transcript/model.js';
import { splitPath } from '../format.js';
import { useStore } from '../hooks.js';
import { Icon, IconButton } from '../icon.js';
import { VisibleText } from '../visibleText.js';
import { DiffBlock, DiffStat } from './diffBlock.js';
import { Provenance } from './provenance.js';
import { StatusSlot } from './status.js';
import { ToolTags } from './tags.js';
import { diffsOf, useDiff, type Change } from './toolDiff.js';
import { relativePath } from './words.js';

/** A change of files: the file, how much, the lines, and at the foot who allowed it. */
export function EditCard(props: {
  readonly entry: ToolEntry;
  readonly agent: string;
  readonly folder: string | undefined;
  readonly mode: string | undefined;
}): VNode {
  const { entry, agent, folder, mode } = props;
  return (
    <article
      class="card"
      aria-label={`Edit ${diffsOf(entry)
        .map((diff) => splitPath(diff.path).name)
        .join(', ')}`}
    >
      {diffsOf(entry).map((content, i) => (
        <FileChange key={i} entry={entry} content={content} folder={folder} first={i === 0} />
      ))}
      {entry.failure !== undefined && (
        <div class="failed">
          <span class="err">Failed:</span> {entry.failure}
        </div>
      )}
      <footer class="hide-empty">
        <ToolTags entry={entry} agent={agent} mode={mode} hasFoot />
        <Provenance entry={entry} />
      </footer>
    </article>
  );
}

/** One file of an edit. */
export function FileChange(props: {
  readonly entry: ToolEntry;
  readonly content: Change;
  readonly folder: string | undefined;
  readonly first: boolean;
}): VNode {
  const { entry, content, folder } = props;
  const store = useStore();
  const diff = useDiff(content);
  const { name, folder: inside } = splitPath(relativePath(content.path, folder));
  const openDiff = (): void => store.post({ type: 'openDiff', toolCallId: entry.toolCallId });
  const openFile = (): void => {
    const index = entry.locations.findIndex((location) => location.path === content.path);
    if (index < 0) {
      openDiff();
    } else {
      store.post({ type: 'openLocation', toolCallId: entry.toolCallId, index });
    }
  };
  return (
    <>
      <header>
        <Icon name="edit" />
        <span class="name grow" title={content.path}>
          <span>
            <button type="button" class="link" onClick={openFile}>
              <VisibleText text={name} />
            </button>{' '}
            <span class="quiet">
              <VisibleText text={inside} />
            </span>
          </span>
          {diff !== null && <DiffStat added={diff.added} removed={diff.removed} />}
        </span>
        {props.first && entry.status !== 'completed' && (
          <span class="meta">
            <StatusSlot entry={entry} />
          </span>
        )}
        <IconButton icon="diff" label="Open diff" text="Open diff" textClass="hide-narrow" onClick={openDiff} />
      </header>
      {diff === null ? <div class="out quiet">Loading…</div> : <DiffBlock diff={diff} />}
    </>
  );
}
