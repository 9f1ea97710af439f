import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ToolEntry } from '../../core/transcript/model.js';
import { toolIcons } from '../../core/transcript/toolIcons.js';
import { stepTime } from '../format.js';
import { useNow } from '../hooks.js';
import { Icon } from '../icon.js';
import { VisibleText } from '../visibleText.js';
import { DiffStat } from './diffBlock.js';
import { ToolDetails } from './toolDetails.js';
import { statusWord, StatusSlot } from './status.js';
import { ToolTags } from './tags.js';
import { diffsOf, inlineDiff } from './toolDiff.js';
import { commandOf, toolWords } from './words.js';

/** A call in one line; opens in place. */
export function ToolRow(props: {
  readonly entry: ToolEntry;
  readonly agent: string;
  readonly folder: string | undefined;
  readonly mode: string | undefined;
}): VNode {
  const { entry, agent, folder, mode } = props;
  const [open, setOpen] = useState(false);
  const running = entry.status === 'in_progress';
  const now = useNow(running);
  const end = entry.endedAt ?? (running ? now : undefined);
  const time = entry.startedAt === undefined || end === undefined ? '' : stepTime(end - entry.startedAt);
  return (
    <>
      <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={toolIcons[entry.toolKind]} />
        <span class="what" title={entry.locations[0]?.path}>
          <What entry={entry} folder={folder} />
          <span class="sr">, {statusWord(entry)}</span>
        </span>
        <span class="tags">
          <ToolTags entry={entry} agent={agent} mode={mode} />
        </span>
        <span class="meta num">
          <StatusSlot entry={entry} />
          <span>{time}</span>
        </span>
      </button>
      {entry.failure !== undefined && (
        <div class="failed">
          <span class="err">Failed:</span> {entry.failure}
        </div>
      )}
      {open && <ToolDetails entry={entry} folder={folder} />}
    </>
  );
}

function What(props: { readonly entry: ToolEntry; readonly folder: string | undefined }): VNode {
  const { entry, folder } = props;
  if (entry.toolKind === 'execute') {
    return (
      <span class="mono fg">
        <VisibleText text={commandOf(entry)} />
      </span>
    );
  }
  const { verb, object } = toolWords(entry, folder);
  return (
    <>
      <b>
        <VisibleText text={verb} />
      </b>{' '}
      <VisibleText text={object} /> <Stat entry={entry} />
    </>
  );
}

function Stat(props: { readonly entry: ToolEntry }): VNode | null {
  const views = diffsOf(props.entry).map(inlineDiff);
  const known = views.filter((view) => view !== null);
  if (known.length === 0 || known.length < views.length) {
    return null;
  }
  const sum = (of: 'added' | 'removed'): number => known.reduce((total, view) => total + view[of], 0);
  return <DiffStat added={sum('added')} removed={sum('removed')} />;
}
