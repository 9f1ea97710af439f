import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { buildSwapper, OUTSIDE, race, raceModes, type Tally } from '../../test/process/files/race.js';
import { Plain, say } from '../say.js';

/** Of all races together: the least that the project's security model asks for. */
const READS = 1_000_000;
const WRITES = 200_000;

/** What one strategy let out, with a naive one in the same race as the control. */
export type RaceLine = {
  readonly name: 'race';
  readonly strategy: string;
  /** Escapes of the naive strategy; without any the race is inconclusive. */
  readonly control: number;
  readonly ops: number;
  readonly escapes: number;
  readonly rejected: number;
  readonly left: number;
  readonly outsideTouched: number;
};

/**
 * Races on a file system in memory and on disk, with a swapped folder and a swapped file. `print` gets one line for
 * each strategy. Throws where a race was inconclusive or something got out.
 */
export async function raceRun(print: (line: RaceLine) => void, share = 1): Promise<void> {
  const places = [
    ['memory', '/dev/shm'],
    ['disk', tmpdir()],
  ] as const;
  const found = places.filter(([, folder]) => existsSync(folder));
  const swapper = await buildSwapper();
  const faults: string[] = [];
  try {
    for (const [place, base] of found) {
      for (const mode of raceModes) {
        say(`race, ${place}, ${mode}`);
        const races = found.length * raceModes.length;
        const tries = (all: number): { readonly tries: number } => ({ tries: Math.ceil((all * share) / races) });
        const result = await race(swapper.program, {
          ...{ mode, portable: false, base },
          ...{ naive: { seconds: 2 }, read: tries(READS), write: tries(WRITES) },
        });
        const outsideTouched = Object.entries(result.outside).filter(
          ([name, text]) => name !== 'f' || text !== OUTSIDE,
        ).length;
        const line = (strategy: string, { tries: ops, escapes, rejected }: Tally): RaceLine => ({
          name: 'race',
          strategy: `${strategy}, ${mode} swapped, ${place}`,
          ...{ control: result.naive.escapes, ops, escapes, rejected, left: result.left.length, outsideTouched },
        });
        const lines = [line('jail read', result.read), line('jail write', result.write)];
        print(line('naive read', result.naive));
        lines.forEach(print);
        faults.push(...lines.flatMap(faultOf));
      }
    }
  } finally {
    await swapper.remove();
  }
  if (faults.length > 0) {
    throw new Plain(faults.join('\n'));
  }
}

function faultOf({ strategy, control, escapes, left, outsideTouched }: RaceLine): readonly string[] {
  return [
    ...(control === 0 ? [`${strategy}: inconclusive, the naive reader was never fooled.`] : []),
    ...(escapes > 0 ? [`${strategy}: ${escapes} escapes.`] : []),
    ...(left > 0 ? [`${strategy}: ${left} temporary files left.`] : []),
    ...(outsideTouched > 0 ? [`${strategy}: ${outsideTouched} files outside touched.`] : []),
  ];
}
