import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTraffic } from '../../../src/agent/wire/traffic.js';
import { root } from '../../../scripts/run.js';

/** Everything that agents sent in the project's own recordings, as JSON texts, in a fixed order. */
export function recordedFrames(): readonly string[] {
  const folder = join(root, 'test/fixtures/traffic');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => parseTraffic(readFileSync(join(folder, name), 'utf8')))
    .flatMap((line) => (line.dir === 'a2c' ? [JSON.stringify(line.msg)] : []));
}

/** The seed that `ACP_HOST_FUZZ_SEED` gives, else a new one. */
export function fuzzSeed(): number {
  const given = process.env['ACP_HOST_FUZZ_SEED'];
  return given === undefined ? randomInt(2 ** 32) : Number(given) >>> 0;
}
