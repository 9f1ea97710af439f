/**
 * The plan. Each update replaces the whole list and carries no ids, so steps are recognised: by their words first, then
 * by their place and what is left of their words. A recognised step keeps its id and its times.
 */
import type { PlanInput } from './events.js';
import type { PlanStep, Transcript } from './model.js';
import { append } from './pages.js';

/** Replaces the plan. Marks on a step say what this update changed and last until the next one. */
export function changePlan(t: Transcript, inputs: readonly PlanInput[], at: number): Transcript {
  const owners = recognise(t.plan, inputs);
  let { nextId } = t;
  const plan = inputs.map((input, index): PlanStep => {
    const known = owners[index];
    const times = timesOf(known, input.status, at);
    if (known === undefined) {
      // In the first plan everything is new, so nothing needs the mark.
      return { id: `p${nextId++}`, ...input, ...times, ...(t.plan.length > 0 && { change: 'new' as const }) };
    }
    const reworded = known.content !== input.content;
    return { id: known.id, ...input, ...times, ...(reworded && { change: 'reworded' as const }) };
  });
  return { ...t, plan, nextId };
}

function recognise(steps: readonly PlanStep[], inputs: readonly PlanInput[]): (PlanStep | undefined)[] {
  const free = new Set(steps);
  const take = (step: PlanStep | undefined): PlanStep | undefined => {
    if (step !== undefined) {
      free.delete(step);
    }
    return step;
  };
  const same = inputs.map((input) => take([...free].find((step) => step.content === input.content)));
  return inputs.map((input, index) => {
    const there = steps[index];
    const similar = there !== undefined && free.has(there) && isSimilar(there.content, input.content);
    return same[index] ?? (similar ? take(there) : undefined);
  });
}

/** At least half of the words of the shorter text stand in the other one too. */
function isSimilar(a: string, b: string): boolean {
  const [fewer, more] = [wordsIn(a), wordsIn(b)].sort((x, y) => x.size - y.size);
  if (fewer === undefined || more === undefined || fewer.size === 0) {
    return false;
  }
  let shared = 0;
  for (const word of fewer) {
    shared += more.has(word) ? 1 : 0;
  }
  return shared * 2 >= fewer.size;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

function timesOf(known: PlanStep | undefined, status: string, at: number): Pick<PlanStep, 'startedAt' | 'endedAt'> {
  if (status === 'in_progress') {
    // What a turn left in progress begins anew where a later one takes it up: nothing ran in between.
    return { startedAt: known?.endedAt === undefined ? (known?.startedAt ?? at) : at };
  }
  if (known?.startedAt === undefined || status === 'pending') {
    return {};
  }
  return { startedAt: known.startedAt, endedAt: known.endedAt ?? at };
}

/** The turn is over: no step of the plan runs any more, whatever the agent left it as. */
export function pausePlan(t: Transcript, at: number): Transcript {
  const runs = ({ status, startedAt, endedAt }: PlanStep): boolean =>
    status === 'in_progress' && startedAt !== undefined && endedAt === undefined;
  return t.plan.some(runs) ? { ...t, plan: t.plan.map((step) => (runs(step) ? { ...step, endedAt: at } : step)) } : t;
}

/** Moves a plan that is done into the conversation; one with open steps goes on. */
export function archivePlan(t: Transcript, at: number): Transcript {
  const done = t.plan.length > 0 && t.plan.every((step) => step.status === 'completed');
  return done ? { ...append(t, at, { kind: 'plan', entries: t.plan }), plan: [] } : t;
}
