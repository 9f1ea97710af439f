import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseTraffic } from '../../src/agent/wire/traffic.js';
import { entriesOf } from '../../src/core/transcript/model.js';
import * as s from '../support/fakeAgentSteps.js';
import { Replay } from '../support/trafficReplay.js';
import { assistantText, cleanAfterEach, scenario, temporaryFolder } from './scenario.js';

const secret = `ghp_${'a1B2'.repeat(9)}`;

describe('a recording of traffic', () => {
  cleanAfterEach();

  it('holds both directions, noise and stderr without secrets, and plays again to the same transcript', async () => {
    const file = join(temporaryFolder(), 'recording.ndjson');
    const run = await scenario({
      agent: [
        s.noise('hello from a script'),
        s.stderr(`token ${secret.slice(0, 20)}`),
        s.stderr(`${secret.slice(20)} given\n`),
        s.text('first '),
        s.toolCall('t', { kind: 'read', title: `Read ${secret}`, status: 'completed' }),
        s.text('second'),
      ],
      prompts: ['go'],
      options: ['--traffic', file],
    });
    const text = readFileSync(file, 'utf8');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!text.includes(secret.slice(4, 16)), 'no part of the secret');
    const lines = parseTraffic(text);
    const beside = lines.flatMap((line) => ('line' in line ? [`${line.dir}: ${line.line}`] : []));
    assert.equal(beside.length, 2);
    assert.equal(beside[0], 'stdout-noise: hello from a script');
    assert.match(beside[1] ?? '', /^stderr: token .* given$/);
    const replay = new Replay(run.cwd);
    await replay.play(lines);
    assert.deepEqual(replay.faults, []);
    const again = replay.transcripts.flatMap(entriesOf);
    assert.deepEqual(
      again.map(({ kind }) => kind),
      run.entries.map(({ kind }) => kind),
    );
    assert.equal(again.map((entry) => (entry.kind === 'assistant' ? entry.text : '')).join(''), assistantText(run));
    assert.equal(assistantText(run), 'first second');
  });
});
