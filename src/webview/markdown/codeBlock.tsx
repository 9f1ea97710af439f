import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../icon.js';
import { useStore } from '../hooks.js';
import { memo } from '../memo.js';
import { whenSeen } from './whenSeen.js';
import { highlight } from './highlight.js';

/** How long the button says that it copied, ms. */
const copiedFor = 1_500;

/**
 * Code with its language and a Copy button, from its first line on. It is coloured once it no longer grows and has
 * come into view: a long answer has hundreds, and most are never looked at.
 */
export const CodeBlock = memo(function CodeBlock(props: {
  readonly language: string;
  readonly text: string;
  readonly finished: boolean;
}): VNode {
  const { language, text, finished } = props;
  const store = useStore();
  const figure = useRef<HTMLElement>(null);
  const [coloured, setColoured] = useState<{ readonly text: string; readonly nodes: ReturnType<typeof highlight> }>();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const element = figure.current;
    if (!finished || language === '' || element === null) {
      return undefined;
    }
    return whenSeen(element, () => setColoured({ text, nodes: highlight(language, text) }));
  }, [finished, language, text]);
  useEffect(() => {
    if (!copied) {
      return undefined;
    }
    const timer = setTimeout(() => setCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    store.post({ type: 'copy', text });
    setCopied(true);
  };
  return (
    <figure class="codeblock" ref={figure}>
      <figcaption>
        <span class="grow cut">{language}</span>
        <button type="button" class="ib text" title="Copy" aria-label="Copy code" onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} />
          Copy
        </button>
      </figcaption>
      <pre tabIndex={0}>{coloured?.text === text ? (coloured.nodes ?? text) : text}</pre>
    </figure>
  );
});
