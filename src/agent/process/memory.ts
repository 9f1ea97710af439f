/** How much memory a tree of processes holds: for the probe, which tells what an agent costs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { descendantsOf, processTable } from './processTable.js';

export type TreeMemory = {
  /** Resident memory of all of them, bytes. Pages that they share count once for each. */
  readonly bytes: number;
  readonly processes: number;
};

/** The memory of a process and its descendants now; null where the platform does not tell, or it is gone. */
export function treeMemory(pid: number): TreeMemory | null {
  const pids = [pid, ...descendantsOf(processTable.list(), pid).map((row) => row.pid)];
  const sizes =
    process.platform === 'linux' ? pids.map(procMemory) : process.platform === 'darwin' ? psMemory(pids) : [];
  const known = sizes.filter((bytes) => bytes > 0);
  return known.length === 0 ? null : { bytes: known.reduce((sum, bytes) => sum + bytes, 0), processes: known.length };
}

/** VmRSS of /proc/PID/status; 0 for a process that went in between. */
function procMemory(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function psMemory(pids: readonly number[]): readonly number[] {
  try {
    const out = execFileSync('/bin/ps', ['-o', 'rss=', '-p', pids.join(',')], { encoding: 'utf8', timeout: 2_000 });
    return out
      .trim()
      .split('\n')
      .map((line) => Number(line) * 1024 || 0);
  } catch {
    return [];
  }
}
