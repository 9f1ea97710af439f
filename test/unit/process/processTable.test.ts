import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endTrees } from '../../../src/agent/process/endTrees.js';
import {
  descendantsOf,
  parsePs,
  parseStat,
  signalIfSame,
  type ProcessTable,
} from '../../../src/agent/process/processTable.js';
import { sweep } from '../../../src/agent/process/stateFile.js';
import { StderrRing } from '../../../src/agent/process/stderr.js';
import { WatchList } from '../../../src/agent/process/watchdog.js';
import { limits } from '../../../src/core/text/limits.js';

/** A machine that is a list: `pid: [ppid, startTime, marker]`. Signals are written down; SIGKILL takes a process away. */
function machine(
  initial: Record<number, readonly [number, string, string?]>,
): ProcessTable & { readonly sent: string[] } {
  const sent: string[] = [];
  const rows = new Map(Object.entries(initial).map(([pid, row]) => [Number(pid), row]));
  const list = (): { pid: number; ppid: number; startTime: string; marker: string | undefined }[] =>
    [...rows].map(([pid, [ppid, startTime, marker]]) => ({ pid, ppid, startTime, marker }));
  return {
    sent,
    list,
    startTime: (pid) => rows.get(pid)?.[1] ?? null,
    marked: (marker) => list().filter((row) => row.marker === marker),
    signal: (pid, signal) => {
      sent.push(`${signal} ${pid}`);
      if (signal === 'SIGKILL') {
        rows.delete(pid);
      }
    },
  };
}

describe('process table', () => {
  it('finds all descendants, and ends on a loop', () => {
    const rows = [
      [10, 1],
      [11, 10],
      [12, 11],
      [13, 12],
      [20, 1],
      [10, 13],
    ].map(([pid = 0, ppid = 0]) => ({ pid, ppid, startTime: '1' }));
    assert.deepEqual(
      descendantsOf(rows, 10).map(({ pid }) => pid),
      [11, 12, 13],
    );
  });

  it('reads the files of /proc and the lines of ps', () => {
    const stat = '42 (a) b (c) S 7 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3';
    assert.deepEqual(parseStat(42, stat), { pid: 42, ppid: 7, startTime: '98765', state: 'S' });
    assert.equal(parseStat(42, 'nonsense'), null);
    const ps = '  501     1 Ss   Mon Nov  3 10:00:00 2025    \n  502   501 Z    Mon Nov  3 10:00:01 2025\nrubbish\n';
    assert.deepEqual(parsePs(ps), [{ pid: 501, ppid: 1, startTime: 'Mon_Nov_3_10:00:00_2025' }]);
  });

  it('6.3.9 sends no signal to a number that is another process by now, nor to init or this process', () => {
    const table = machine({ 50: [1, 'new'], [process.pid]: [1, 'x'], 1: [0, 'x'] });
    assert.equal(signalIfSame({ pid: 50, startTime: 'old' }, 'SIGKILL', table), false);
    assert.equal(signalIfSame({ pid: 51, startTime: 'old' }, 'SIGKILL', table), false);
    assert.equal(signalIfSame({ pid: 1, startTime: 'x' }, 'SIGKILL', table), false);
    assert.equal(signalIfSame({ pid: process.pid, startTime: 'x' }, 'SIGKILL', table), false);
    assert.deepEqual(table.sent, []);
    assert.equal(signalIfSame({ pid: 50, startTime: 'new' }, 'SIGTERM', table), true);
  });

  it('ends recorded trees with what bears their marker, and nothing that took over their number', async () => {
    const table = machine({
      60: [1, 'a'],
      61: [60, 'b'],
      62: [1, 'c', 'mark-1'],
      63: [62, 'd'],
      70: [1, 'later'],
      71: [70, 'e'],
    });
    await endTrees(
      [
        { pid: 60, startTime: 'a', marker: 'mark-1' },
        { pid: 70, startTime: 'earlier', marker: 'mark-2' },
      ],
      0,
      table,
    );
    assert.deepEqual(Object.fromEntries(table.list().map(({ pid }) => [pid, true])), { 70: true, 71: true });
    assert.equal(table.sent.filter((line) => line.startsWith('SIGTERM')).length, 4);
  });
});

describe('next-start sweep', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sweep-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (hostPid: number, value: unknown): void =>
    writeFileSync(join(folder, `processes-${hostPid}.json`), typeof value === 'string' ? value : JSON.stringify(value));

  it('ends what a dead host left, leaves what a live one runs, and removes only the dead one’s file', async () => {
    const table = machine({ 80: [1, 'host'], 81: [80, 'x', 'm'.repeat(36)], 91: [1, 'y', 'n'.repeat(36)] });
    const tree = (pid: number, startTime: string, marker: string): unknown => ({ pid, startTime, marker });
    write(80, { hostPid: 80, hostStartTime: 'host', processes: [tree(81, 'x', 'm'.repeat(36))] });
    write(90, { hostPid: 90, hostStartTime: 'gone', processes: [tree(91, 'y', 'n'.repeat(36))] });
    assert.equal(await sweep(folder, table), 1);
    assert.deepEqual(
      table.list().map(({ pid }) => pid),
      [80, 81],
    );
    assert.deepEqual(readdirSync(folder), ['processes-80.json']);
  });

  it('does nothing for rubbish, and removes it', async () => {
    const table = machine({ 100: [1, 'a'] });
    write(1, '{');
    write(2, {
      hostPid: 2,
      hostStartTime: 'x',
      processes: [{ pid: 1 }, { pid: -100, startTime: 'a', marker: 'm' }, 7],
    });
    writeFileSync(join(folder, 'other.json'), '');
    assert.equal(await sweep(folder, table), 0);
    assert.deepEqual(table.sent, []);
    assert.deepEqual(readdirSync(folder), ['other.json']);
    assert.equal(await sweep(join(folder, 'absent'), table), 0);
  });
});

describe('watch list', () => {
  it('follows starts and ends, ignores what it does not understand, and does nothing after a goodbye', () => {
    const list = new WatchList();
    for (const line of ['add 5 123 mark', 'add 6 124 mark2', 'del 5', 'add 1 1 init', 'add x y z', 'add 7', '', '💥']) {
      list.take(line);
    }
    assert.deepEqual(list.orphans(), [{ pid: 6, startTime: '124', marker: 'mark2' }]);
    list.take('bye');
    assert.deepEqual(list.orphans(), []);
  });
});

describe('stderr ring', () => {
  it('keeps the last bytes in whole lines', () => {
    const ring = new StderrRing([], 20);
    for (const text of ['first line\n', 'second ', 'line\nthird ', 'line\n']) {
      ring.push(Buffer.from(text));
    }
    assert.deepEqual(ring.tail(), ['third line']);
  });

  it('puts characters together that were cut between two chunks', () => {
    const ring = new StderrRing();
    const bytes = Buffer.from('grün 🎉\n');
    for (const byte of bytes) {
      ring.push(Buffer.from([byte]));
    }
    assert.deepEqual(ring.tail(), ['grün 🎉']);
  });

  it('takes terminal sequences, control characters and blank lines away, and bounds a line', () => {
    const ring = new StderrRing();
    ring.push(Buffer.from(`\u001b[31mred\u001b[0m\u0007\n\n  \r\n${'x'.repeat(5_000)}\n`));
    assert.deepEqual(
      ring.tail().map((line) => line.slice(0, 3)),
      ['red', 'xxx'],
    );
    assert.equal(ring.tail()[1]?.length, limits.stderrLine);
  });

  it('shows no half of a secret whose first half fell out of the ring', () => {
    const secret = 'a-secret-without-a-pattern';
    const ring = new StderrRing([secret], 40);
    ring.push(Buffer.from(`key ${secret}\nnext line of output\n`));
    assert.ok(!ring.tail().join().includes('pattern'));
  });
});
