import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { Approvals } from '../../src/agent/approvals.js';
import { Expectations } from '../../src/agent/files/expectations.js';
import type { PathFacts } from '../../src/agent/files/fileService.js';
import { requestPermission, type PermissionDeps } from '../../src/agent/permissions.js';
import { openConnection } from '../../src/agent/wire/connection.js';
import { fakeSession, settled, type FakeSession } from './sessionFakes.js';

type Step =
  | { readonly do: 'ask' | 'answer' | 'deny' | 'takeBack'; readonly which: number }
  | { readonly do: 'prompt' | 'endTurn' | 'cancel' | 'exit' | 'dispose' | 'tick' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'deny' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('takeBack' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('prompt' as const, 'tick' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('endTurn' as const, 'cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('exit' as const, 'dispose' as const) }) },
);
const ending: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('exit' as const, 'dispose' as const, 'cancel' as const),
});

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** A connection whose other end is the test, with one session and its queue of approvals. */
class Rig {
  readonly approvals = new Approvals();
  readonly fake: FakeSession = fakeSession();
  readonly allowed = new Set<string>();
  readonly asked: string[] = [];
  ended = false;
  #out = '';
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #idOf = new Map<string, string>();

  async start(): Promise<void> {
    this.#stdin.setEncoding('utf8').on('data', (text: string) => (this.#out += text));
    const { session } = this.fake;
    const owner = { key: 's1', agentName: 'Agent', emit: session.emit.bind(session), now: () => 1 };
    const deps: PermissionDeps = {
      session,
      gate: this.approvals.gate(owner),
      files: { inspect: () => Promise.resolve({} as PathFacts), currentText: () => Promise.resolve(null) },
      expectations: new Expectations(),
      log: { info: () => undefined, warn: () => undefined },
      agentName: 'Agent',
      folderPath: '/ws',
      policy: () => ({ read: true, write: 'ask', terminal: 'ask', acknowledged: false }),
      bodyText: () => undefined,
    };
    await openConnection(
      { stdin: this.#stdin, stdout: this.#stdout },
      {
        served: {},
        onUpdate: () => undefined,
        onPermission: (params, signal) => requestPermission(deps, params, signal),
        onNoise: () => undefined,
      },
    );
    session.onEvent((event) => {
      if (event.type === 'approvalRequested') {
        this.#idOf.set(event.approval.toolCallId ?? '', event.approval.approvalId);
      }
    });
  }

  async play(given: Step): Promise<void> {
    const { session, link } = this.fake;
    switch (given.do) {
      case 'ask':
        this.#ask();
        break;
      case 'answer':
      case 'deny':
        this.#answer(this.asked[given.which], given.do === 'answer' ? 'yes' : 'no');
        break;
      case 'takeBack':
        this.#frame({
          jsonrpc: '2.0',
          method: '$/cancel_request',
          params: { requestId: this.asked[given.which] ?? 'none' },
        });
        break;
      case 'prompt':
        session.prompt('go');
        break;
      case 'endTurn':
        link.prompts.at(-1)?.answer({ stopReason: 'end_turn' });
        break;
      case 'cancel':
        session.cancel();
        break;
      case 'exit':
        this.ended = true;
        this.#stdout.end();
        session.agentGone({ exit: { code: 1, signal: null, tail: [], afterMs: 1 } });
        break;
      case 'dispose':
        session.dispose();
        break;
      case 'tick':
        await settled();
    }
  }

  /** Answers by the id of the request that they answer. */
  answers(): readonly { id: string; result?: { outcome: { outcome: string; optionId?: string } }; error?: unknown }[] {
    return this.#out
      .split('\n')
      .filter((line) => line.length > 0)
      .map((line) => JSON.parse(line) as { id: string });
  }

  #ask(): void {
    if (this.ended) {
      return;
    }
    const id = `r${String(this.asked.length)}`;
    this.asked.push(id);
    const params = { sessionId: 'S1', toolCall: { toolCallId: id, title: 'x' }, options };
    this.#frame({ jsonrpc: '2.0', id, method: 'session/request_permission', params });
  }

  #answer(id: string | undefined, optionId: string): void {
    const approvalId = this.#idOf.get(id ?? '');
    if (
      id !== undefined &&
      approvalId !== undefined &&
      this.approvals.answer(approvalId, optionId) &&
      optionId === 'yes'
    ) {
      this.allowed.add(id);
    }
  }

  #frame(frame: object): void {
    if (!this.ended) {
      this.#stdout.write(`${JSON.stringify(frame)}\n`);
    }
  }
}

describe('session: permissions', () => {
  it('4.5.19 answers every request exactly once, and allows only what a person allowed, in any order of events', async () => {
    const script = fc.tuple(fc.array(step, { maxLength: 25 }), ending);
    const property = fc.asyncProperty(script, async ([steps, last]) => {
      const rig = new Rig();
      await rig.start();
      for (const one of [{ do: 'prompt' } as const, ...steps, { do: 'tick' } as const, last]) {
        await rig.play(one);
      }
      rig.fake.session.dispose();
      for (let i = 0; i < 4; i++) {
        await settled();
      }
      const answers = rig.answers();
      for (const id of rig.asked) {
        const own = answers.filter((answer) => answer.id === id);
        assert.ok(own.length === 1 || (rig.ended && own.length === 0), `${String(own.length)} answers to ${id}`);
        const outcome = own[0]?.result?.outcome;
        assert.equal(outcome?.optionId === 'yes', rig.allowed.has(id) && own.length > 0, `the answer to ${id}`);
      }
      assert.equal(answers.length, new Set(answers.map(({ id }) => id)).size);
      assert.deepEqual(rig.approvals.pending, []);
      const { events } = rig.fake;
      const requested = events.flatMap((event) =>
        event.type === 'approvalRequested' ? [event.approval.approvalId] : [],
      );
      const closed = events.flatMap((event) => (event.type === 'approvalSettled' ? [event.approvalId] : []));
      assert.deepEqual([...closed].sort(), [...requested].sort());
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
