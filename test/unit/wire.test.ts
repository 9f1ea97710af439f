import assert from 'node:assert/strict';
import { FrameSplitter } from '../../src/agent/wire/framing.js';
import { Tap } from '../../src/agent/wire/tap.js';

type Seen = { messages: unknown[]; noise: string[]; batches: number; overflows: number };

function split(chunks: readonly (Buffer | string)[], maxFrame?: number): Seen & { splitter: FrameSplitter } {
  const seen: Seen = { messages: [], noise: [], batches: 0, overflows: 0 };
  const splitter = new FrameSplitter(
    {
      onMessage: (message) => seen.messages.push(message),
      onNoise: (line) => seen.noise.push(line),
      onBatch: () => (seen.batches += 1),
      onOverflow: () => (seen.overflows += 1),
    },
    maxFrame,
  );
  for (const chunk of chunks) {
    splitter.push(Buffer.from(chunk));
  }
  splitter.end();
  return { ...seen, ...{ batches: seen.batches, overflows: seen.overflows }, splitter };
}

describe('framing', () => {
  it('B01 tells log lines from messages, also ones that begin with a bracket', () => {
    const seen = split(['[boot] adapter ready\n{"a":1}\nWARN retrying in 2s\n{"b":2}\n42\n"x"\n']);
    assert.deepEqual(seen.messages, [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(seen.noise, ['[boot] adapter ready', 'WARN retrying in 2s', '42', '"x"']);
  });

  it('B04 keeps characters whole, wherever the bytes are cut', () => {
    const frame = Buffer.from('{"text":"naïve 中文 🙂 é"}\n');
    for (let cut = 1; cut < frame.length; cut++) {
      const seen = split([frame.subarray(0, cut), frame.subarray(cut)]);
      assert.deepEqual(seen.messages, [{ text: 'naïve 中文 🙂 é' }]);
    }
    assert.deepEqual(split([...frame].map((byte) => Buffer.from([byte]))).messages, [{ text: 'naïve 中文 🙂 é' }]);
  });

  it('B07 takes a last frame without a newline', () => {
    assert.deepEqual(split(['{"a":1}\n{"b":2}']).messages, [{ a: 1 }, { b: 2 }]);
  });

  it('B08 reads past a byte order mark, CRLF and blank lines', () => {
    const seen = split(['\uFEFF{"a":1}\r\n\r\n  \n{"b":2}\r\n']);
    assert.deepEqual(seen.messages, [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(seen.noise, []);
  });

  it('B06 stops at a frame over the limit and holds no more than that', () => {
    const seen = split(['{"a":1}\n', '{"x":"', 'y'.repeat(100), 'y'.repeat(100), '"}\n{"b":2}\n'], 64);
    assert.deepEqual(seen.messages, [{ a: 1 }]);
    assert.equal(seen.overflows, 1);
  });

  it('counts a message printed over several lines as broken frames, and a batch as a batch', () => {
    const seen = split(['{\n  "jsonrpc": "2.0"\n}\n[{"a":1}]\n{"a":1}{"b":2}\n']);
    assert.equal(seen.batches, 1);
    assert.deepEqual(seen.messages, []);
    assert.equal(seen.splitter.noise.brokenFrames, 2);
  });
});

describe('tap', () => {
  const permission = (id: unknown): Record<string, unknown> => ({
    jsonrpc: '2.0',
    id,
    method: 'session/request_permission',
    params: {
      sessionId: 'S1',
      toolCall: { toolCallId: 'x' },
      options: [{ optionId: 'a', name: 'A', kind: 'allow_persistent' }],
    },
  });

  it('hands updates on at once and keeps them from the SDK, whatever their kind', () => {
    const updates: unknown[] = [];
    const tap = new Tap({
      onUpdate: (params) => updates.push(params),
      onPermission: () => Promise.reject(new Error()),
    });
    const message = {
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 'S1', update: { sessionUpdate: 'hologram' } },
    };
    assert.equal(tap.take(message), undefined);
    assert.deepEqual(updates, [message.params]);
  });

  it('registers a permission request in wire order and gives the SDK a form that it accepts', async () => {
    const order: string[] = [];
    const tap = new Tap({
      onUpdate: () => order.push('update'),
      onPermission: (params) => {
        order.push(`permission ${(params.options[0] as { kind: string }).kind}`);
        return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'a' } });
      },
    });
    const update = { jsonrpc: '2.0', method: 'session/update', params: {} };
    tap.take(update);
    const forSdk = tap.take(permission(0)) as { id: number; params: { options: unknown[]; _meta: unknown } };
    tap.take(update);
    assert.deepEqual(order, ['update', 'permission allow_persistent', 'update']);
    assert.equal(forSdk.id, 0);
    assert.deepEqual(forSdk.params.options, []);
    const answer = await tap.settle(forSdk.params._meta, new AbortController().signal);
    assert.deepEqual(answer, { outcome: { outcome: 'selected', optionId: 'a' } });
  });

  it('withdraws a request when the SDK aborts it, and one that the SDK never came to when the connection closes', async () => {
    const aborted: string[] = [];
    const tap = new Tap({
      onUpdate: () => undefined,
      onPermission: (_params, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push('x');
            resolve({ outcome: { outcome: 'cancelled' } });
          });
        }),
    });
    const first = tap.take(permission(1)) as { params: { _meta: unknown } };
    tap.take(permission(2));
    const controller = new AbortController();
    const answer = tap.settle(first.params._meta, controller.signal);
    controller.abort();
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
    tap.close();
    assert.equal(aborted.length, 2);
  });

  it('cannot be told by the agent which answer to take', async () => {
    const tap = new Tap({ onUpdate: () => undefined, onPermission: () => Promise.reject(new Error('never')) });
    const answer = await tap.settle({ 'acpHost.token': 7 }, new AbortController().signal);
    assert.deepEqual(answer, { outcome: { outcome: 'cancelled' } });
  });
});
