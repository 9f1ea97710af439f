/** What a card says of a call that nobody was asked about, or that names a place outside the folder. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as s from '../support/fakeAgentSteps.js';
import type { JsonObject } from '../support/fakeAgentScript.js';
import { cleanAfterEach, scenario, temporaryFolder, type Result } from './scenario.js';

const marksOf = (run: Result, id: string): [unknown, unknown] => {
  const entry = run.entries.find(({ toolCallId }) => toolCallId === id);
  assert.ok(entry !== undefined, `no card for ${id}`);
  return [entry['didNotAsk'], entry['outside']];
};
const done = (id: string, kind: string, fields: JsonObject = {}) =>
  s.toolCall(id, { kind, status: 'completed', ...fields });
const at = (...paths: readonly string[]): JsonObject => ({ locations: paths.map((path) => ({ path })) });

describe('marks of tool calls', () => {
  cleanAfterEach();

  it('a change that completed without a question did not ask; a read, a failure and an allowed one are not marked', async () => {
    const run = await scenario({
      agent: [
        ...['edit', 'execute', 'delete', 'move', 'read', 'search', 'other'].map((kind) => done(kind, kind)),
        s.toolCall('failed', { kind: 'edit', status: 'failed' }),
        s.permission({ toolCallId: 'asked', kind: 'edit', title: 'Edit' }),
        s.toolUpdate('asked', { status: 'completed' }),
      ],
      prompts: ['go'],
      options: ['--answers', 'allow_once'],
    });
    const marked = run.entries.filter(({ didNotAsk }) => didNotAsk === true).map(({ toolCallId }) => toolCallId);
    assert.deepEqual(marked, ['edit', 'execute', 'delete', 'move']);
  });

  it('what the host asked about did ask: a command in its terminal, a file named as a URI or from the folder on', async () => {
    const shown = (name: string): JsonObject => ({
      content: [{ type: 'terminal', terminalId: `{{${name}.result.terminalId}}` }],
    });
    const written = (id: string, name: string, file: string) => [
      s.toolCall(id, { kind: 'edit', status: 'in_progress', ...at(name) }),
      s.writeFile(`{{cwd}}/${file}`, 'x'),
      s.toolUpdate(id, { status: 'completed' }),
    ];
    const run = await scenario({
      agent: [
        s.toolCall('shown', { kind: 'execute', status: 'in_progress' }),
        s.createTerminal('echo', { args: ['a'] }, { as: 'a' }),
        s.toolUpdate('shown', shown('a')),
        s.toolUpdate('shown', { status: 'completed', content: [s.textContent('a')] }),
        s.createTerminal('echo', { args: ['b'] }, { as: 'b' }),
        done('late', 'execute', shown('b')),
        done('own', 'execute', { content: [{ type: 'terminal', terminalId: 'agent:t9' }] }),
        ...written('relative', './src/r.txt', 'src/r.txt'),
        ...written('uri', 'file://{{cwd}}/u.txt', 'u.txt'),
        ...written('named', '{{cwd}}/n.txt', 'n.txt'),
        // The same file again, without the host.
        done('again', 'edit', at('{{cwd}}/n.txt')),
      ],
      prompts: ['go'],
      options: ['--terminal', 'ask', '--write', 'ask', '--answers', 'allow_once'],
    });
    assert.equal(run.events('approval').length, 5);
    const calls = run.entries.filter(({ kind }) => kind === 'tool');
    assert.deepEqual(
      calls.map(({ toolCallId, didNotAsk }) => [toolCallId, didNotAsk === true]),
      [
        ['shown', false],
        ['late', false],
        ['own', true],
        ['relative', false],
        ['uri', false],
        ['named', false],
        ['again', true],
      ],
    );
  });

  it('a mark stays with the call that named the place, where its id is used again', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { steps: [done('same', 'edit', at('/etc/hostname'))] },
          { steps: [done('same', 'edit', at('{{cwd}}/a.txt'))] },
        ],
      },
      prompts: ['one', 'two'],
    });
    const calls = run.entries.filter(({ toolCallId }) => toolCallId === 'same');
    assert.deepEqual(
      calls.map(({ outside }) => outside),
      ['/etc/hostname', undefined],
    );
  });

  it('a place outside is marked, by its name, through a link, in a diff and as a URI; one inside is not', async () => {
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'x.txt'), 'x');
    const run = await scenario({
      agent: [
        done('plain', 'read', at('/etc/hostname')),
        done('dots', 'read', at('{{cwd}}/../up.txt')),
        done('link', 'read', at('{{cwd}}/link/x.txt')),
        done('diff', 'edit', { content: [s.diff(join(elsewhere, 'new.txt'), null, 'x')] }),
        done('uri', 'read', at('file:///etc/hostname')),
        done('prefix', 'read', at('{{cwd}}-evil/a.txt')),
        done('inside', 'read', at('{{cwd}}/a.txt', '{{cwd}}/no/such/b.txt', '{{cwd}}')),
        done('relative', 'read', at('src/a.ts', './b.ts')),
        done('insideUri', 'read', at('file://{{cwd}}/a.txt')),
        s.toolCall('later', { kind: 'read' }),
        s.toolUpdate('later', { status: 'completed', ...at('/etc/hostname') }),
      ],
      files: { 'a.txt': 'a' },
      setUp: (cwd) => {
        mkdirSync(join(cwd, 'src'));
        symlinkSync(elsewhere, join(cwd, 'link'));
      },
      prompts: ['go'],
    });
    const outside = run.entries.filter((entry) => entry['outside'] !== undefined).map(({ toolCallId }) => toolCallId);
    assert.deepEqual(outside, ['plain', 'dots', 'link', 'diff', 'uri', 'prefix', 'later']);
    assert.equal(marksOf(run, 'later')[1], '/etc/hostname');
    // Marking is no access: nothing was answered and nothing was read for the agent.
    assert.deepEqual(run.events('fileRead'), []);
  });

  it('a folder that was opened through a link has no inside that is outside', async () => {
    const run = await scenario({
      agent: [done('named', 'read', at('{{cwd}}/a.txt'))],
      files: { 'a.txt': 'a' },
      open: (cwd) => {
        const link = join(temporaryFolder(), 'link');
        symlinkSync(cwd, link);
        return link;
      },
      prompts: ['go'],
    });
    assert.deepEqual(marksOf(run, 'named'), [undefined, undefined]);
  });
});
