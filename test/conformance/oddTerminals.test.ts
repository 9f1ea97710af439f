/** What an agent tells of its own commands in extension fields, and files that an agent looks for before it makes them. */
import assert from 'node:assert/strict';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario } from './scenario.js';

const gemini = (version: string) =>
  s.respond({
    protocolVersion: 1,
    agentInfo: { name: 'gemini-cli', version },
    agentCapabilities: { loadSession: true },
  });
const look = (id: number, path: string) => ({
  do: 'request' as const,
  method: 'fs/read_text_file',
  id,
  params: { sessionId: '{{sessionId}}', path },
});

describe('oddities: commands and files of single agents', () => {
  cleanAfterEach();

  it('oddity 11: says terminal_output, and shows the command with its output and exit code', async () => {
    const meta = { terminal_info: { terminal_id: 'c', cwd: '{{cwd}}' } };
    const run = await scenario({
      agent: [
        s.toolCall('c', { kind: 'execute', content: [{ type: 'terminal', terminalId: 'c' }], _meta: meta }),
        s.toolUpdate('c', { _meta: { terminal_output: { terminal_id: 'c', data: 'out\n' } } }),
        s.toolUpdate('c', {
          status: 'failed',
          _meta: { terminal_exit: { terminal_id: 'c', exit_code: 3, signal: null } },
        }),
      ],
      prompts: ['go'],
    });
    const [initialize] = run.sentOf('initialize');
    const { clientCapabilities } = initialize?.params as { clientCapabilities: Record<string, unknown> };
    assert.deepEqual(clientCapabilities['_meta'], { terminal_output: true });
    const [terminal] = run.transcript['terminals'] as Record<string, unknown>[];
    assert.deepEqual(
      [terminal?.['tail'], terminal?.['exit'], terminal?.['cwd']],
      ['out\n', { code: 3, signal: null }, run.cwd],
    );
    assert.deepEqual(
      run.events('agentTerminal').map(({ data, exit }) => [data, exit]),
      [
        [undefined, undefined],
        ['out\n', undefined],
        [undefined, { code: 3, signal: null }],
      ],
    );
    // Nothing of it is a call to the host: no answer goes out.
    assert.deepEqual(
      run.sent.map(({ method }) => method),
      ['initialize', 'session/new', 'session/prompt'],
    );
  });

  it('oddity 15: answers Gemini an empty text for a missing file of the folder, and for nothing else', async () => {
    const run = await scenario({
      agent: {
        on: { initialize: [gemini('0.61.0')] },
        prompts: [
          {
            steps: [
              look(1, '{{cwd}}/new.txt'),
              look(2, '{{cwd}}/deep/er/new.txt'),
              look(3, '{{cwd}}/.env'),
              look(4, '{{cwd}}/.git/config'),
              look(5, '{{cwd}}/../outside.txt'),
              look(6, '{{cwd}}/folder'),
            ],
          },
        ],
      },
      files: { 'folder/a.txt': 'a' },
      prompts: ['go'],
    });
    assert.deepEqual([run.answerTo(1).result, run.answerTo(2).result], [{ content: '' }, { content: '' }]);
    for (const id of [3, 4, 5, 6]) {
      assert.equal(run.answerTo(id).result, undefined, `request ${id}`);
      assert.equal(typeof run.answerTo(id).error?.code, 'number');
    }
    assert.deepEqual([run.exists('new.txt'), run.exists('deep')], [false, false]);
  });

  it('oddity 15: answers every other agent, and another version, that the file is missing', async () => {
    for (const initialize of [gemini('1.0.0'), s.respond({ protocolVersion: 1 })]) {
      const run = await scenario({
        agent: { on: { initialize: [initialize] }, prompts: [{ steps: [look(1, '{{cwd}}/new.txt')] }] },
        prompts: ['go'],
      });
      assert.equal(run.answerTo(1).error?.code, -32002);
    }
  });
});
