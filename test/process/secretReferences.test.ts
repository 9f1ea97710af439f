import assert from 'node:assert/strict';
import { startAgent } from '../../src/agent/process/process.js';
import { resolveSecrets, secretReference, withoutReferences } from '../../src/agent/process/secretReferences.js';
import { redact } from '../../src/core/text/redact.js';
import { inlineAgent, lines } from '../support/processTrees.js';

const stored = new Map([
  ['KEY', 'plain words that are a key'],
  ['EMPTY', ''],
]);
const lookup = (name: string): Promise<string | undefined> => Promise.resolve(stored.get(name));

describe('secrets that the settings only name', () => {
  it('are taken for references only where they are the whole value', () => {
    assert.deepEqual(
      [
        '${secret:KEY}',
        ' ${secret: KEY } ',
        'x${secret:KEY}',
        '${secret:}',
        '${secret:A}${secret:B}',
        '${env:KEY}',
        null,
      ].map((value) => secretReference(value)),
      ['KEY', 'KEY', undefined, undefined, undefined, undefined, undefined],
    );
    const env = { A: '${secret:KEY}', B: 'b', C: null };
    assert.deepEqual(withoutReferences(env), { B: 'b', C: null });
  });

  it('are put in place, and the first that is not stored is named', async () => {
    assert.deepEqual(await resolveSecrets({ A: '${secret:KEY}', B: 'b', C: null }, lookup), {
      env: { A: stored.get('KEY'), B: 'b', C: null },
      secrets: [stored.get('KEY')],
    });
    for (const name of ['EMPTY', 'NONE']) {
      assert.deepEqual(await resolveSecrets({ A: `\${secret:${name}}` }, lookup), { missing: name });
    }
    assert.deepEqual(await resolveSecrets({ A: '${secret:KEY}' }, undefined), { missing: 'KEY' });
  });

  it('reach the agent, win over what is inherited, and are never shown', async () => {
    process.env['ACP_TEST_KEY'] = 'inherited';
    try {
      const start = {
        ...inlineAgent('console.log(process.env.ACP_TEST_KEY);process.stdin.resume()'),
        cwd: process.cwd(),
      };
      const agentEnv = { ACP_TEST_KEY: '${secret:KEY}' };
      const logged: string[] = [];
      const log = { info: (line: string) => logged.push(line), warn: (line: string) => logged.push(line) };
      const result = await startAgent({ ...start, agentEnv, pass: ['ACP_TEST_KEY'], secret: lookup, log });
      assert.ok(result.ok);
      assert.deepEqual(await lines(result.process), [stored.get('KEY')]);
      await result.process.stop();
      assert.ok(!logged.join('\n').includes('plain words'));
      assert.equal(redact(`it said ${String(stored.get('KEY'))}`), 'it said [redacted]');
    } finally {
      Reflect.deleteProperty(process.env, 'ACP_TEST_KEY');
    }
  });

  it('that are missing start nothing', async () => {
    const start = { ...inlineAgent('process.exit(0)'), cwd: process.cwd(), pass: [] };
    const result = await startAgent({ ...start, agentEnv: { A: '${secret:NONE}' }, secret: lookup });
    assert.deepEqual(result, {
      ok: false,
      failure: { reason: 'spawn_error', detail: 'noSecret', command: process.execPath, secret: 'NONE' },
    });
  });
});
