/**
 * Work that waits until an element is drawn. The browser leaves out what is far from the viewport
 * (`content-visibility`) and says when that changes, so that nothing has to watch thousands of elements in each frame.
 */

const sliceMs = 3;
/** Asked for, and not drawn when it was looked at. */
const waiting = new Map<Element, () => void>();
const queue = new Map<Element, () => void>();
let draining = false;
let listening: Document | undefined;

/** Runs `run` once, in a frame in which `element` is drawn. Returns how to call it off. */
export function whenSeen(element: Element, run: () => void): () => void {
  if (listening !== element.ownerDocument) {
    listening = element.ownerDocument;
    listening.addEventListener('contentvisibilityautostatechange', appeared, { capture: true });
  }
  enqueue(element, run);
  return () => {
    queue.delete(element);
    waiting.delete(element);
  };
}

function enqueue(element: Element, run: () => void): void {
  queue.set(element, run);
  if (!draining) {
    draining = true;
    requestAnimationFrame(drain);
  }
}

function appeared(event: Event): void {
  if (waiting.size === 0 || !(event.target instanceof Element)) {
    return;
  }
  for (const element of event.target.querySelectorAll('.codeblock, .later')) {
    const run = waiting.get(element);
    if (run !== undefined) {
      waiting.delete(element);
      enqueue(element, run);
    }
  }
}

function drain(): void {
  const deadline = performance.now() + sliceMs;
  // The newest first: it is the one that the person looks at while text streams.
  for (const [element, run] of [...queue].reverse()) {
    queue.delete(element);
    if (isDrawn(element)) {
      run();
    } else {
      waiting.set(element, run);
    }
    if (performance.now() >= deadline) {
      break;
    }
  }
  draining = queue.size > 0;
  if (draining) {
    requestAnimationFrame(drain);
  }
}

function isDrawn(element: Element): boolean {
  return element.checkVisibility({ contentVisibilityAuto: true });
}

/** Less time than this is left for a part of a long text, ms. */
const idleMs = 10;
const idle = new Set<() => void>();
let idling = false;

/** Runs `run` once, when the page has nothing else to do. Returns how to call it off. */
export function whenIdle(run: () => void): () => void {
  idle.add(run);
  if (!idling) {
    idling = true;
    requestIdleCallback(rest);
  }
  return () => idle.delete(run);
}

function rest(deadline: IdleDeadline): void {
  const [run] = idle;
  if (run !== undefined && deadline.timeRemaining() > idleMs) {
    idle.delete(run);
    run();
  }
  idling = idle.size > 0;
  if (idling) {
    requestIdleCallback(rest);
  }
}
