/**
 * Recordings of real agents, played through everything that a live message goes through. The project's own, shortened
 * ones always; a larger collection where `ACP_HOST_TRAFFIC` names one, or where one lies beside the project.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { isRecord } from '../../src/agent/wire/framing.js';
import { parseTraffic, TrafficRecorder, type TrafficLine } from '../../src/agent/wire/traffic.js';
import { entriesOf, type Transcript } from '../../src/core/transcript/model.js';
import { root } from '../../scripts/run.js';
import { renderTranscript } from '../support/renderTranscript.js';
import { Replay } from '../support/trafficReplay.js';

const own = join(root, 'test/fixtures/traffic');
const beside = process.env['ACP_HOST_TRAFFIC'] ?? join(root, '../shared/traffic');
const golden = join(root, 'test/fixtures/golden');

/** `<agent>/<scenario>.ndjson` in the folder, or nothing where there is no such folder. */
const recordingsIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ndjson'))
        .sort()
        .map((name) => join(folder, name))
    : [];
const recordings = [own, beside].flatMap(recordingsIn);

type Role = 'assistant' | 'thought';
const chunkRoles: Readonly<Record<string, Role>> = {
  agent_message_chunk: 'assistant',
  agent_thought_chunk: 'thought',
};

/** What the agent said, read off the recording itself: all text of one role, and that of each message by its id. */
function saidIn(lines: readonly TrafficLine[], role: Role): { all: string; byMessage: Map<string, string> } {
  const byMessage = new Map<string, string>();
  let all = '';
  for (const line of lines) {
    const params = line.dir === 'a2c' && line.msg['method'] === 'session/update' ? line.msg['params'] : undefined;
    const update = isRecord(params) && isRecord(params['update']) ? params['update'] : {};
    const content = isRecord(update['content']) ? update['content'] : {};
    if (chunkRoles[String(update['sessionUpdate'])] === role && content['type'] === 'text') {
      const text = String(content['text']);
      all += text;
      const { messageId } = update;
      if (typeof messageId === 'string') {
        byMessage.set(messageId, (byMessage.get(messageId) ?? '') + text);
      }
    }
  }
  return { all, byMessage };
}

function keptIn(transcripts: readonly Transcript[], role: Role): { all: string; byMessage: Map<string, string> } {
  const byMessage = new Map<string, string>();
  let all = '';
  for (const entry of transcripts.flatMap(entriesOf)) {
    if (entry.kind === role) {
      all += entry.text;
      if (entry.messageId !== undefined) {
        byMessage.set(entry.messageId, (byMessage.get(entry.messageId) ?? '') + entry.text);
      }
    }
  }
  // White space that no message followed is kept without a message of its own.
  return { all: all + transcripts.map(({ blank }) => blank?.[role] ?? '').join(''), byMessage };
}

describe('recordings of real agents', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'traffic-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const replayed = async (file: string): Promise<{ lines: TrafficLine[]; replay: Replay }> => {
    const lines = parseTraffic(readFileSync(file, 'utf8').replaceAll('/workspace', folder));
    const replay = new Replay(folder);
    await replay.play(lines);
    return { lines, replay };
  };

  it('has recordings of its own of nine agents', () => {
    const agents = new Set(recordingsIn(own).map((file) => basename(dirname(file))));
    assert.equal(agents.size, 9, [...agents].join(', '));
  });

  for (const file of recordings) {
    it(`${relative(file.startsWith(own) ? own : beside, file)} keeps every word and settles every call`, async () => {
      const { lines, replay } = await replayed(file);
      assert.deepEqual(replay.faults, []);
      for (const role of ['assistant', 'thought'] as const) {
        const [said, kept] = [saidIn(lines, role), keptIn(replay.transcripts, role)];
        assert.equal(kept.all, said.all, `${role}, byte for byte`);
        assert.deepEqual([...kept.byMessage].sort(), [...said.byMessage].sort());
      }
      const open = replay.transcripts
        .flatMap(entriesOf)
        .filter((entry) => entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'in_progress'));
      assert.deepEqual(open, []);
      for (const { turn, approvals } of replay.transcripts) {
        assert.ok(turn.state === 'idle' || turn.state === 'failed', turn.state);
        assert.deepEqual(approvals, []);
      }
    });
  }

  for (const file of recordingsIn(own)) {
    const name = `${basename(dirname(file))}.${basename(file, '.ndjson')}.txt`;
    it(`reads as reviewed: ${name}`, async () => {
      const { replay } = await replayed(file);
      const text = replay.transcripts.map((transcript) => renderTranscript(transcript, folder)).join('---\n');
      if (process.env['ACP_HOST_WRITE_GOLDEN'] === '1') {
        writeFileSync(join(golden, name), text);
      }
      assert.equal(
        text,
        readFileSync(join(golden, name), 'utf8'),
        'ACP_HOST_WRITE_GOLDEN=1 writes it anew, to be read',
      );
    });
  }
});

describe('the recorder of traffic', () => {
  it('writes what it can read again, in order, with secrets taken out', () => {
    let now = 5;
    const recorder = new TrafficRecorder({ now: () => now });
    recorder.message(
      'out',
      JSON.stringify({ id: 1, method: 'initialize', params: { token: `ghp_${'a1B2'.repeat(9)}` } }),
    );
    now = 12;
    recorder.message('in', JSON.stringify({ id: 1, result: { text: 'line\nbreak “quoted”' } }));
    recorder.line('stdout-noise', 'starting…');
    const text = recorder.export();
    assert.ok(!text.includes('ghp_a1B2'), text);
    const lines = parseTraffic(text);
    assert.deepEqual(
      lines.map(({ t, dir }) => [t, dir]),
      [
        [0, 'c2a'],
        [7, 'a2c'],
        [7, 'stdout-noise'],
      ],
    );
    const [, answer] = lines;
    assert.ok(answer?.dir === 'a2c');
    assert.deepEqual(answer.msg, { id: 1, result: { text: 'line\nbreak “quoted”' } });
  });

  it('drops the oldest lines over its bound', () => {
    const recorder = new TrafficRecorder({ maxCharacters: 100 });
    for (let i = 0; i < 5_000; i++) {
      recorder.message('in', JSON.stringify({ id: i }));
    }
    const lines = parseTraffic(recorder.export());
    assert.ok(lines.length > 2 && lines.length < 20, String(lines.length));
    assert.deepEqual(
      lines.map((line) => line.dir === 'a2c' && line.msg['id']),
      lines.map((_line, index) => 5_000 - lines.length + index),
    );
  });

  it('notes a message that would push out the rest, and keeps the rest', () => {
    const recorder = new TrafficRecorder({ maxCharacters: 400 });
    recorder.message('out', JSON.stringify({ id: 1 }));
    recorder.message('in', JSON.stringify({ id: 1, text: 'x'.repeat(200) }));
    const [first, second] = parseTraffic(recorder.export());
    assert.equal(first?.dir, 'c2a');
    assert.ok(second?.dir === 'note' && /of the agent of 218 characters/.test(second.line), JSON.stringify(second));
  });

  it('ends with what stands on stderr, of the last processes only, and tells each line as it comes', () => {
    const told: string[] = [];
    const recorder = new TrafficRecorder({ onLine: ({ dir, json }) => told.push(`${dir} ${json}`) });
    for (let i = 0; i < 8; i++) {
      recorder.attach({ stderrTail: () => [`process ${String(i)}`] });
    }
    recorder.message('in', JSON.stringify({ id: 2 }));
    const lines = parseTraffic(recorder.export());
    assert.deepEqual(
      lines.map((line) => ('line' in line ? `${line.dir} ${line.line}` : line.dir)),
      ['a2c', ...[3, 4, 5, 6, 7].map((i) => `stderr process ${String(i)}`)],
    );
    assert.deepEqual(told, ['a2c {"id":2}']);
  });

  it('says which line of a file is none', () => {
    assert.throws(() => parseTraffic('{"t":1,"dir":"a2c","msg":{}}\n\n{"t":1,"dir":"up","msg":{}}'), /Line 3/);
  });
});
