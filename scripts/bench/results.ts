import { say } from '../say.js';

/** What one run measured: numbers by name, the unit at the end of the name. */
export type Measures = Readonly<Record<string, number>>;

/** Of the main figure. */
export type Unit = 'ms' | 'per CPU-second' | 'times' | 'bytes';

export type Result = {
  readonly name: string;
  readonly case: string;
  readonly unit: Unit;
  /** Of `runs`. */
  readonly median: number;
  /** The figure that the benchmark is about, in the order of the runs. */
  readonly runs: readonly number[];
  /** Medians of everything else that was measured. */
  readonly also: Measures;
  /** Everything that each run measured. */
  readonly each: readonly Measures[];
};

/** Runs it so often, one run after the other, and says which it is. */
export async function repeated(what: string, runs: number, run: () => Promise<Measures>): Promise<readonly Measures[]> {
  const each: Measures[] = [];
  while (each.length < runs) {
    say(`${what}: run ${each.length + 1} of ${runs}`);
    each.push(await run());
  }
  return each;
}

/** The middle value, or the mean of the two middle ones. Throws where there is none or one is not finite. */
export function median(values: readonly number[]): number {
  if (values.length === 0 || !values.every(Number.isFinite)) {
    throw new Error(`No median of [${values.join(', ')}].`);
  }
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
}

/** Sums up the runs of one case. `main` is the measure that the case is about; every run must have the same measures. */
export function summarize(
  name: string,
  caseName: string,
  main: string,
  each: readonly Measures[],
  unit: Unit = 'ms',
): Result {
  const column = (key: string): number[] => each.map((run) => round(run[key] ?? NaN));
  const others = [...new Set(each.flatMap((run) => Object.keys(run)))].filter((key) => key !== main);
  return {
    name,
    case: caseName,
    unit,
    median: round(median(column(main))),
    runs: column(main),
    also: Object.fromEntries(others.map((key) => [key, round(median(column(key)))])),
    each: each.map((run) => Object.fromEntries(Object.entries(run).map(([key, value]) => [key, round(value)]))),
  };
}

/** A result for a person: the figure with its runs, then the medians of the rest. */
export function toText(result: Result): string {
  const runs = result.runs.map(words).join(', ');
  const head = `${result.name} ${result.case}: ${words(result.median)} ${result.unit}  (${runs})`;
  const width = Math.max(0, ...Object.keys(result.also).map((key) => key.length));
  const rows = Object.entries(result.also).map(
    ([key, value]) => `  ${key.padEnd(width)}  ${words(value).padStart(12)}`,
  );
  return [head, ...rows].join('\n');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function words(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
