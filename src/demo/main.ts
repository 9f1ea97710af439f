/**
 * The demo agent: a program of its own that speaks ACP on stdio, to try the product without a key or a network. To the
 * host it is an agent like any other. `--pace N` scales all its delays (1; 0 = none).
 */
import { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { demoAgent } from './demoAgent.js';

const { values } = parseArgs({ options: { pace: { type: 'string', default: '1' } } });
const pace = Number(values.pace);

const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
const connection = demoAgent(Number.isFinite(pace) ? pace : 1).connect(stream);

// The end of stdin closes the connection: the host is gone, and so are we, whatever still runs.
void connection.closed.then(() => process.exit(0));
