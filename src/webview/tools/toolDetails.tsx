import type { VNode } from 'preact';
import { stripControls } from '../../core/text/visible.js';
import { inlineText, type Content, type Text, type ToolEntry } from '../../core/transcript/model.js';
import { useStore, useText } from '../hooks.js';
import { VisibleText } from '../visibleText.js';
import { AnsiLine, lastLines } from './ansi.js';
import { useTerminal } from './commandCard.js';
import { FileChange } from './editCard.js';
import { diffsOf } from './toolDiff.js';
import { relativePath } from './words.js';

/** What a row opens: changes, output, where it was, and the raw input and output. Everything as text. */
export function ToolDetails(props: { readonly entry: ToolEntry; readonly folder: string | undefined }): VNode {
  const { entry, folder } = props;
  const terminal = useTerminal(entry);
  return (
    <div class="details">
      {diffsOf(entry).map((content, i) => (
        <article class="card" key={i}>
          <FileChange entry={entry} content={content} folder={folder} first={false} />
        </article>
      ))}
      {terminal !== undefined && terminal.tail !== '' && (
        <div class="out all" tabIndex={0}>
          {lastLines(terminal.tail, Infinity).map((line, i) => (
            <AnsiLine key={i} line={line} />
          ))}
        </div>
      )}
      {entry.content.map((item, i) => (item.type === 'content' ? <Item key={i} content={item.content} /> : null))}
      <Locations entry={entry} folder={folder} />
      {entry.rawInput !== undefined && <Raw label="Input" text={entry.rawInput} />}
      {entry.rawOutput !== undefined && <Raw label="Output" text={entry.rawOutput} />}
    </div>
  );
}

function Locations(props: { readonly entry: ToolEntry; readonly folder: string | undefined }): VNode | null {
  const store = useStore();
  const { entry, folder } = props;
  const shown = entry.locations.slice(0, 50);
  return shown.length === 0 ? null : (
    <ul>
      {shown.map((location, index) => (
        <li key={index}>
          <button
            type="button"
            class="link"
            title={location.path}
            onClick={() => store.post({ type: 'openLocation', toolCallId: entry.toolCallId, index })}
          >
            <VisibleText text={relativePath(location.path, folder)} />
            {location.line !== undefined && `:${location.line}`}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Item(props: { readonly content: Content }): VNode | null {
  const { content } = props;
  switch (content.type) {
    case 'text':
      return <Raw text={content.text} />;
    case 'resource':
      return <Raw label={content.uri} text={content.text} />;
    case 'link':
      return <p class="quiet">{content.name === '' ? content.uri : `${content.name} (${content.uri})`}</p>;
    case 'image':
      return <p class="quiet">Image, {content.mimeType}</p>;
    case 'placeholder':
      return <p class="quiet">{content.label}</p>;
  }
}

function Raw(props: { readonly label?: string; readonly text: Text }): VNode | null {
  const { text, whole } = useText(props.text, true);
  return inlineText(props.text) === '' ? null : (
    <figure>
      {props.label !== undefined && <figcaption>{props.label}</figcaption>}
      <pre tabIndex={0}>
        {stripControls(text)}
        {!whole && '\n…'}
      </pre>
    </figure>
  );
}
