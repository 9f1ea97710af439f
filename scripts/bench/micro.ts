// Figures that need no editor: what a message costs on its way in, what the jail costs, how large the bundles are.
// Each is set against a plain way of doing the same in the same run, since the machine is never the same twice.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import * as sdk from '@agentclientprotocol/sdk/unstable';
import { openJail } from '../../src/agent/files/jail.js';
import { openConnection } from '../../src/agent/wire/connection.js';
import { emptyTranscript } from '../../src/core/transcript/model.js';
import { normalizeUpdate } from '../../src/core/transcript/normalize.js';
import { reduce } from '../../src/core/transcript/reduce.js';
import type { Measures } from './results.js';

const CHUNKS = 100_000;
/** The SDK alone takes so long that fewer have to do. */
const SDK_CHUNKS = 10_000;
const READS = 2_000;
const PIECE = 64 * 1024;

/** Updates per CPU-second: parsed only, through our framing and tap, folded into a transcript, and by the SDK alone. */
export async function tapRun(): Promise<Measures> {
  const bytes = updates(CHUNKS);
  const parsed = await perCpuSecond(CHUNKS, () => {
    let count = 0;
    for (const line of bytes.toString('utf8').split('\n')) {
      count += line !== '' && typeof JSON.parse(line) === 'object' ? 1 : 0;
    }
    return Promise.resolve(count);
  });
  const tapped = await perCpuSecond(CHUNKS, () => throughTap(bytes, () => undefined));
  let transcript = reduce(emptyTranscript, { type: 'promptSent', at: 1, text: 'go', attachments: [] });
  const folded = await perCpuSecond(CHUNKS, () =>
    throughTap(bytes, (params) => {
      for (const event of normalizeUpdate(params['update'], 1)) {
        transcript = reduce(transcript, event);
      }
    }),
  );
  const bare = await perCpuSecond(SDK_CHUNKS, () => throughSdk(updates(SDK_CHUNKS), SDK_CHUNKS));
  return {
    tapPerCpuSecond: tapped,
    jsonParsePerCpuSecond: parsed,
    foldedPerCpuSecond: folded,
    sdkAlonePerCpuSecond: bare,
    timesOfJsonParse: parsed / tapped,
    timesFasterThanSdk: tapped / bare,
  };
}

/** A read of 4 kB through the jail, against `fs.readFile` of the same file, one after the other and mixed. */
export async function jailRun(): Promise<Measures> {
  const folder = await mkdtemp(join(tmpdir(), 'acp-host-bench-'));
  try {
    const path = join(folder, 'file.txt');
    await writeFile(path, `${'x'.repeat(63)}\n`.repeat(64));
    const jail = await openJail([folder]);
    const portable = await openJail([folder], { portable: true });
    const ways = {
      plainUs: () => readFile(path, 'utf8'),
      jailUs: () => jailed(jail, path),
      portableUs: () => jailed(portable, path),
    };
    const spent: Record<keyof typeof ways, number> = { plainUs: 0, jailUs: 0, portableUs: 0 };
    for (let i = 0; i < READS; i++) {
      for (const [name, read] of Object.entries(ways) as [keyof typeof ways, () => Promise<string>][]) {
        const from = process.hrtime.bigint();
        const text = await read();
        spent[name] += Number(process.hrtime.bigint() - from) / 1000;
        if (text.length !== 4096) {
          throw new Error(`${name} read ${text.length} characters.`);
        }
      }
    }
    return {
      timesOfReadFile: spent.jailUs / spent.plainUs,
      portableTimesOfReadFile: spent.portableUs / spent.plainUs,
      jailUs: spent.jailUs / READS,
      plainUs: spent.plainUs / READS,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes of the production bundles in this extension folder. */
export async function bundleRun(extension: string): Promise<Measures> {
  const size = async (name: string): Promise<number> => (await stat(join(extension, 'dist', name))).size;
  return { hostBytes: await size('extension.cjs'), webviewBytes: await size('webview/main.js') };
}

async function jailed(jail: Awaited<ReturnType<typeof openJail>>, path: string): Promise<string> {
  const pin = await jail.pinRead(path);
  try {
    return await pin.read({});
  } finally {
    await pin.close();
  }
}

function updates(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, i) => {
    const text = `chunk ${i} `.padEnd(40, 'of a text ');
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

function pieces(bytes: Buffer): Readable {
  const parts = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, i) =>
    bytes.subarray(i * PIECE, (i + 1) * PIECE),
  );
  return Readable.from(parts, { objectMode: false });
}

async function throughTap(bytes: Buffer, take: (params: Record<string, unknown>) => void): Promise<number> {
  let count = 0;
  const connection = await openConnection(
    { stdin: new PassThrough(), stdout: pieces(bytes) },
    {
      served: {},
      onUpdate: (params) => {
        count++;
        take(params);
      },
      onPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
      onNoise: () => undefined,
    },
  );
  await connection.closed;
  return count;
}

async function throughSdk(bytes: Buffer, wanted: number): Promise<number> {
  let count = 0;
  const app = sdk.client({ name: 'bench' });
  const all = new Promise<void>((resolve) => {
    app.onNotification(sdk.methods.client.session.update, () => {
      if (++count === wanted) {
        resolve();
      }
    });
  });
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  const stream = sdk.ndJsonStream(
    Writable.toWeb(nothing) as WritableStream<Uint8Array>,
    Readable.toWeb(pieces(bytes)) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  await all;
  connection.close();
  return count;
}

/** Runs it once to warm up and once to measure. Throws where not every update arrived. */
async function perCpuSecond(count: number, run: () => Promise<number>): Promise<number> {
  await run();
  const from = process.cpuUsage();
  const arrived = await run();
  const { user, system } = process.cpuUsage(from);
  if (arrived !== count) {
    throw new Error(`${arrived} of ${count} updates arrived.`);
  }
  return count / ((user + system) / 1e6);
}
