import type { VNode } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { inlineText, type AssistantEntry, type Content } from '../../core/transcript/model.js';
import { stripControls } from '../../core/text/visible.js';
import { useText } from '../hooks.js';
import { Link } from '../markdown/link.js';
import { Markdown } from '../markdown/markdown.js';
import { imageTarget, linkTarget } from '../markdown/urls.js';

/** An answer. Text first, then what came with it: cutting a Markdown text in two would change its meaning. */
export function AssistantView(props: { readonly entry: AssistantEntry; readonly agent: string }): VNode {
  const { entry, agent } = props;
  return (
    <article class="md" aria-label={agent} aria-busy={entry.open}>
      <Safely text={entry.text} open={entry.open} />
      {entry.extras.map(({ content }, i) => (
        <Extra key={i} content={content} />
      ))}
    </article>
  );
}

/** No text of an agent may take the panel down: what cannot be drawn as Markdown is shown as it came. */
function Safely(props: { readonly text: string; readonly open: boolean }): VNode {
  const error: unknown = useErrorBoundary()[0];
  return error === undefined ? <Markdown {...props} /> : <p class="raw">{props.text}</p>;
}

function Extra(props: { readonly content: Content }): VNode | null {
  const { content } = props;
  switch (content.type) {
    case 'text':
      return <p class="raw">{stripControls(inlineText(content.text))}</p>;
    case 'image':
      return <Picture mimeType={content.mimeType} data={content.data} />;
    case 'link':
      return <LinkTo uri={content.uri} name={content.name} />;
    case 'resource':
      return <LinkTo uri={content.uri} name={content.uri} />;
    case 'placeholder':
      return <p class="quiet">{stripControls(content.label)}</p>;
  }
}

function Picture(props: Pick<Extract<Content, { type: 'image' }>, 'mimeType' | 'data'>): VNode {
  const { text, whole } = useText(props.data, true);
  const target = imageTarget(`data:${props.mimeType};base64,${text}`);
  return whole && target.kind === 'image' ? (
    <img src={target.src} alt="Image from the agent" />
  ) : (
    <p class="quiet">Image, {stripControls(props.mimeType)}</p>
  );
}

function LinkTo(props: { readonly uri: string; readonly name: string }): VNode {
  const target = linkTarget(props.uri);
  const name = stripControls(props.name === '' ? props.uri : props.name);
  return (
    <p>{target.kind === 'open' ? <Link href={target.href}>{name}</Link> : <span title={props.uri}>{name}</span>}</p>
  );
}
