/** Frames of odd lengths and ends, from a whole agent to the transcript. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fakeAgent } from '../support/fakeAgent.js';
import type { Step } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { runHeadless, type HeadlessRun } from '../support/headless.js';
import { inlineAgent } from '../support/processTrees.js';
import { assistantText, cleanAfterEach, scenario, temporaryFolder } from './scenario.js';

const repeat = (times: number, ...steps: readonly Step[]): Step => ({ do: 'repeat', times, steps });

/** The most memory that the host held so far, bytes; Linux. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;

/** An agent without a fake's comforts: answers two requests, and the prompt with what `last` evaluates to. */
const bareAgent = (last: string): string => `
  const line = (id, result) => JSON.stringify({ jsonrpc: '2.0', id, result });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
    const { id, method } = JSON.parse(text);
    if (method === 'initialize') console.log(line(id, { protocolVersion: 1 }));
    if (method === 'session/new') console.log(line(id, { sessionId: 'S1' }));
    if (method === 'session/prompt') ${last};
  });`;

const ends = (run: HeadlessRun): unknown[] =>
  run.lines
    .filter(({ event }) => ['turnEnded', 'turnFailed', 'agentExited'].includes(event))
    .map(({ event, stopReason, code }) => [event, stopReason ?? code]);

describe('frames', () => {
  cleanAfterEach();

  it('B06 a frame of 12 MB arrives in pieces, and only its beginning is kept in sight', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('t', { kind: 'execute' }),
        s.raw(
          '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S1","update":{"sessionUpdate":' +
            '"tool_call_update","toolCallId":"t","status":"completed","rawOutput":"',
        ),
        repeat(192, s.raw('r'.repeat(65_536))),
        s.raw('"}}}\n'),
        s.text('after it'),
      ],
      prompts: ['go'],
    });
    assert.equal(run.status, 0);
    assert.equal(assistantText(run), 'after it');
    assert.equal(run.entries.find(({ kind }) => kind === 'tool')?.['status'], 'completed');
    assert.ok(JSON.stringify(run.lines).length < 200_000, 'the transcript holds a preview');
  });

  it('B06 item 10 a line that never ends ends the connection with a reason, and is not kept', async () => {
    let peak = 0;
    const fake = fakeAgent({
      prompts: [{ steps: [s.text('a'), s.raw('{"x":"'), repeat(500, s.raw('z'.repeat(1_000_000))), s.hang('never')] }],
    });
    try {
      const run = await runHeadless({
        agent: fake,
        cwd: temporaryFolder(),
        prompts: ['go'],
        onLine: (_line, pid) => {
          peak = Math.max(peak, peakOf(pid));
        },
      });
      assert.equal(run.status, 1);
      assert.match(run.stderr, /64 MiB/);
      assert.equal((run.transcript['turn'] as { state: string }).state, 'failed');
      // 64 MiB may be held until the limit; a host that kept all would have half a gigabyte.
      assert.ok(peak > 0 && peak < 400_000_000, `${peak} bytes`);
    } finally {
      await fake.dispose();
    }
  });

  it('B07 the last message counts without a newline, and the exit after it fails no turn', async () => {
    const last = `process.stdout.write(line(id, { stopReason: 'end_turn' }), () => process.exit(0))`;
    const run = await runHeadless({ agent: inlineAgent(bareAgent(last)), cwd: temporaryFolder(), prompts: ['go'] });
    assert.deepEqual(ends(run)[0], ['turnEnded', 'end_turn']);
    assert.deepEqual(run.events('turnFailed'), []);
    assert.equal((run.transcript['turn'] as { state: string }).state, 'idle');
    assert.equal(run.status, 0);
  });

  it('B08 a byte order mark first, CRLF and blank lines: the handshake and the turn work', async () => {
    const fake = fakeAgent([s.text('through a shell of another system')]);
    try {
      const shell = `printf '\\357\\273\\277'; "$0" "$@" | sed -u 's/$/\\r\\n\\r/'`;
      const run = await runHeadless({
        agent: { command: '/bin/sh', args: ['-c', shell, fake.command, ...fake.args] },
        cwd: temporaryFolder(),
        prompts: ['go'],
      });
      assert.equal(run.status, 0);
      assert.equal(assistantText(run), 'through a shell of another system');
      assert.deepEqual(run.events('noise'), []);
      assert.ok(
        (await fake.events()).some(({ event }) => event === 'ended'),
        'the agent ended too',
      );
    } finally {
      await fake.dispose();
    }
  });
});
