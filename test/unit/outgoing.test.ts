import { equal } from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openConnection } from '../../src/agent/wire/connection.js';
import { Outgoing, sizeOf } from '../../src/agent/wire/outgoing.js';
import { limits } from '../../src/core/text/limits.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('answers on their way', () => {
  it('have room until too much waits, and again when it was written', async () => {
    const outgoing = new Outgoing();
    outgoing.made(limits.waitingAnswers);
    await outgoing.room();
    outgoing.made(1);
    let isFree = false;
    void outgoing.room().then(() => (isFree = true));
    await settled();
    equal(isFree, false);
    outgoing.written(1);
    await settled();
    equal(isFree, true);
  });

  it('wait no longer once the connection ended', async () => {
    const outgoing = new Outgoing();
    outgoing.made(limits.waitingAnswers + 1);
    const room = outgoing.room();
    outgoing.end();
    await room;
    await outgoing.room();
  });

  it('are measured by what can be large', () => {
    equal(sizeOf({ content: 'abc' }), 3);
    equal(sizeOf({ output: 'ab', truncated: false }), 2);
    equal(sizeOf({}), 0);
    equal(sizeOf(null), 0);
    equal(sizeOf('text'), 0);
  });
});

describe('the end of a connection', () => {
  it('is no fault of the host where an agent asks much and is gone before the answers', async () => {
    const faults: unknown[] = [];
    const onFault = (fault: unknown): number => faults.push(fault);
    process.on('uncaughtException', onFault);
    try {
      for (let round = 0; round < 20; round++) {
        let writes = 0;
        const stdin = new Writable({
          write: (_chunk, _encoding, done) => {
            writes += 1;
            done(writes > 2 + round ? new Error('EPIPE') : null);
          },
        });
        stdin.on('error', () => undefined);
        const stdout = new PassThrough();
        const connection = await openConnection(
          { stdin, stdout },
          {
            served: {},
            onNoise: () => undefined,
            onUpdate: () => undefined,
            onPermission: () => new Promise(() => undefined),
          },
        );
        const asked = connection.request('initialize', {}).catch(() => undefined);
        const late = connection.request('late', {}).catch(() => undefined);
        await settled();
        const request = (id: number): string => `{"jsonrpc":"2.0","id":${String(id)},"method":"x/y"}\n`;
        stdout.write(`{"jsonrpc":"2.0","id":0,"result":{}}\n`);
        stdout.write(Array.from({ length: 200 }, (_, id) => request(id)).join(''));
        await Promise.all([asked, late, connection.closed]);
        stdout.end(`${request(201)}{"jsonrpc":"2.0","id":1,"result":{}}\n${request(202)}`);
        await finished(stdout);
        await settled();
        await settled();
      }
    } finally {
      process.off('uncaughtException', onFault);
    }
    equal(faults.length, 0, String(faults[0]));
  });
});
