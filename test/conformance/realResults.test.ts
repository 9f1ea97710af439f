/** What an agent hears of a command is what happened, never that it went well. */
import assert from 'node:assert/strict';
import type { JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario } from './scenario.js';

describe('results of commands', () => {
  cleanAfterEach();

  it('B101 a status, a signal and a command that is not there are told as they are', async () => {
    const end = (name: string): ReturnType<typeof s.terminal>[] => [
      s.terminal('wait_for_exit', name, { id: `${name}-exit` }),
      s.terminal('output', name, { id: `${name}-output` }),
    ];
    const run = await scenario({
      agent: [
        s.createTerminal('sh', { args: ['-c', 'echo out; echo err >&2; exit 3'] }, { as: 'failed' }),
        ...end('failed'),
        s.createTerminal('sh', { args: ['-c', 'kill -9 $$'] }, { as: 'killed' }),
        ...end('killed'),
        s.createTerminal('no-such-command-anywhere', {}, { id: 'absent' }),
      ],
      options: ['--terminal', 'allow', '--acknowledge-unrestricted'],
      prompts: ['go'],
    });
    const output = run.answerTo('failed-output').result as { output: string; exitStatus: JsonObject };
    assert.match(output.output, /^out\r?\n/m);
    assert.match(output.output, /^err\r?\n/m);
    const failed = { exitCode: 3, signal: null };
    assert.deepEqual([run.answerTo('failed-exit').result, output.exitStatus], [failed, failed]);
    const killed = { exitCode: null, signal: 'SIGKILL' };
    assert.deepEqual(run.answerTo('killed-exit').result, killed);
    assert.deepEqual((run.answerTo('killed-output').result as JsonObject)['exitStatus'], killed);
    assert.ok(run.answerTo('absent').error !== undefined);
    assert.deepEqual(
      run.events('terminalExited').map(({ code, signal }) => [code, signal]),
      [
        [3, null],
        [null, 'SIGKILL'],
      ],
    );
  });
});
