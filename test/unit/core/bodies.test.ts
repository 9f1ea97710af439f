import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { Bodies } from '../../../src/agent/bodies.js';
import { limits } from '../../../src/core/text/limits.js';
import type { SessionEvent, ToolPatch } from '../../../src/core/transcript/events.js';
import type { BodyRef, ToolContent } from '../../../src/core/transcript/model.js';
import { said, sent, tool } from './events.js';

const text = (value: string): ToolContent => ({ type: 'content', content: { type: 'text', text: value } });
const patchOf = (event: SessionEvent): ToolPatch => {
  ok(event.type === 'toolChanged');
  return event.patch;
};
const refOf = (event: SessionEvent): BodyRef => patchOf(event).rawOutput as BodyRef;
const big = 'x'.repeat(limits.inline + 1);

describe('Bodies', () => {
  it('replaces every large text of a tool call, and no small one', () => {
    const bodies = new Bodies();
    const diff: ToolContent = { type: 'diff', path: '/w/a', oldText: null, newText: big };
    const patch = patchOf(
      bodies.shrink(tool('t', { content: [text(big), text('small'), diff], rawInput: big, rawOutput: 'small' })),
    );
    const json = JSON.stringify(patch);
    equal(json.match(/"bodyId"/g)?.length, 3);
    ok(json.length < 4 * limits.bodyPreview);
    const ref = patch.rawInput as BodyRef;
    deepStrictEqual([ref.bytes, ref.preview.length], [big.length, limits.bodyPreview]);
    equal(bodies.get(ref.bodyId), big);
    equal(patch.rawOutput, 'small');
    const event = tool('u', { rawOutput: 'small' });
    deepStrictEqual(bodies.shrink(event), event);
  });

  it('keeps the text of messages inline, and pictures and resources not', () => {
    const bodies = new Bodies();
    deepStrictEqual(bodies.shrink(said(big)), said(big));
    const image = bodies.shrink({
      type: 'messageChunk',
      at: 1,
      role: 'assistant',
      content: { type: 'image', mimeType: 'image/png', data: big },
    });
    ok(image.type === 'messageChunk' && image.content.type === 'image' && typeof image.content.data === 'object');
  });

  it('keeps only the newest of output that grows', () => {
    const bodies = new Bodies();
    const first = refOf(bodies.shrink(tool('t', { rawOutput: big })));
    const again = refOf(bodies.shrink(tool('t', { rawOutput: big })));
    deepStrictEqual(again, first);
    const grown = refOf(bodies.shrink(tool('t', { rawOutput: `${big}more` })));
    equal(bodies.get(first.bodyId), undefined);
    equal(bodies.get(grown.bodyId), `${big}more`);
    const other = patchOf(bodies.shrink(tool('t', { content: [text(big)] }))).content?.[0];
    bodies.shrink(tool('t', { content: [] }));
    ok(other?.type === 'content' && other.content.type === 'text' && typeof other.content.text === 'object');
    equal(bodies.get(other.content.text.bodyId), undefined);
    equal(bodies.get(grown.bodyId), `${big}more`);
  });

  it('does not take the body of an older card for an id that is used again', () => {
    const bodies = new Bodies();
    const first = refOf(bodies.shrink(tool('call_1', { rawOutput: big })));
    bodies.shrink(sent('next'));
    bodies.shrink(tool('call_1', { rawOutput: `${big}2` }));
    equal(bodies.get(first.bodyId), big);
  });

  it('cuts the middle of a body that is too large, and says its true length', () => {
    const bodies = new Bodies();
    const huge = `start ${'€'.repeat(limits.body)} end`;
    const ref = refOf(bodies.shrink(tool('t', { rawOutput: huge })));
    equal(ref.bytes, Buffer.byteLength(huge));
    const kept = bodies.get(ref.bodyId) ?? '';
    ok(kept.startsWith('start €') && kept.endsWith('€ end') && kept.includes('bytes are not kept'));
    ok(!kept.includes('\ufffd'));
    ok(Buffer.byteLength(kept) < limits.body + 100);
  });

  it('drops the least recently used beyond its bound', () => {
    const bodies = new Bodies();
    const full = 'y'.repeat(limits.body);
    const refs = Array.from({ length: 32 }, (_, i) => refOf(bodies.shrink(tool(`t${i}`, { rawOutput: full }))));
    equal(bodies.get(refs[0]?.bodyId ?? ''), full);
    bodies.shrink(tool('last', { rawOutput: full }));
    equal(bodies.get(refs[0]?.bodyId ?? ''), full);
    equal(bodies.get(refs[1]?.bodyId ?? ''), undefined);
  });

  it('keeps lone surrogates as they are', () => {
    const bodies = new Bodies();
    const odd = `\ud800${big}`;
    equal(bodies.get(refOf(bodies.shrink(tool('t', { rawOutput: odd }))).bodyId), odd);
  });
});
