/**
 * What runs, written down, so that the next start can end what a killed host left behind. One file for each host
 * process, because windows share the folder; it is gone when nothing runs.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../core/text/limits.js';
import { endTrees, type RecordedTree } from './endTrees.js';
import { isAlive, processTable, type ProcessTable } from './processTable.js';
import type { ProcessRegistry, RegisteredProcess, RegistryObserver } from './registry.js';

type StateFile = {
  readonly hostPid: number;
  readonly hostStartTime: string;
  readonly processes: readonly RecordedTree[];
};

const filePattern = /^processes-\d+\.json$/;

/** Writes every start and end into `folder` (made where missing). Returns what ends it. Errors are left to the caller. */
export function recordProcesses(registry: ProcessRegistry, folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `processes-${process.pid}.json`);
  const running = new Map<RegisteredProcess, RecordedTree>();
  const write = (): void => {
    try {
      if (running.size === 0) {
        rmSync(file, { force: true });
        return;
      }
      const state: StateFile = {
        hostPid: process.pid,
        hostStartTime: processTable.startTime(process.pid) ?? '',
        processes: [...running.values()],
      };
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch {
      // A full or vanished disk must not keep an agent from starting; only the sweep loses by it.
    }
  };
  const observer: RegistryObserver = {
    added: (started) => {
      const { pid, startTime, marker } = started;
      if (startTime !== null) {
        running.set(started, { pid, startTime, marker });
        write();
      }
    },
    removed: (ended) => {
      if (running.delete(ended)) {
        write();
      }
    },
  };
  return registry.observe(observer);
}

/**
 * Ends what hosts that are dead by now have left in `folder`, and removes their files. Returns how many leaders were
 * recorded there. Never rejects; a file that cannot be understood is removed.
 */
export async function sweep(folder: string, table: ProcessTable = processTable): Promise<number> {
  let found = 0;
  for (const name of listed(folder)) {
    const file = join(folder, name);
    const state = parseState(read(file));
    if (state !== null && isAlive({ pid: state.hostPid, startTime: state.hostStartTime }, table)) {
      continue;
    }
    if (state !== null) {
      found += state.processes.length;
      await endTrees(state.processes, limits.stopFast.term, table);
    }
    rmSync(file, { force: true });
  }
  return found;
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => filePattern.test(name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The file's content, or null: anybody can have written it, and it decides which processes are signalled. */
function parseState(text: string): StateFile | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value['hostPid'] !== 'number' || typeof value['hostStartTime'] !== 'string') {
    return null;
  }
  const processes = Array.isArray(value['processes']) ? value['processes'].filter(isTree) : [];
  return { hostPid: value['hostPid'], hostStartTime: value['hostStartTime'], processes };
}

function isTree(value: unknown): value is RecordedTree {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['pid']) &&
    (value['pid'] as number) > 1 &&
    typeof value['startTime'] === 'string' &&
    typeof value['marker'] === 'string' &&
    value['marker'].length >= 16
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
