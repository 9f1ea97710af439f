import { Plain } from '../say.js';

export const benchNames = ['stream', 'activate', 'tap', 'jail', 'bundle', 'race', 'fuzz'] as const;
/** Take many minutes, so they run only where they are named. */
const onDemand: readonly string[] = ['race', 'fuzz'];
export type BenchName = (typeof benchNames)[number];

export type BenchArgs = {
  /** One JSON object per line instead of a table. */
  readonly json: boolean;
  /** How often each case runs; the median is reported. */
  readonly runs: number;
  readonly names: readonly BenchName[];
  /** The cases of `stream`: chunks of 40 characters. */
  readonly chunks: readonly number[];
};

const usage = `Usage: npm run -s bench -- [--json] [--runs N] [--chunks N,N…] [${benchNames.join('|')}…]`;

/** Reads the command line. Throws a `Plain` with the usage for anything that it does not know. */
export function parseArgs(argv: readonly string[]): BenchArgs {
  let json = false;
  let runs = 3;
  let chunks: readonly number[] = [2_000, 20_000];
  const names: BenchName[] = [];
  const rest = [...argv];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--json') {
      json = true;
    } else if (arg === '--runs') {
      runs = whole(rest.shift(), 1);
    } else if (arg === '--chunks') {
      chunks = (rest.shift() ?? '').split(',').map((part) => whole(part, 2));
    } else if (isName(arg)) {
      names.push(arg);
    } else {
      throw new Plain(`${arg} is not known. ${usage}`);
    }
  }
  return {
    json,
    runs,
    chunks,
    names: names.length === 0 ? benchNames.filter((name) => !onDemand.includes(name)) : [...new Set(names)],
  };
}

function isName(text: string): text is BenchName {
  return (benchNames as readonly string[]).includes(text);
}

function whole(text: string | undefined, least: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least) {
    throw new Plain(`${text ?? 'Nothing'} is not a whole number of at least ${least}. ${usage}`);
  }
  return number;
}
