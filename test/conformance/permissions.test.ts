import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../support/fakeAgentScript.js';
import * as s from '../support/fakeAgentSteps.js';
import { cancelled, cleanAfterEach, indexOf, scenario, selected, type Result } from './scenario.js';

const prompt = { do: 'prompt', text: 'go' } as const;
const asked = (toolCallId: string): Record<string, unknown> => ({
  do: 'waitFor',
  event: 'approval',
  match: { toolCallId },
});
const answer = (toolCallId: string, optionId: string): Record<string, unknown> => ({
  do: 'answer',
  toolCallId,
  optionId,
});
const kinds = (run: Result): unknown[] =>
  (run.events('approval')[0]?.['options'] as readonly { kind: string }[]).map(({ kind }) => kind);

describe('requests for permission', () => {
  cleanAfterEach();

  it('B70 item 60 keeps two requests apart that came in one write, answered the other way round', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('a'),
        s.toolCall('b'),
        s.oneWrite(
          s.permission('a', s.usualOptions, { id: 11, wait: false }),
          s.permission('b', s.usualOptions, { id: 12, wait: false }),
        ),
        s.waitResponse(12),
        { do: 'note', value: 'b answered' },
        s.waitResponse(11),
      ],
      script: [prompt, asked('a'), asked('b'), answer('b', 'yes'), answer('a', 'no')],
    });
    assert.deepEqual(run.answerTo(12).result, selected('yes'));
    assert.deepEqual(run.answerTo(11).result, selected('no'));
    const order = run.sent.flatMap(({ id, method }) => (method === undefined ? [id] : []));
    assert.deepEqual(order, [12, 11]);
    assert.ok(indexOf(run, 'approvalSettled') > indexOf(run, 'approval', (line) => line['toolCallId'] === 'b'));
  });

  it('B72 item 61 4.5.10 a cancel answers what is pending in its session, and only that, within 100 ms', async () => {
    const run = await scenario({
      agent: {
        prompts: [
          { match: 'other', steps: [s.toolCall('c'), s.permission('c', s.usualOptions, { id: 41 }), s.text('c done')] },
          {
            match: 'first',
            steps: [
              s.permission('a', s.usualOptions, { id: 31, wait: false }),
              s.permission('b', s.usualOptions, { id: 32, wait: false }),
              s.hang(),
            ],
          },
        ],
      },
      script: [
        { do: 'prompt', text: 'other' },
        asked('c'),
        { do: 'newSession' },
        { do: 'prompt', text: 'first' },
        asked('a'),
        asked('b'),
        { do: 'cancel' },
        { do: 'waitFor', event: 'turnEnded', match: { stopReason: 'cancelled' } },
        answer('c', 'yes'),
      ],
    });
    assert.deepEqual(run.answerTo(31).result, cancelled);
    assert.deepEqual(run.answerTo(32).result, cancelled);
    assert.deepEqual(run.answerTo(41).result, selected('yes'));
    const events = await run.fake.events();
    const at = (fits: (frame: { id?: unknown; method?: string }) => boolean): number =>
      events.find((line) => line.event === 'received' && line.frame !== null && fits(line.frame))?.at ?? Number.NaN;
    const cancelAt = at(({ method }) => method === 'session/cancel');
    for (const id of [31, 32]) {
      assert.ok(Math.abs(at((frame) => frame.method === undefined && frame.id === id) - cancelAt) < 100);
    }
    assert.deepEqual(run.sentOf('session/cancel')[0]?.params, { sessionId: 'S2' });
    assert.deepEqual(
      run.events('approvalSettled').map((line) => [line['outcome'], line['by']]),
      [
        ['cancelled', 'cancel'],
        ['cancelled', 'cancel'],
        ['allowed', 'person'],
      ],
    );
  });

  it('B74 a plain denial takes the option that rejects once, wherever it stands, and never one for good', async () => {
    const options = [
      { optionId: 'na', name: 'Never', kind: 'reject_always' },
      { optionId: 'n', name: 'No', kind: 'reject_once' },
      { optionId: 'y', name: 'Yes', kind: 'allow_once' },
    ];
    const lists: [typeof options, Json][] = [
      [options, selected('n')],
      [options.slice(0, 1), cancelled],
      [[...options.slice(1), { optionId: 'n2', name: 'No, and stop', kind: 'reject_once' }], cancelled],
      [options.slice(2), cancelled],
    ];
    const run = await scenario({
      agent: lists.map(([list], index) => s.permission(`t${String(index)}`, list, { id: `p${String(index)}` })),
      options: ['--answers', 'reject_once'],
      prompts: ['go'],
    });
    for (const [index, [, expected]] of lists.entries()) {
      assert.deepEqual(run.answerTo(`p${String(index)}`).result, expected);
    }
    assert.ok(run.events('approvalSettled').every((line) => line['outcome'] === 'denied'));
  });

  it('B76 item 58 4.5.4 a question with several answers is nobody’s but a person’s', async () => {
    const plans = ['A', 'B', 'C'].map((id) => ({ optionId: id, name: `Plan ${id}`, kind: 'allow_once' }));
    const options = [...plans, { optionId: 'n', name: 'None', kind: 'reject_once' }];
    for (const rule of [
      ['--answers', 'allow_once'],
      ['--write', 'allow', '--terminal', 'allow', '--acknowledge-unrestricted'],
    ]) {
      const run = await scenario({
        agent: [s.permission('t1', options, { id: 'p' })],
        options: rule,
        script: [prompt, asked('t1'), answer('t1', 'B')],
      });
      assert.deepEqual(run.events('approval')[0]?.['options'], options);
      assert.deepEqual(run.answerTo('p').result, selected('B'));
    }
    const nobody = await scenario({
      agent: [s.permission('t1', options, { id: 'p' })],
      options: ['--answers', 'allow_once'],
      prompts: ['go'],
    });
    assert.deepEqual(nobody.answerTo('p').result, selected('n'));
  });

  it('B77 item 59 4.5.17 shows options of unknown kind, chooses none of them, and takes the one that was picked', async () => {
    const options = [
      { optionId: 'p', name: 'Amend policy', kind: 'accept_policy' },
      { optionId: 'q', name: 'Hm' },
      { optionId: 'n', name: 'No', kind: 'reject_once' },
    ] as never;
    const denied = await scenario({
      agent: [s.permission('t1', options, { id: 'p' })],
      options: ['--answers', 'allow_once'],
      prompts: ['go'],
    });
    assert.deepEqual(kinds(denied), ['unknown', 'unknown', 'reject_once']);
    assert.deepEqual(denied.answerTo('p').result, selected('n'));
    const picked = await scenario({
      agent: [s.permission('t1', options, { id: 'p' })],
      script: [prompt, answer('t1', 'q')],
    });
    assert.deepEqual(picked.answerTo('p').result, selected('q'));
  });

  it('B77 item 59 4.5.5 4.5.18 answers cancelled to lists that cannot be answered', async () => {
    const twice = [
      { optionId: 'x', name: 'Yes', kind: 'allow_once' },
      { optionId: 'x', name: 'No', kind: 'reject_once' },
    ];
    const lists: readonly (readonly Json[])[] = [
      [],
      twice,
      [null, 7, 'text'],
      [{ name: 'no id', kind: 'allow_once' }],
      [{ optionId: '', name: 'Yes', kind: 'allow_once' }],
      Array.from({ length: 500 }, (_, i) => ({ optionId: `o${String(i)}`, name: 'x', kind: 'allow_once' })),
    ];
    const run = await scenario({
      agent: lists.map((list, index) => s.permission(`t${String(index)}`, list as never, { id: index + 10 })),
      options: ['--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const [index] of lists.entries()) {
      assert.deepEqual(run.answerTo(index + 10).result, cancelled, `list ${String(index)}`);
    }
    assert.equal(run.status, 0);
  });

  it('refuses requests without what makes one with -32602, briefly', async () => {
    const params: readonly JsonObject[] = [
      {},
      { sessionId: '{{sessionId}}' },
      { sessionId: '{{sessionId}}', toolCall: { toolCallId: 't' } },
      { sessionId: '{{sessionId}}', toolCall: 't', options: Array.from({ length: 2_000 }, () => 1) },
      { sessionId: 7, toolCall: { toolCallId: 't' }, options: [] },
      { sessionId: 'S9', toolCall: { toolCallId: 't' }, options: s.usualOptions },
    ];
    const run = await scenario({
      agent: params.map((one, index) => s.request('session/request_permission', one, { id: `p${String(index)}` })),
      options: ['--answers', 'allow_once'],
      prompts: ['go'],
    });
    for (const [index] of params.entries()) {
      const { error } = run.answerTo(`p${String(index)}`);
      assert.equal(error?.code, -32602, `request ${String(index)}`);
      assert.ok(JSON.stringify(error).length < 2_000);
    }
    assert.equal(run.events('approval').length, 0);
  });

  it('B78 item 29 4.5.13 shows what the call said before, where the request names its id only', async () => {
    const run = await scenario({
      agent: [
        s.oneWrite(
          s.toolCall('w1', {
            title: 'Edit a.ts',
            kind: 'edit',
            locations: [{ path: '{{cwd}}/a.ts' }],
            content: [s.diff('{{cwd}}/a.ts', 'old\n', 'new\n')],
          }),
          s.permission('w1', s.usualOptions, { id: 'p1', wait: false }),
        ),
        s.waitResponse('p1'),
        s.toolCall('x1', { title: 'npm test', kind: 'execute', rawInput: { command: 'npm test -- --x', cwd: '/tmp' } }),
        s.permission('x1', s.usualOptions, { id: 'p2' }),
        s.permission({ toolCallId: 'x1', rawInput: { command: ['rm', '-rf', 'a b'] } }, s.usualOptions, { id: 'p3' }),
        s.permission('never-announced', s.usualOptions, { id: 'p4' }),
      ],
      files: { 'a.ts': 'old\n' },
      prompts: ['go'],
    });
    const [edit, command, merged, unknown] = run.events('approval');
    assert.deepEqual([edit?.['verb'], edit?.['agentWords']], ['edit', 'Edit a.ts']);
    assert.deepEqual(edit?.['paths'], [`${run.cwd}/a.ts`]);
    assert.deepEqual(
      [command?.['verb'], command?.['command'], command?.['cwd']],
      ['execute', 'npm test -- --x', '/tmp'],
    );
    assert.equal(merged?.['command'], `rm -rf 'a b'`);
    assert.ok((unknown?.['marks'] as string[]).includes('nodetail'));
    assert.ok(indexOf(run, 'toolChanged', (line) => line['toolCallId'] === 'w1') < indexOf(run, 'approval'));
  });

  it('4.5.14 asks a person where a call names a harmless kind and does something else', async () => {
    const file = '{{cwd}}/a.ts';
    const harmless = { kind: 'read', locations: [{ path: file }] };
    const run = await scenario({
      agent: [
        s.permission({ toolCallId: 'plain', title: 'Read', ...harmless }, s.usualOptions, { id: 'p0' }),
        s.permission(
          { toolCallId: 'change', title: 'Read', ...harmless, content: [s.diff(file, 'old\n', 'new\n')] },
          s.usualOptions,
          { id: 'p1' },
        ),
        s.permission(
          { toolCallId: 'thought', title: 'Think', kind: 'think', content: [s.diff(file, 'old\n', 'new\n')] },
          s.usualOptions,
          { id: 'p2' },
        ),
        s.toolCall('flip', { title: 'Run', kind: 'execute', rawInput: { command: 'rm -rf x' } }),
        s.permission({ toolCallId: 'flip', ...harmless, rawInput: {} }, s.usualOptions, { id: 'p3' }),
        s.permission(
          {
            toolCallId: 'padded',
            title: 'Read',
            ...harmless,
            rawInput: { pad: 'x'.repeat(800_000), more: 'y'.repeat(800_000), command: 'rm -rf x' },
          },
          s.usualOptions,
          { id: 'p4' },
        ),
        s.permission(
          {
            toolCallId: 'many',
            title: 'Read',
            kind: 'read',
            locations: [...Array.from({ length: 60 }, () => file), '{{cwd}}/.env'].map((path, i) => ({
              path: i < 60 ? `${path}${String(i)}` : path,
            })),
          },
          s.usualOptions,
          { id: 'p5' },
        ),
        s.permission({ toolCallId: 'nowhere', title: 'Search', kind: 'search' }, s.usualOptions, { id: 'p6' }),
      ],
      files: { 'a.ts': 'old\n' },
      options: ['--answers', 'reject_once'],
      prompts: ['go'],
    });
    const selected = (id: string): unknown => run.answerTo(id).result;
    assert.deepEqual(selected('p0'), { outcome: { outcome: 'selected', optionId: 'yes' } });
    for (const id of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) {
      assert.deepEqual(selected(id), { outcome: { outcome: 'selected', optionId: 'no' } }, id);
    }
  });

  it('item 62 a request that the agent takes back is answered once, and a late answer changes nothing', async () => {
    const run = await scenario({
      agent: [
        s.permission('t1', s.usualOptions, { id: 'p', wait: false }),
        s.waitFor('session/prompt'),
        { do: 'notify', method: '$/cancel_request', params: { requestId: 'p' } },
        s.waitResponse('p'),
        { do: 'notify', method: '$/cancel_request', params: { requestId: 'p' } },
        { do: 'notify', method: '$/cancel_request', params: { requestId: 'none' } },
        { do: 'notify', method: '$/cancel_request', params: { requestId: {} } },
        { do: 'notify', method: '$/cancel_request' },
      ],
      script: [prompt, asked('t1'), { do: 'waitFor', event: 'turnEnded' }, answer('t1', 'yes')],
    });
    const { result, error } = run.answerTo('p');
    assert.ok(error?.code === -32800 || JSON.stringify(result) === JSON.stringify(cancelled));
    assert.deepEqual(
      run.events('approvalSettled').map((line) => line['outcome']),
      ['cancelled'],
    );
    assert.equal(run.status, 1, 'the answer of the script came too late');
  });

  it('4.5.8 answers cancelled at once to a request after the cancel, and to one without a turn', async () => {
    const run = await scenario({
      agent: [
        s.text('a'),
        s.waitFor('session/cancel'),
        s.permission('t1', s.usualOptions, { id: 'late' }),
        s.respond({ stopReason: 'cancelled' }),
        s.permission('t2', s.usualOptions, { id: 'idle' }),
        s.plan({ content: 'over' }),
      ],
      options: ['--answers', 'allow_once'],
      script: [
        prompt,
        { do: 'waitFor', event: 'messageChunk' },
        { do: 'cancel' },
        { do: 'waitFor', event: 'planChanged' },
      ],
    });
    assert.deepEqual(run.answerTo('late').result, cancelled);
    assert.deepEqual(run.answerTo('idle').result, cancelled);
    assert.equal(run.events('approval').length, 0);
  });

  it('item 63 4.5.15 an agent that dies with a question open leaves none, and its calls are not running any more', async () => {
    const run = await scenario({
      agent: [
        s.toolCall('t1', { status: 'in_progress' }),
        s.permission('t1', s.usualOptions, { wait: false }),
        s.exit(1),
      ],
      script: [prompt, asked('t1'), { do: 'waitFor', event: 'agentExited' }, answer('t1', 'yes')],
    });
    const [settled] = run.events('approvalSettled');
    assert.deepEqual([settled?.['outcome'], settled?.['by']], ['cancelled', 'exit']);
    const tool = run.entries.find(({ kind }) => kind === 'tool');
    assert.ok(!['pending', 'in_progress'].includes(String(tool?.['status'])));
  });
});
