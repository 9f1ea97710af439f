import assert from 'node:assert/strict';
import { Agent } from '../../src/agent/agent.js';
import { Approvals } from '../../src/agent/approvals.js';
import { TrafficRecorder } from '../../src/agent/wire/traffic.js';
import { redact } from '../../src/core/text/redact.js';
import { entriesOf } from '../../src/core/transcript/model.js';
import { fakeAgent } from '../support/fakeAgent.js';
import * as s from '../support/fakeAgentSteps.js';

describe('secrets that an agent was given', () => {
  it('B142 come back on every channel and stand in no log, recording, notice or detail; the wire has them', async () => {
    const foo = 's3cr3t-1';
    const database = 'postgres://u:s3cr3t-2@h/d';
    const header = 'Authorization: Bearer s3cr3t-3';
    const all = `${foo} ${database} ${header}`;
    const fake = fakeAgent({
      recordEnv: ['FOO', 'DATABASE_URL'],
      prompts: [
        {
          steps: [
            s.stderr(`stderr ${all}\n`),
            s.noise(`noise ${all}`),
            { do: 'notify', method: '_vendor/trace', params: { env: [{ name: 'FOO', value: foo }], database, header } },
            s.toolCall('t', { title: 'Connect', kind: 'other', rawInput: { database, foo, header } }),
            s.text(`answer ${all}`),
            s.fail({ code: -32603, message: `Internal error ${foo}`, data: { details: all } }),
          ],
        },
        { steps: [s.exit(3)] },
      ],
    });
    const logged: string[] = [];
    // As the log of the window and of the headless host do it.
    const log = {
      info: (line: string) => logged.push(redact(line)),
      warn: (line: string) => logged.push(redact(line)),
    };
    const recorder = new TrafficRecorder();
    const agent = new Agent(
      { name: 'A', command: fake.command, args: fake.args, env: { FOO: foo, DATABASE_URL: database } },
      { name: 'x', path: process.cwd(), more: [] },
      {
        ...{ log, approvals: new Approvals(), clientVersion: '0' },
        editor: { openText: () => undefined, write: () => Promise.resolve({ outcome: 'notOpen' }) },
        policy: () => ({ read: true, write: 'off', terminal: 'off', acknowledged: false }),
        passEnvironment: () => [],
        handshakeTimeoutMs: () => 20_000,
        isTrusted: () => true,
        onNoise: (line) => log.warn(line),
        recordTraffic: () => recorder,
      },
    );
    try {
      const session = agent.createSession();
      const ended = (...types: string[]): Promise<void> =>
        new Promise((resolve) => session.onEvent(({ type }) => (types.includes(type) ? resolve() : undefined)));
      const failed = ended('turnFailed');
      session.prompt('go');
      await failed;
      const exited = ended('agentExited');
      session.prompt('again');
      await exited;

      const started = (await fake.events()).find((line) => line.event === 'started');
      assert.deepEqual(started?.event === 'started' && started.env, { FOO: foo, DATABASE_URL: database });
      const entries = entriesOf(session.transcript);
      const answer = entries.find(({ kind }) => kind === 'assistant');
      assert.ok(answer?.kind === 'assistant' && answer.text.includes(all), 'what the agent says is shown as it is');

      const notices = JSON.stringify(entries.filter(({ kind }) => kind === 'notice'));
      const recording = recorder.export();
      assert.match(notices, /Internal error/);
      assert.match(notices, /Exit code 3/);
      assert.match(recording, /_vendor\/trace/);
      assert.match(recording, /noise/);
      assert.match(recording, /"dir":"stderr"/);
      assert.ok(logged.some((line) => line.includes('noise')));
      for (const text of [logged.join('\n'), notices, recording]) {
        for (const secret of ['s3cr3t-1', 's3cr3t-2', 's3cr3t-3']) {
          assert.ok(
            !text.includes(secret),
            `${secret} stands in ${text.slice(Math.max(0, text.indexOf(secret) - 200))}`,
          );
        }
      }
    } finally {
      agent.dispose();
      await fake.dispose();
    }
  });
});
