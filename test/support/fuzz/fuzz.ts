/**
 * Mutated frames through what a live message goes through: splitter, envelope, tap, session, normalize, reduce and the
 * queue of requests, with valid frames between them that must arrive. The SDK is not in it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Approvals } from '../../../src/agent/approvals.js';
import { Bodies } from '../../../src/agent/bodies.js';
import { Expectations } from '../../../src/agent/files/expectations.js';
import type { PathFacts } from '../../../src/agent/files/fileService.js';
import { requestPermission, type PermissionDeps } from '../../../src/agent/permissions.js';
import { AgentSession } from '../../../src/agent/session.js';
import { kindOf } from '../../../src/agent/wire/envelope.js';
import { FrameSplitter, isRecord } from '../../../src/agent/wire/framing.js';
import { Tap } from '../../../src/agent/wire/tap.js';
import { entriesOf } from '../../../src/core/transcript/model.js';
import { mutate, random, type Random } from './mutate.js';

export type FuzzResult = {
  readonly frames: number;
  /** Valid frames that were sent between them, all of which arrived. */
  readonly valid: number;
  /** Mutated ones that were still a message, an update or a request for permission. */
  readonly messages: number;
  readonly updates: number;
  readonly permissions: number;
  readonly ms: number;
  /** Most that was still referred to at the end of a session, less that of the start. What is not yet collected does not count. */
  readonly peakGrowthMiB: number;
  readonly seed: number;
  readonly faults: readonly string[];
};

const turnFrames = 250;
const turnsOfSession = 8;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends so many mutated frames of the seeds (JSON texts of what agents sent). Stops at the first fault. */
export async function fuzz(seeds: readonly string[], frames: number, seed: number): Promise<FuzzResult> {
  const rng = random(seed);
  const own = seeds.map(withSession);
  const faults: string[] = [];
  const onRejection = (reason: unknown): void => void faults.push(`unhandled rejection: ${String(reason)}`);
  process.on('unhandledRejection', onRejection);
  const started = performance.now();
  const before = heldBytes();
  let [sent, valid, peak] = [0, 0, before];
  const reached: Reached = { messages: 0, updates: 0, permissions: 0 };
  try {
    while (sent < frames && faults.length === 0) {
      const rig = new Rig(faults, reached);
      for (let turn = 0; turn < turnsOfSession && sent < frames && faults.length === 0; turn++) {
        const count = Math.min(turnFrames, frames - sent);
        valid += await rig.turn(rng, own, count, valid);
        sent += count;
      }
      rig.end();
      await settled();
      peak = Math.max(peak, heldBytes());
    }
    if (Object.keys(Object.prototype).length > 0 || 'polluted' in {}) {
      faults.push('a prototype was changed');
    }
  } catch (error) {
    faults.push(`exception: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  const peakGrowthMiB = Math.round((peak - before) / 2 ** 20);
  const { messages, updates, permissions } = reached;
  // The valid ones are messages and updates too.
  const kept = { messages: messages - valid, updates: updates - valid, permissions };
  return { frames: sent, valid, ...kept, ms: Math.round(performance.now() - started), peakGrowthMiB, seed, faults };
}

/** Memory that is referred to, bytes: how much else is there depends on when the engine cares to collect it. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The recording's session becomes that of the rig, so that what is not mutated gets through to it. */
function withSession(text: string): string {
  const frame = JSON.parse(text) as Record<string, unknown>;
  const { params } = frame;
  return JSON.stringify(
    isRecord(params) && 'sessionId' in params ? { ...frame, params: { ...params, sessionId: 'S1' } } : frame,
  );
}

type Reached = { messages: number; updates: number; permissions: number };

class Rig {
  readonly #approvals = new Approvals();
  readonly #arrived = new Set<string>();
  #endTurn: (result: unknown) => void = () => undefined;
  readonly #session = new AgentSession(
    's1',
    {
      agentName: 'Agent',
      open: () => Promise.resolve(),
      request: (method) =>
        method === 'session/prompt' ? new Promise((resolve) => (this.#endTurn = resolve)) : Promise.resolve({}),
      notify: () => Promise.resolve(),
      turnStarted: () => undefined,
      turnEnded: () => undefined,
    },
    new Bodies(),
  );
  readonly #deps: PermissionDeps = {
    session: this.#session,
    gate: this.#approvals.gate({
      ...{ key: 's1', agentName: 'Agent', now: () => 1 },
      emit: (event) => this.#session.emit(event),
    }),
    files: { inspect: () => Promise.resolve({} as PathFacts), currentText: () => Promise.resolve(null) },
    expectations: new Expectations(),
    log: { info: () => undefined, warn: () => undefined },
    agentName: 'Agent',
    folderPath: '/ws',
    policy: () => ({ read: true, write: 'ask', terminal: 'ask', acknowledged: false }),
    bodyText: () => undefined,
  };
  readonly #tap = new Tap({
    onUpdate: (params) => this.#update(params),
    onPermission: (params, signal) => {
      this.reached.permissions += 1;
      return requestPermission(this.#deps, params, signal);
    },
  });
  readonly #splitter = new FrameSplitter({
    onMessage: (message) => this.#message(message),
    onNoise: () => undefined,
    onBatch: () => undefined,
    onOverflow: () => void this.faults.push('overflow'),
  });

  constructor(
    private readonly faults: string[],
    private readonly reached: Reached,
  ) {
    this.#session.sessionId = 'S1';
  }

  /** One turn of so many mutated frames; the number of valid ones among them, numbered from `first`. */
  async turn(rng: Random, seeds: readonly string[], count: number, first: number): Promise<number> {
    this.#session.prompt('go');
    await settled();
    const expected: string[] = [];
    let pending: Buffer[] = [];
    for (let i = 0; i < count; i++) {
      // Some without a line end: the next one is joined to it.
      pending.push(mutate(rng, seeds), Buffer.from(rng.below(20) === 0 ? '' : '\n'));
      if (rng.below(10) === 0 || i === count - 1) {
        const id = `valid-${String(first + expected.length)}`;
        expected.push(id);
        pending.push(Buffer.from(`\n${validFrame(id)}\n`));
        this.#write(rng, Buffer.concat(pending));
        pending = [];
        if (rng.below(4) === 0) {
          await settled();
        }
      }
    }
    this.#check(expected);
    this.#endTurn({ stopReason: 'end_turn' });
    await settled();
    if (this.#session.busy || this.#approvals.pending.length > 0) {
      this.faults.push('the turn did not end, or left a request behind');
    }
    return expected.length;
  }

  end(): void {
    this.#session.dispose();
    this.#tap.close();
  }

  #check(expected: readonly string[]): void {
    const shown = new Set(
      entriesOf(this.#session.transcript).flatMap((entry) =>
        entry.kind === 'assistant' && entry.messageId !== undefined && entry.text.endsWith(`text of ${entry.messageId}`)
          ? [entry.messageId]
          : [],
      ),
    );
    for (const id of expected) {
      if (!this.#arrived.has(id) || !shown.has(id)) {
        this.faults.push(`${id} ${this.#arrived.has(id) ? 'is not in the transcript' : 'did not arrive'}`);
      }
    }
    this.#arrived.clear();
  }

  /** In one piece or in several, cut anywhere. */
  #write(rng: Random, bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      const to = rng.below(3) === 0 ? from + 1 + rng.below(2_000) : bytes.length;
      this.#splitter.push(bytes.subarray(from, to));
      from = to;
    }
  }

  #message(message: Record<string, unknown>): void {
    if (kindOf(message) !== 'message') {
      return;
    }
    this.reached.messages += 1;
    const left = this.#tap.take(message) as Record<string, unknown> | undefined;
    if (left?.['method'] === 'session/request_permission' && isRecord(left['params'])) {
      void this.#tap.settle(left['params']['_meta'], new AbortController().signal);
    }
  }

  #update(params: Record<string, unknown>): void {
    const { sessionId, update } = params;
    if (sessionId !== 'S1') {
      return;
    }
    if (isRecord(update) && typeof update['messageId'] === 'string') {
      this.#arrived.add(update['messageId']);
    }
    this.reached.updates += 1;
    this.#session.update(update);
  }
}

function validFrame(id: string): string {
  const content = { type: 'text', text: `text of ${id}` };
  const update = { sessionUpdate: 'agent_message_chunk', messageId: id, content };
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'S1', update } });
}
