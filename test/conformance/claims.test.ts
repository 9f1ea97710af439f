/** A request for permission is answered without a person only where all it says is known to be harmless. */
import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cleanAfterEach, scenario, type Result } from './scenario.js';

const free = ['--write', 'allow', '--acknowledge-unrestricted'] as const;
const inside = { path: '{{cwd}}/src/a.ts' };
const many = (count: number, last: JsonObject): readonly JsonObject[] => [
  ...Array.from({ length: count }, (_, at) => ({ path: `{{cwd}}/src/f${String(at)}.ts` })),
  last,
];

/** One request for each call; the ids of those that a person was asked about. */
async function asked(calls: Readonly<Record<string, JsonObject>>, options: readonly string[]): Promise<string[]> {
  const run: Result = await scenario({
    agent: Object.entries(calls).map(([toolCallId, call]) =>
      s.permission({ toolCallId, title: 'T', ...call }, s.usualOptions, { id: `p-${toolCallId}` }),
    ),
    files: { 'src/a.ts': 'old\n' },
    options,
    prompts: ['go'],
  });
  const settled = run.events('approvalSettled');
  const byPerson = run
    .events('approval')
    .filter(({ approvalId }) => settled.find((line) => line['approvalId'] === approvalId)?.['by'] === 'person')
    .map((line) => String(line['toolCallId']));
  for (const toolCallId of Object.keys(calls)) {
    const { outcome } = run.answerTo(`p-${toolCallId}`).result as { outcome: JsonObject };
    const refused = byPerson.includes(toolCallId) || denied.has(toolCallId);
    assert.equal(outcome['optionId'], refused ? 'no' : 'yes', toolCallId);
  }
  return byPerson;
}
/** What is denied by the host without a question. */
const denied = new Set(['git']);

describe('what an agent says of its own tools', () => {
  cleanAfterEach();

  it('4.5 an edit is allowed by a setting where it names its file, and asked where it names none or says more', async () => {
    const edit = (rawInput: Json, rest: JsonObject = {}): JsonObject => ({ kind: 'edit', rawInput, ...rest });
    const located = { locations: [inside] };
    assert.deepEqual(
      await asked(
        {
          located: edit({ file_path: inside.path, content: 'x' }, located),
          named: edit({ file_path: inside.path, old_string: 'old', new_string: 'new' }),
          diff: edit(null, { content: [s.diff(inside.path, 'old\n', 'new\n')] }),
          git: edit({ file_path: '{{cwd}}/.git/hooks/pre-commit', content: 'x' }, located),
          outside: edit({ path: '/root/.bashrc' }),
          both: edit({ path: '../x' }, located),
          nothing: edit(null),
          tasks: edit({ file_path: '{{cwd}}/.vscode/tasks.json' }, located),
          relative: edit({ filePath: '.vscode/tasks.json' }, located),
          command: edit({ path: inside.path, command: 'touch x' }, located),
          changes: edit({ changes: { '.vscode/tasks.json': { type: 'add' } } }, located),
          patch: edit('*** Update File: .vscode/tasks.json', located),
        },
        free,
      ),
      ['outside', 'both', 'nothing', 'tasks', 'relative', 'command', 'changes', 'patch'],
    );
  });

  it('4.5 a read is allowed where it names its file, and asked where its input says more, by default', async () => {
    const read = (rawInput: Json, rest: JsonObject = { locations: [inside] }): JsonObject => ({
      kind: 'read',
      rawInput,
      ...rest,
    });
    assert.deepEqual(
      await asked(
        {
          located: read({ file_path: inside.path, offset: 1, limit: 5 }),
          named: read({ path: inside.path }, {}),
          search: { kind: 'search', rawInput: { pattern: 'TODO', path: 'src', glob: '*.ts' }, locations: [inside] },
          script: read({ script: 'rm -rf /' }),
          argv: read({ path: inside.path, argv: ['rm'] }),
          text: read('rm -rf /'),
          list: read(['rm', '-rf', '/']),
          nested: read({ path: inside.path, options: { command: 'rm' } }),
          passwd: read({ path: '/etc/passwd' }),
          uri: read({ path: 'file:///etc/passwd' }),
          home: read({ path: '~/.ssh/id_rsa' }),
          climbs: read({ path: '../../etc/passwd' }),
          secret: read({ path: '.env' }),
          writes: read({ path: inside.path, new_string: 'x' }),
          shown: read(null, { locations: [inside], content: [{ type: 'terminal', terminalId: 't' }] }),
        },
        [],
      ),
      ['script', 'argv', 'text', 'list', 'nested', 'passwd', 'uri', 'home', 'climbs', 'secret', 'writes', 'shown'],
    );
  });

  it('4.5 more places than are kept, and places that cannot be read, are asked', async () => {
    const outside = { path: '/etc/passwd' };
    const diffs = Array.from({ length: 1_000 }, (_, at) => s.diff(`{{cwd}}/src/f${String(at)}.ts`, null, 'x'));
    const call = (kind: string, locations: readonly JsonObject[]): JsonObject => ({ kind, locations });
    assert.deepEqual(
      await asked(
        {
          some: call('read', many(100, inside)),
          places: call('read', many(1_000, outside)),
          edits: {
            kind: 'edit',
            locations: [inside],
            content: [...diffs, s.diff('{{cwd}}/.vscode/tasks.json', null, 'x')],
          },
          unread: call('read', [inside, { path: 7 }]),
          long: call('read', [inside, { path: `/${'x'.repeat(100_000)}` }]),
        },
        free,
      ),
      ['places', 'edits', 'unread', 'long'],
    );
  });

  it('4.5 what was left out of an earlier update stays left out', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('t', { kind: 'read', locations: many(1_000, { path: '/etc/passwd' }) }),
        s.permission({ toolCallId: 't', locations: [inside] }, s.usualOptions, { id: 'p' }),
      ],
      prompts: ['go'],
    });
    assert.equal(run.events('approval').length, 1);
  });
});
