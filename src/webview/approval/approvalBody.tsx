import type { ComponentChild, VNode } from 'preact';
import type { Approval, ApprovalMark } from '../../core/transcript/model.js';
import { lookalikeNote, variablesNote } from '../../core/text/cardNotes.js';
import { Icon } from '../icon.js';
import { DiffBlock } from '../tools/diffBlock.js';
import { Tag } from '../tools/tags.js';
import { VisibleText } from '../visibleText.js';
import { approvalNote } from './words.js';

type Names = { readonly agent: string; readonly folder: string };

/** The thing itself, then notes, then the facts that differ from the ordinary. */
export function ApprovalBody(props: { readonly approval: Approval; readonly names: Names }): VNode {
  const { approval, names } = props;
  const marked = approval.marks.map((mark) => approvalNote(approval, mark, names));
  const notes = [approval.reason, ...marked].filter((note) => note !== undefined);
  const words = approval.agentWords;
  const quoted =
    words !== undefined && approval.command === undefined && approval.diff === undefined && words !== approval.title;
  return (
    <>
      {approval.command !== undefined && (
        <div class="cmd">
          <VisibleText text={approval.command} />
        </div>
      )}
      {approval.diff !== undefined && <DiffBlock whole diff={approval.diff} />}
      {quoted && (
        <div class="cmd">
          <VisibleText text={words} />
        </div>
      )}
      {notes.map((note) => (
        <div class="note" key={note}>
          <Icon name="warning" />
          <span>
            <VisibleText text={note} />
          </span>
        </div>
      ))}
      <Facts approval={approval} />
    </>
  );
}

function Facts(props: { readonly approval: Approval }): VNode | null {
  const { approval } = props;
  const facts: [string, string[]][] = [
    ['Runs in', approval.cwd === undefined ? [] : [approval.cwd]],
    ['Environment adds', [...(approval.environment ?? [])]],
    ['Touches', touched(approval)],
    ['Switches to mode', [...(approval.switchesTo ?? [])]],
    ['Leads to', approval.resolvesTo === undefined ? [] : [approval.resolvesTo]],
    ...(approval.claims ?? []).map(({ name, value }): [string, string[]] => [name, [value]]),
  ];
  const shown = facts.filter(([, values]) => values.length > 0);
  return shown.length === 0 ? null : (
    <dl class="facts">
      {shown.map(([name, values]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} values`}>
          {values.map((value, i) => (
            <div class="mono" key={i}>
              <VisibleText text={value} />
            </div>
          ))}
        </dd>,
      ])}
    </dl>
  );
}

/** The question names one file, or both ends of a move. Where there is more, all of it stands here. */
function touched({ verb, paths }: Approval): string[] {
  return verb === 'execute' || paths.length > (verb === 'move' ? 2 : 1) ? [...paths] : [];
}

/** What a person must see before the buttons. */
export function ApprovalTags(props: { readonly approval: Approval; readonly names: Names }): VNode | null {
  const { approval, names } = props;
  const tags = approval.marks.map((mark) => tagOf(mark, approval, names)).filter((tag) => tag !== null);
  return tags.length === 0 ? null : <p class="tags">{tags}</p>;
}

function tagOf(mark: ApprovalMark, approval: Approval, { agent, folder }: Names): ComponentChild {
  switch (mark) {
    case 'hidden':
      return (
        <Tag
          warn
          key={mark}
          icon="warning"
          text="Hidden characters"
          why="Characters that do not show stand here as codes."
        />
      );
    case 'variables':
      return <Tag warn key={mark} icon="warning" text="Changes what runs" why={variablesNote} />;
    case 'lookalike':
      return <Tag warn key={mark} icon="warning" text="Look-alike letters" why={lookalikeNote} />;
    case 'outside':
      return <Tag warn key={mark} icon="folder" text="Outside the folder" why={`This path is not inside ${folder}.`} />;
    case 'sensitive':
      return (
        <Tag
          warn
          key={mark}
          icon="lock"
          text="Sensitive file"
          why="Files like this hold secrets or settings that run programs."
        />
      );
    case 'linked':
      return (
        <Tag
          warn
          key={mark}
          icon="link"
          text={`Leads to ${approval.resolvesTo ?? 'another path'}`}
          why="A link on the way leads there."
        />
      );
    case 'stale':
      return (
        <Tag warn key={mark} icon="history" text="Stale" why={`The text that ${agent} read is not the current text.`} />
      );
    case 'differs':
    case 'nodetail':
    case 'conflict':
    case 'misnamed':
    case 'shell':
      return null;
  }
}
