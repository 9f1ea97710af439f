import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { afterTask, onNextFrame, withinSlice } from '../frame.js';
import { MarkdownPainter } from './painter.js';

/** A Markdown message. Parses in slices, and draws what is parsed. */
export function Markdown(props: { readonly text: string; readonly open: boolean }): VNode {
  const { text, open } = props;
  const painter = useRef<MarkdownPainter | null>(null);
  painter.current ??= new MarkdownPainter();
  const { current } = painter;
  const [, again] = useState(0);
  const { parts, done } = withinSlice((deadline) => current.paint(text, open, deadline, () => performance.now()));
  useEffect(() => {
    const next = current.parsing ? afterTask : onNextFrame;
    return done ? undefined : next(() => again((n) => n + 1));
  });
  return <>{current.empty && !done ? <p class="raw">{text.slice(0, 2_000)}</p> : parts}</>;
}
