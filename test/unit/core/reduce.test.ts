import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { entriesOf, findTool } from '../../../src/core/transcript/model.js';
import { cancel, ended, fold, notice, outline, said, sent, tool, wire } from './events.js';

describe('reduce: messages', () => {
  for (const withIds of [true, false]) {
    it(`B46 keeps five blocks of one turn apart ${withIds ? 'by id' : 'by what stands between them'}`, () => {
      const name = (id: string): string | undefined => (withIds ? id : undefined);
      const t = fold([
        sent('go'),
        said('plan', name('t1'), 'thought'),
        said('lo', name('m1')),
        said('ok', name('m1')),
        tool('x1', { title: 'Read', status: 'completed' }),
        said('check', name('t2'), 'thought'),
        said('done', name('m2')),
      ]);
      deepStrictEqual(outline(t), [
        'user:go',
        'thought:plan',
        'assistant:look',
        'tool:x1:completed',
        'thought:check',
        'assistant:done',
      ]);
    });
  }

  it('oddity 22: splits on a changed id, and between text with an id and text without', () => {
    deepStrictEqual(outline(fold([said('a', 'm1'), said('b'), said('c', 'm2'), said('d', 'm2')])), [
      'assistant:a',
      'assistant:b',
      'assistant:cd',
    ]);
    deepStrictEqual(outline(fold([said('warning'), said('b', 'm1'), said('c', 'm2')])), [
      'assistant:warning',
      'assistant:b',
      'assistant:c',
    ]);
  });

  it('begins anew when an id comes back after a tool call', () => {
    deepStrictEqual(outline(fold([said('a', 'm1'), tool('x', { title: 'T' }), said('b', 'm1')])), [
      'assistant:a',
      'tool:x:pending',
      'assistant:b',
    ]);
  });

  it('does not split a message for the update of an older card', () => {
    const t = fold([tool('x', { title: 'T' }), said('a'), tool('x', { status: 'completed' }), said('b')]);
    deepStrictEqual(outline(t), ['tool:x:completed', 'assistant:ab']);
  });

  it('opens no bubble for blank text, and lets none end a thought', () => {
    deepStrictEqual(
      outline(fold([said('\n'), said('a', undefined, 'thought'), said(' \n'), said('b', undefined, 'thought')])),
      ['thought:ab'],
    );
    equal(outline(fold([said('a'), said('\n\n'), said('b')]))[0], 'assistant:a\n\nb');
    // It is not lost: what comes next begins with it.
    deepStrictEqual(outline(fold([said('\n'), sent('go'), said('\n'), said('a')])), ['user:go', 'assistant:\n\na']);
  });

  it('puts a surrogate pair that came in two chunks together', () => {
    deepStrictEqual(outline(fold([said('x\ud83d'), said('\ude00')])), ['assistant:x😀']);
  });

  it('keeps content that is not text at its place in the message', () => {
    const t = fold([
      said('ab'),
      { type: 'messageChunk', at: 101, role: 'assistant', content: { type: 'placeholder', label: 'video content' } },
      said('c'),
    ]);
    const entry = entriesOf(t)[0];
    ok(entry?.kind === 'assistant');
    equal(entry.text, 'abc');
    deepStrictEqual(entry.extras, [{ offset: 2, content: { type: 'placeholder', label: 'video content' } }]);
  });

  it('closes messages and thoughts, and times a thought', () => {
    const t = fold([sent('go'), said('a', undefined, 'thought'), said('b'), ended()]);
    const [, thought, message] = entriesOf(t);
    ok(thought?.kind === 'thought' && message?.kind === 'assistant');
    deepStrictEqual([thought.open, thought.at, thought.endedAt, message.open], [false, 100, 100, false]);
  });

  it('B45 drops an echo of the prompt, whole, in parts or expanded', () => {
    for (const echo of [['hello'], ['hel', 'lo'], ['hello [expanded]']]) {
      const t = fold([sent('hello'), said('hi'), ...echo.map((part) => said(part, 'u1', 'user')), said('!')]);
      deepStrictEqual(outline(t), ['user:hello', 'assistant:hi!']);
    }
  });

  it('makes user entries of a replay, each in a turn of its own', () => {
    const t = fold([
      said('fir', undefined, 'user'),
      said('st', undefined, 'user'),
      tool('call_1', { title: 'A', status: 'completed' }),
      said('second', undefined, 'user'),
      tool('call_1', { title: 'B', status: 'completed' }),
    ]);
    deepStrictEqual(outline(t), ['user:first', 'tool:call_1:completed', 'user:second', 'tool:call_1:completed']);
    equal(t.turn.state, 'idle');
  });

  it('does not add a late echo to the prompt of a turn that was run', () => {
    deepStrictEqual(outline(fold([sent('a'), ended(), said('b', undefined, 'user')])), ['user:a', 'user:b']);
  });
});

describe('reduce: tool calls', () => {
  it('B62 merges by field, replaces content, and null changes nothing', () => {
    const t = fold(
      wire(
        {
          sessionUpdate: 'tool_call',
          toolCallId: 'm1',
          title: 'Edit',
          kind: 'edit',
          status: 'pending',
          rawInput: { p: 1 },
          content: [{ type: 'content', content: { type: 'text', text: 'A' } }],
        },
        { sessionUpdate: 'tool_call_update', toolCallId: 'm1', status: 'completed' },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'm1',
          content: [{ type: 'content', content: { type: 'text', text: 'B' } }],
        },
        { sessionUpdate: 'tool_call_update', toolCallId: 'm1', title: null, content: null, rawInput: null },
      ),
    );
    const card = findTool(t, 'm1');
    deepStrictEqual([card?.title, card?.toolKind, card?.status], ['Edit', 'edit', 'completed']);
    deepStrictEqual(JSON.parse(card?.rawInput as string), { p: 1 });
    deepStrictEqual(card?.content, [{ type: 'content', content: { type: 'text', text: 'B' } }]);
    equal(t.count, 1);
  });

  it('B60 invents no card from a bare status, and makes one from a title', () => {
    const bare = Array.from({ length: 500 }, (_, i) => tool(`u${i + 1}`, { status: 'completed' }));
    const t = fold([...bare, tool('u501', { title: 'Read a.ts', toolKind: 'read' })]);
    deepStrictEqual(outline(t), ['tool:u501:pending']);
  });

  it('never lets a status go back, and shows one card for a call announced late', () => {
    const t = fold([
      tool('x', { title: 'W', toolKind: 'edit' }),
      tool('x', { status: 'in_progress' }, 210),
      tool('x', { title: 'W', status: 'pending' }, 220),
    ]);
    deepStrictEqual(outline(t), ['tool:x:in_progress']);
    const done = fold([tool('x', { status: 'failed' }, 230), tool('x', { status: 'in_progress' }, 240)], t);
    deepStrictEqual(outline(done), ['tool:x:failed']);
    deepStrictEqual([findTool(done, 'x')?.startedAt, findTool(done, 'x')?.endedAt], [210, 230]);
  });

  it('B67 settles open calls at the end of a turn, takes a late result and no late progress', () => {
    const open = [sent('go'), tool('a1', { title: 'A' }), tool('a2', { title: 'B', status: 'in_progress' })];
    const t = fold([...open, ended()]);
    deepStrictEqual(outline(t).slice(1), ['tool:a1:interrupted', 'tool:a2:interrupted']);
    const late = fold([tool('a2', { status: 'in_progress' }), tool('a1', { status: 'completed' })], t);
    deepStrictEqual(outline(late).slice(1), ['tool:a1:completed', 'tool:a2:interrupted']);
    deepStrictEqual(outline(fold([...open, cancel, ended('cancelled')])).slice(1), [
      'tool:a1:cancelled',
      'tool:a2:cancelled',
    ]);
    deepStrictEqual(
      outline(fold([...open, { type: 'turnFailed', at: 5, reason: '', message: '', notice }])).slice(1, 3),
      ['tool:a1:interrupted', 'tool:a2:interrupted'],
    );
  });

  it('leaves open calls alone while a cancel is under way', () => {
    const t = fold([sent('go'), tool('a', { title: 'A' }), cancel, tool('a', { status: 'completed' })]);
    deepStrictEqual([t.turn.state, t.turn.cancelledAt, outline(t)[1]], ['cancelling', 400, 'tool:a:completed']);
  });

  it('makes a new card for an id that is used again in a later turn', () => {
    const t = fold([
      sent('one'),
      tool('call_1', { title: 'A', status: 'completed' }),
      ended(),
      sent('two'),
      tool('call_1', { title: 'B' }),
      tool('call_1', { status: 'in_progress' }),
    ]);
    deepStrictEqual(outline(t), ['user:one', 'tool:call_1:completed', 'user:two', 'tool:call_1:in_progress']);
    equal(t.turn.tools, 1);
  });

  it('makes a new card for it also where the older call never got its result', () => {
    const t = fold([sent('one'), tool('c', { title: 'A' }), ended(), sent('two'), tool('c', { title: 'B' })]);
    deepStrictEqual(outline(t), ['user:one', 'tool:c:interrupted', 'user:two', 'tool:c:pending']);
  });

  it('B48 gives updates after the turn to their owner and stays idle', () => {
    const t = fold([
      sent('go'),
      tool('x1', { title: 'Run', status: 'in_progress' }),
      said('bye'),
      ended(),
      tool('x1', { status: 'completed' }),
      said('late '),
      said('note'),
      { type: 'commandsChanged', at: 9_100, commands: [{ name: 'plan', description: '' }] },
    ]);
    deepStrictEqual(outline(t), ['user:go', 'tool:x1:completed', 'assistant:bye', 'assistant:late note']);
    deepStrictEqual([t.turn.state, t.commands.length], ['idle', 1]);
    const next = fold([sent('more'), tool('x1', { content: [], status: 'failed' })], t);
    deepStrictEqual(outline(next).slice(1, 2), ['tool:x1:failed']);
    equal(next.turn.tools, 0);
  });

  it('B48 gives a late result with a title to the call of the older turn that lacks it', () => {
    const t = fold([
      sent('a'),
      tool('x', { title: 'T' }),
      ended(),
      sent('b'),
      tool('x', { title: 'T!', status: 'completed' }),
    ]);
    deepStrictEqual(outline(t), ['user:a', 'tool:x:completed', 'user:b']);
  });
});
