/** Work in slices, between which the browser takes input and makes frames. */

/** The time that parsing may take in one slice. */
const budgetMs = 12;
/** What each text may take even when the budget is gone, so that all of them come on. */
const leastMs = 0.2;
let left = budgetMs;
let pending = false;

/** Runs `work` with a deadline in the time of `performance.now()`; what it takes is taken from the slice's budget. */
export function withinSlice<T>(work: (deadline: number) => T): T {
  if (!pending) {
    pending = true;
    left = budgetMs;
    afterTask(() => {
      pending = false;
    });
  }
  const begun = performance.now();
  const result = work(begun + Math.max(leastMs, left));
  left -= performance.now() - begun;
  return result;
}

/** Calls `run` in a task of its own: the browser may do something else before. Returns how to call it off. */
export function afterTask(run: () => void): () => void {
  const id = setTimeout(run);
  return () => clearTimeout(id);
}

/** Calls `run` in the next frame. Returns how to call it off. */
export function onNextFrame(run: () => void): () => void {
  const id = requestAnimationFrame(run);
  return () => cancelAnimationFrame(id);
}
