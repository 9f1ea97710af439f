// npm test, and npm run test:<ring>. Arguments: ring names, --grep TEXT, --electron, --no-build, --seed N, and test files of a single ring.
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct, root } from './run.js';
import { Plain, runScript, say } from './say.js';
import { runHostRing } from './test/hostRing.js';
import { runNodeRing } from './test/nodeRing.js';
import { Tally } from './test/tally.js';
import { ensureChromium } from './vscode/chromium.js';
import { ensureVsCode } from './vscode/install.js';

type Ring = {
  readonly name: string;
  /** Milliseconds that one test may take. */
  readonly timeout: number;
  readonly needsEditor?: boolean;
  /** False: only by its own command, not in `npm test`. */
  readonly always?: boolean;
};

const RINGS: readonly Ring[] = [
  { name: 'unit', timeout: 10_000 },
  { name: 'process', timeout: 30_000 },
  // Some tests run a dozen agents one after the other, also on a busy machine.
  { name: 'conformance', timeout: 90_000 },
  { name: 'host', timeout: 30_000, needsEditor: true },
  { name: 'e2e', timeout: 90_000, needsEditor: true },
  { name: 'agents', timeout: 300_000, needsEditor: true, always: false },
];

/**
 * Property tests take the same inputs each time, so that a run judges the change and not its luck. `--seed random` looks
 * further: what it finds is a defect, and its seed is printed.
 */
const SEED = 20_261_201;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      electron: { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      seed: { type: 'string', default: String(SEED) },
    },
  });
  const named = RINGS.filter(({ name }) => positionals.includes(name));
  const rings = named.length > 0 ? named : RINGS.filter(({ always }) => always !== false);
  const files = positionals.filter((word) => !RINGS.some(({ name }) => name === word));
  const tallies: Tally[] = [];
  try {
    await prepare(rings, values.electron);
    if (!values['no-build']) {
      await buildProduct();
    }
    for (const ring of rings) {
      tallies.push(await runRing(ring, files, values));
    }
  } catch (error) {
    const tally = new Tally('set-up');
    tally.fail(error instanceof Plain ? error.message : String(error instanceof Error ? error.stack : error));
    tallies.push(tally);
  }
  const sum = (count: 'passed' | 'failed' | 'skipped') => tallies.reduce((all, tally) => all + tally[count], 0);
  // Once more at the end: the first telling stands thousands of lines above.
  for (const { ring, failures } of tallies) {
    failures.forEach((title) => say(`FAILED in ${ring}: ${title}`));
  }
  if (sum('skipped') > 0) {
    say(`${sum('skipped')} skipped`);
  }
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') > 0 ? 1 : 0;
});

/** What is missing is said before anything runs, so that nobody waits for minutes to read it. */
async function prepare(rings: readonly Ring[], electron: boolean): Promise<void> {
  if (rings.some(({ needsEditor }) => needsEditor) && !electron) {
    await ensureChromium();
    await ensureVsCode();
  }
}

async function runRing(
  ring: Ring,
  chosen: readonly string[],
  { grep, electron, seed }: { readonly grep?: string; readonly electron: boolean; readonly seed: string },
): Promise<Tally> {
  const started = Date.now();
  const tally = new Tally(ring.name);
  const files = chosen.length > 0 ? chosen.map((file) => resolve(file)) : testFiles(ring.name);
  const task = { files, timeout: ring.timeout, seed: seedOf(seed), ...(grep === undefined ? {} : { grep }) };
  say(`Ring ${ring.name}${task.seed === SEED ? '' : `, seed ${task.seed}`}`);
  if (files.length === 0) {
    tally.add({ event: 'ended', error: `There is no test file in test/${ring.name}.` });
  } else if (ring.name === 'host') {
    await runHostRing(tally, task, electron);
  } else {
    await runNodeRing(tally, task);
  }
  tally.close(started);
  return tally;
}

function seedOf(word: string): number {
  const seed = word === 'random' ? randomInt(2 ** 31) : Number(word);
  if (!Number.isSafeInteger(seed)) {
    throw new Plain(`--seed takes a whole number or "random", not "${word}".`);
  }
  return seed;
}

function testFiles(ring: string): readonly string[] {
  const folder = join(root, 'test', ring);
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}
