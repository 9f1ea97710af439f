import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whenIdle, whenSeen } from './whenSeen.js';

/**
 * Some blocks of a long answer. A part that nobody can see is drawn when it comes near the viewport, or when there is
 * nothing else to do; until then its place is kept. Once drawn it stays.
 */
export function Part(props: {
  readonly closed: boolean;
  readonly eager: boolean;
  readonly draw: () => readonly VNode[];
}): VNode {
  const { closed, eager, draw } = props;
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(eager);
  useEffect(() => {
    const element = place.current;
    if (drawn || element === null) {
      return undefined;
    }
    const show = (): void => setDrawn(true);
    const stop = [whenSeen(element, show), whenIdle(show)];
    return () => stop.forEach((each) => each());
  }, [drawn]);
  return <div class={closed ? 'part closed' : 'part'}>{drawn ? draw() : <div class="later" ref={place} />}</div>;
}
