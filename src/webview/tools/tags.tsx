import type { VNode } from 'preact';
import type { ToolEntry } from '../../core/transcript/model.js';
import { didNotAsk } from '../../core/transcript/tools.js';
import { stripControls } from '../../core/text/visible.js';
import { Icon } from '../icon.js';

/** A small label whose tooltip says why it stands there. */
export function Tag(props: {
  readonly icon?: string;
  readonly text: string;
  readonly why: string;
  readonly warn?: boolean;
}): VNode {
  return (
    <span class={props.warn === true ? 'tag warn' : 'tag'} title={props.why}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      {props.text}
    </span>
  );
}

/** What a person decided, where that is not what happens anyway. */
function Decided({ entry: { provenance } }: { readonly entry: ToolEntry }): VNode | null {
  if (provenance?.by !== 'person') {
    return null;
  }
  const { choice, outcome, comment } = provenance;
  if (choice !== undefined) {
    const text = `“${stripControls(choice)}”`;
    return <Tag icon={outcome === 'allowed' ? 'check' : 'circle-slash'} text={text} why={`You chose ${text}.`} />;
  }
  return outcome === 'denied' ? (
    <Tag icon="circle-slash" text="You denied this" why={comment ?? 'You denied this request.'} />
  ) : null;
}

/** The tags of a call: what a person should know that its title does not say. */
export function ToolTags(props: {
  readonly entry: ToolEntry;
  readonly agent: string;
  readonly mode: string | undefined;
  /** A foot beside the tags says who decided; then no tag repeats it. */
  readonly hasFoot?: boolean;
}): VNode {
  const { entry, agent, mode } = props;
  return (
    <>
      {didNotAsk(entry) && (
        <Tag
          warn
          icon="warning"
          text="Did not ask"
          why={`${agent} did this without asking${mode === undefined ? '' : `, in its mode ${mode}`}.`}
        />
      )}
      {entry.outside !== undefined && (
        <Tag warn icon="folder" text="Outside the folder" why={`${entry.outside} is outside the folder.`} />
      )}
      {props.hasFoot !== true && <Decided entry={entry} />}
      {entry.status === 'interrupted' && (
        <Tag icon="debug-disconnect" text="Interrupted" why="It had no result when the turn ended." />
      )}
    </>
  );
}
