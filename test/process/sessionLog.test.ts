import { deepEqual, equal, match } from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingEvents, readSession, SessionLog } from '../../src/agent/sessionLog.js';
import type { SessionEvent } from '../../src/core/transcript/events.js';
import { emptyTranscript, entriesOf, type Transcript } from '../../src/core/transcript/model.js';
import { reduce } from '../../src/core/transcript/reduce.js';

const header = { version: 1, agent: 'Claude', folder: '/ws', startedAt: 5 } as const;
const chunk = (text: string): SessionEvent => ({
  type: 'messageChunk',
  at: 2,
  role: 'assistant',
  content: { type: 'text', text },
});
const fold = (events: readonly SessionEvent[]): Transcript => events.reduce(reduce, emptyTranscript);

describe('session log', () => {
  let folder: string;
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'acp-host-log-')), 'sessions');
  });
  afterEach(async () => {
    await rm(join(folder, '..'), { recursive: true, force: true });
    deepEqual(warnings.splice(0), []);
  });

  const events: SessionEvent[] = [
    { type: 'promptSent', at: 1, text: 'hi', attachments: [] },
    ...Array.from({ length: 500 }, (_, i) => chunk(`word ${i} `)),
    { type: 'toolChanged', at: 3, patch: { toolCallId: 't', title: 'Read a', status: 'completed' } },
    { type: 'turnEnded', at: 4, stopReason: 'end_turn' },
  ];

  it('gives the same transcript back, from a file that only this person can read', async () => {
    const session = new SessionLog(folder, 'one', header, log);
    events.forEach((event) => session.append(event));
    session.flush();
    const saved = readSession(folder, 'one');
    deepEqual(saved?.header, header);
    deepEqual(fold(saved?.events ?? []), fold(events));
    equal(saved?.savedAt, 4);
    equal((await stat(session.path)).mode & 0o777, 0o600);
    equal((await stat(folder)).mode & 0o777, 0o700);
    session.close();
  });

  it('makes no file for a session in which nothing happened', async () => {
    new SessionLog(folder, 'one', header, log, events).close();
    equal((await readdir(folder).catch(() => [])).length, 0);
  });

  it('writes what is left without a promise when a window closes', () => {
    const session = new SessionLog(folder, 'one', header, log, events.slice(0, 1));
    session.append(chunk('a'));
    session.append(chunk('b'));
    session.close();
    session.append(chunk('c'));
    const [, answer] = entriesOf(fold(readSession(folder, 'one')?.events ?? []));
    equal(answer?.kind === 'assistant' && answer.text, 'ab');
  });

  it('loses one line where one is torn, and no more', async () => {
    const session = new SessionLog(folder, 'one', header, log);
    events.forEach((event) => session.append(event));
    session.close();
    await appendFile(session.path, '{"type":"noticeSho');
    deepEqual(fold(readSession(folder, 'one')?.events ?? []), fold(events));
  });

  it('names bodies apart from those that the next process keeps', async () => {
    const session = new SessionLog(folder, 'one', header, log);
    const rawInput = { bodyId: 'b1', bytes: 9000, preview: '{"bodyId":"b1"}' };
    session.append({ type: 'toolChanged', at: 1, patch: { toolCallId: 't', rawInput } });
    session.close();
    const [event] = readSession(folder, 'one')?.events ?? [];
    deepEqual(event?.type === 'toolChanged' && event.patch.rawInput, { ...rawInput, bodyId: 'saved:b1' });
    match(await readFile(session.path, 'utf8'), /"bodyId":"b1"/);
  });

  it('reads nothing that is not one of its files', () => {
    equal(readSession(folder, 'none'), undefined);
    equal(readSession(folder, '../../../etc/passwd'), undefined);
  });

  it('keeps a bounded number of sessions, the newest of them', async () => {
    for (let i = 0; i < 24; i++) {
      const session = new SessionLog(folder, `s${i}`, header, log);
      session.append(chunk('a'));
      session.flush();
      session.close();
    }
    equal((await readdir(folder)).length, 20);
  });

  it('brings a session that was cut off to rest', () => {
    const open = fold([
      ...events.slice(0, 2),
      { type: 'toolChanged', at: 3, patch: { toolCallId: 't', title: 'Edit a', status: 'in_progress' } },
      { type: 'promptQueued', at: 3, promptId: 'p1', text: 'and then' },
    ]);
    const { events: closing, queued } = closingEvents(open, 'Claude', 9);
    const closed = closing.reduce(reduce, open);
    deepEqual(queued, ['and then']);
    equal(closed.queue.length, 0);
    equal(closed.turn.state, 'failed');
    const tool = entriesOf(closed).find((entry) => entry.kind === 'tool');
    equal(tool?.kind === 'tool' && tool.status, 'interrupted');
    deepEqual(closingEvents(closed, 'Claude', 10), { events: [], queued: [] });
  });
});
