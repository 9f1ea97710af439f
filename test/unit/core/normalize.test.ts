import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../src/core/text/limits.js';
import { entriesOf } from '../../../src/core/transcript/model.js';
import { normalizeToolCall, normalizeUpdate } from '../../../src/core/transcript/normalize.js';
import {
  normalizeModes,
  normalizeOptions,
  normalizePermissionOptions,
} from '../../../src/core/transcript/normalizeSetup.js';
import { ended, fold, sent, wire } from './events.js';

const chunk = (content: unknown, more: object = {}): object => ({
  sessionUpdate: 'agent_message_chunk',
  content,
  ...more,
});
const one = (update: unknown): unknown => normalizeUpdate(update, 7)[0];

describe('normalizeUpdate', () => {
  it('B44 passes over what it does not know and names unknown content', () => {
    const events = wire(
      { sessionUpdate: 'usage_update', used: 11383, size: 262144 },
      { sessionUpdate: 'hologram_update', x: 1 },
      chunk({ type: 'video', uri: 'v' }),
      chunk({ type: 'text', text: 'ok' }),
    );
    const t = fold([sent('go'), ...events, ended()]);
    const answer = entriesOf(t)[1];
    ok(answer?.kind === 'assistant');
    equal(answer.text, 'ok');
    deepStrictEqual(answer.extras, [{ offset: 0, content: { type: 'placeholder', label: 'video content' } }]);
    deepStrictEqual([t.usage, t.turn.state, t.turn.stopReason], [{ used: 11383, size: 262144 }, 'idle', 'end_turn']);
  });

  it('never throws and makes facts of JSON only, whatever it is given', () => {
    const kinds = fc.constantFrom(
      ...['agent_message_chunk', 'tool_call', 'tool_call_update', 'plan', 'available_commands_update', 'usage_update'],
      ...['current_mode_update', 'config_option_update', 'session_info_update', 'notice', 'user_message_chunk', '_x'],
    );
    const field = fc.oneof(
      fc.anything(),
      fc.array(fc.dictionary(fc.constantFrom('type', 'text', 'path', 'content', 'id'), fc.anything())),
    );
    const names = fc.constantFrom(
      ...['content', 'toolCallId', 'title', 'kind', 'status', 'locations', 'rawInput', 'entries', 'availableCommands'],
      ...['used', 'size', 'cost', 'currentModeId', 'configOptions', 'severity', 'description', 'messageId'],
    );
    const update = fc
      .tuple(kinds, fc.dictionary(names, field))
      .map(([kind, fields]) => ({ ...fields, sessionUpdate: kind }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), update), (raw) => {
        const events = normalizeUpdate(raw, 1);
        deepStrictEqual(JSON.parse(JSON.stringify(events)), events);
        fold(events);
      }),
      { numRuns: 200 },
    );
  }).timeout(10_000);

  it('keeps input that is nested deep small, and never takes it for none', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
    const inputOf = (rawInput: unknown): unknown => normalizeToolCall({ toolCallId: 't', rawInput })?.rawInput;
    equal(inputOf([[1]]), '[\n  [\n    1\n  ]\n]');
    equal(inputOf(nested(1_000)), JSON.stringify(nested(1_000)));
    equal(inputOf(nested(100_000)), '(nested too deep to be shown)');
    equal(inputOf(null), undefined);
    const wide = inputOf({ list: Array.from({ length: 200_000 }, () => 1) });
    ok(typeof wide === 'string' && wide.length < 500_000);
  });

  it('reads chunks with and without an id, and drops empty ones', () => {
    deepStrictEqual(one(chunk({ type: 'text', text: 'a' }, { messageId: 'm', _meta: { x: 1 } })), {
      type: 'messageChunk',
      at: 7,
      role: 'assistant',
      content: { type: 'text', text: 'a' },
      messageId: 'm',
    });
    ok(!('messageId' in (one(chunk({ type: 'text', text: 'a' }, { messageId: null })) as object)));
    equal(one(chunk({ type: 'text', text: '' })), undefined);
    equal(one(chunk({ type: 'text' })), undefined);
    equal(one(chunk('text')), undefined);
  });

  it('reads every kind of content', () => {
    const contents = [
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'image', data: 'AAAA' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AA' },
      { type: 'resource_link', uri: 'file:///w/a', name: 'a', size: 3 },
      { type: 'resource', resource: { uri: 'file:///w/b', text: 'B' } },
      { type: 'resource', resource: { uri: 'file:///w/b', blob: 'AA' } },
    ];
    const read = contents.map((content) => (one(chunk(content)) as { content: unknown }).content);
    deepStrictEqual(read, [
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'placeholder', label: 'image content' },
      { type: 'placeholder', label: 'audio content' },
      { type: 'link', uri: 'file:///w/a', name: 'a' },
      { type: 'resource', uri: 'file:///w/b', text: 'B' },
      { type: 'placeholder', label: 'resource content' },
    ]);
  });

  it('keeps plan entries of unknown priority and status, and good ones beside bad ones', () => {
    const entries = [
      { content: 'A', priority: 'urgent', status: 'cancelled' },
      null,
      { content: 'B' },
      { priority: 'low' },
    ];
    deepStrictEqual((one({ sessionUpdate: 'plan', entries }) as { entries: unknown }).entries, [
      { content: 'A', priority: 'urgent', status: 'cancelled' },
      { content: 'B', priority: 'medium', status: 'pending' },
    ]);
    equal(one({ sessionUpdate: 'plan', entries: 'x' }), undefined);
  });

  it('reads the smaller updates with the deviations that agents show', () => {
    deepStrictEqual(one({ sessionUpdate: 'current_mode_update', modeId: 'plan' }), {
      type: 'modeChanged',
      at: 7,
      modeId: 'plan',
    });
    deepStrictEqual(one({ sessionUpdate: 'session_info_update', title: null }), {
      type: 'titleChanged',
      at: 7,
      title: null,
    });
    equal(one({ sessionUpdate: 'session_info_update', updatedAt: 'x' }), undefined);
    deepStrictEqual(
      one({ sessionUpdate: 'usage_update', used: 1.5, size: Infinity, cost: { amount: 0.1, currency: 'USD' } }),
      {
        type: 'usageChanged',
        at: 7,
        usage: { used: 1.5, cost: { amount: 0.1, currency: 'USD' } },
      },
    );
    equal(one({ sessionUpdate: 'usage_update', used: null, size: 'x' }), undefined);
    deepStrictEqual(one({ sessionUpdate: 'notice', severity: 'odd', title: 'T', description: 'D' }), {
      type: 'noticeShown',
      at: 7,
      notice: { code: 'agent', severity: 'info', what: 'T', why: 'D', actions: [] },
    });
    deepStrictEqual(
      one({
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          { name: 'a', description: 'd', input: { hint: 'h' } },
          { name: 'b', input: null },
          { description: 'x' },
        ],
      }),
      {
        type: 'commandsChanged',
        at: 7,
        commands: [
          { name: 'a', description: 'd', hint: 'h' },
          { name: 'b', description: '' },
        ],
      },
    );
  });
});

describe('normalizeToolCall', () => {
  it('takes null and absent fields for unchanged, and unknown words for nothing', () => {
    deepStrictEqual(
      normalizeToolCall({
        toolCallId: 'x',
        title: null,
        kind: null,
        status: 'paused',
        content: null,
        locations: null,
        rawInput: null,
      }),
      { toolCallId: 'x' },
    );
    equal(normalizeToolCall({ toolCallId: 'x', status: 'cancelled' })?.status, 'cancelled');
    equal(normalizeToolCall({ sessionUpdate: 'tool_call', toolCallId: 'x', kind: 'teleport' })?.toolKind, 'other');
    equal(
      normalizeToolCall({ sessionUpdate: 'tool_call_update', toolCallId: 'x', kind: 'teleport' })?.toolKind,
      undefined,
    );
  });

  it('keeps good items of content and locations, wrapped or not', () => {
    const patch = normalizeToolCall({
      toolCallId: 'x',
      content: [
        { type: 'content', content: { type: 'text', text: 'A' } },
        { type: 'text', text: 'B' },
        { type: 'diff', path: '/w/n', newText: 'n' },
        { type: 'diff', path: '/w/n', oldText: 'o', newText: '' },
        { type: 'diff', newText: 'n' },
        { type: 'terminal', terminalId: 't' },
        { type: 'content' },
        7,
        { type: 'hologram' },
      ],
      locations: [{ path: 'rel/a', line: 0 }, { path: '/w/b', line: null }, { path: '/w/c', line: 3 }, {}],
    });
    deepStrictEqual(patch?.content, [
      { type: 'content', content: { type: 'text', text: 'A' } },
      { type: 'content', content: { type: 'text', text: 'B' } },
      { type: 'diff', path: '/w/n', oldText: null, newText: 'n' },
      { type: 'diff', path: '/w/n', oldText: 'o', newText: '' },
      { type: 'terminal', terminalId: 't' },
      { type: 'content', content: { type: 'placeholder', label: 'hologram content' } },
    ]);
    deepStrictEqual(patch.locations, [{ path: 'rel/a', line: 1 }, { path: '/w/b' }, { path: '/w/c', line: 3 }]);
  });

  it('refuses ids that are empty or too long, and never shortens one', () => {
    equal(normalizeToolCall({ toolCallId: '' }), null);
    equal(normalizeToolCall({ toolCallId: 'x'.repeat(limits.identifier + 1) }), null);
    equal(normalizeToolCall({ toolCallId: '0:call__x' })?.toolCallId, '0:call__x');
  });

  it('bounds titles on a character boundary', () => {
    const title = normalizeToolCall({ toolCallId: 'x', title: `${'a'.repeat(limits.title - 1)}😀` })?.title;
    equal(title, 'a'.repeat(limits.title - 1));
  });
});

describe('what an agent offers', () => {
  it('reads modes, and names those without a name by their id', () => {
    deepStrictEqual(
      normalizeModes({
        currentModeId: 'a',
        availableModes: [{ id: 'a', name: 'A', description: null }, { id: 'b' }, {}],
      }),
      {
        currentModeId: 'a',
        availableModes: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'b' },
        ],
      },
    );
    equal(normalizeModes(null), null);
    equal(normalizeModes({ availableModes: [] }), null);
  });

  it('reads options in order: grouped, boolean, with a value outside the choices; drops unknown types', () => {
    const raw = [
      {
        id: 'm',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'gone',
        options: [{ group: 'g', name: 'G', options: [{ value: 'x', name: 'X' }] }, { value: 'y' }],
      },
      { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true },
      { id: 'n', type: 'slider', currentValue: 3 },
      { id: 'b', type: 'boolean', currentValue: 'yes' },
    ];
    deepStrictEqual(normalizeOptions(raw), [
      {
        id: 'm',
        name: 'Model',
        category: 'model',
        type: 'select',
        value: 'gone',
        choices: [
          { value: 'x', name: 'X', group: 'G' },
          { value: 'y', name: 'y' },
        ],
      },
      { id: 'fast', name: 'Fast', type: 'boolean', value: true },
    ]);
    deepStrictEqual(normalizeOptions({}), []);
  });

  it('keeps permission options as offered, and makes unknown kinds neutral', () => {
    const raw = [
      { optionId: 'ok', name: 'Yes', kind: 'allow_once' },
      { optionId: 'keep', name: 'Keep', kind: 'allow_persistent' },
      { optionId: 'no', kind: 'reject_once' },
    ];
    deepStrictEqual(normalizePermissionOptions(raw), {
      options: [
        { optionId: 'ok', name: 'Yes', kind: 'allow_once' },
        { optionId: 'keep', name: 'Keep', kind: 'unknown' },
        { optionId: 'no', name: 'no', kind: 'reject_once' },
      ],
      valid: true,
    });
  });

  it('lets nothing be chosen from a list that is empty, too long or names an id twice', () => {
    const option = (optionId: string): object => ({ optionId, name: 'n', kind: 'allow_once' });
    for (const raw of [
      undefined,
      [],
      [{}],
      [option('a'), option('a')],
      Array.from({ length: 17 }, (_, i) => option(`${i}`)),
    ]) {
      const read = normalizePermissionOptions(raw);
      equal(read.valid, false);
      ok(read.why);
    }
  });
});
