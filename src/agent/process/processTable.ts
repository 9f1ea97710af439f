/**
 * The processes of this machine, as far as ending a tree of them needs it: who descends from whom, and a start time by
 * which a pid that was given to somebody else is told apart. Read synchronously, because the last moment to end
 * agents (the `exit` event) is synchronous; a walk of /proc takes some ten milliseconds.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { markerName } from './environment.js';

export type ProcessIdentity = {
  readonly pid: number;
  /** Opaque; equal for the same process only. */
  readonly startTime: string;
};
export type ProcessRow = ProcessIdentity & { readonly ppid: number };

/** What ending a tree needs to know of a machine. Zombies are not listed: they are gone, only not yet reaped. */
export interface ProcessTable {
  list(): readonly ProcessRow[];
  /** null: there is no such process, or it is a zombie. */
  startTime(pid: number): string | null;
  /** Processes whose environment holds the marker; empty where environments cannot be read. */
  marked(marker: string): readonly ProcessIdentity[];
  signal(pid: number, signal: NodeJS.Signals): void;
}

/** Everything that descends from `root`, without it, parents before their children. */
export function descendantsOf(rows: readonly ProcessRow[], root: number): readonly ProcessRow[] {
  const children = groupByParent(rows);
  const found: ProcessRow[] = [];
  const seen = new Set([root]);
  const queue = [root];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    for (const child of children.get(pid) ?? []) {
      if (!seen.has(child.pid)) {
        seen.add(child.pid);
        found.push(child);
        queue.push(child.pid);
      }
    }
  }
  return found;
}

/** Signals a process if it is still the one that was meant. False where it is gone or its pid is another's now. */
export function signalIfSame(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  table: ProcessTable = processTable,
): boolean {
  if (identity.pid <= 1 || identity.pid === process.pid || table.startTime(identity.pid) !== identity.startTime) {
    return false;
  }
  try {
    table.signal(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether it runs still, and is the same. */
export function isAlive(identity: ProcessIdentity, table: ProcessTable = processTable): boolean {
  return table.startTime(identity.pid) === identity.startTime;
}

/** Signals a whole process group; false where it has no member left. */
export function signalGroup(pgid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Field 3, 4 and 22 of /proc/PID/stat; the name in field 2 may hold spaces and brackets. */
export function parseStat(pid: number, text: string): (ProcessRow & { readonly state: string }) | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, startTime] = [fields[0], fields[1], fields[19]];
  return state === undefined || ppid === undefined || startTime === undefined
    ? null
    : { pid, ppid: Number(ppid), startTime, state };
}

/** Lines of `ps -axo pid=,ppid=,stat=,lstart=`. */
export function parsePs(text: string): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (match !== null && !(match[3] ?? '').startsWith('Z')) {
      rows.push({ pid: Number(match[1]), ppid: Number(match[2]), startTime: (match[4] ?? '').replace(/\s+/g, '_') });
    }
  }
  return rows;
}

function groupByParent(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    groups.set(row.ppid, [...(groups.get(row.ppid) ?? []), row]);
  }
  return groups;
}

function procPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function procRow(pid: number): ProcessRow | null {
  try {
    const row = parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return row === null || row.state === 'Z' || row.state === 'X' ? null : row;
  } catch {
    return null;
  }
}

function hasMarker(pid: number, needle: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(needle);
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
}

const linuxTable: ProcessTable = {
  list: () =>
    procPids()
      .map(procRow)
      .filter((row) => row !== null),
  startTime: (pid) => procRow(pid)?.startTime ?? null,
  marked: (marker) => {
    const needle = `\0${markerName}=${marker}\0`;
    return procPids()
      .filter((pid) => pid !== process.pid && hasMarker(pid, needle))
      .map(procRow)
      .filter((row) => row !== null);
  },
  signal: send,
};

function ps(...selection: readonly string[]): readonly ProcessRow[] {
  try {
    const fields = ['-o', 'pid=,ppid=,stat=,lstart='];
    return parsePs(
      execFileSync('/bin/ps', [...selection, ...fields], {
        encoding: 'utf8',
        timeout: 2000,
        env: { LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  } catch {
    return [];
  }
}

const psTable: ProcessTable = {
  list: () => ps('-ax'),
  startTime: (pid) => ps('-p', String(pid))[0]?.startTime ?? null,
  marked: () => [],
  signal: send,
};

// Windows ends trees by its own tool, see `endTree` in process.ts.
const emptyTable: ProcessTable = { list: () => [], startTime: () => null, marked: () => [], signal: send };

/** The table of the platform that this runs on. */
export const processTable: ProcessTable =
  process.platform === 'linux' ? linuxTable : process.platform === 'win32' ? emptyTable : psTable;
