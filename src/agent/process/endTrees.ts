/** Ends process trees that this process did not start: those of a host that died. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  descendantsOf,
  isAlive,
  processTable,
  signalGroup,
  signalIfSame,
  type ProcessIdentity,
  type ProcessTable,
} from './processTable.js';

/** A leader that was recorded while it lived. */
export type RecordedTree = ProcessIdentity & { readonly marker: string };

/** A tree as it is now: the leader, if it is still the recorded process, and what descends from it or bears its marker. */
function membersOf(tree: RecordedTree, table: ProcessTable): readonly ProcessIdentity[] {
  const marked = table.marked(tree.marker);
  const leader = isAlive(tree, table) ? [tree] : [];
  const rows = table.list();
  const below = [...leader, ...marked].flatMap(({ pid }) => descendantsOf(rows, pid));
  const byPid = new Map([...leader, ...marked, ...below].map(({ pid, startTime }) => [pid, { pid, startTime }]));
  byPid.delete(process.pid);
  return [...byPid.values()];
}

/**
 * SIGTERM, `graceMs`, SIGKILL. Every signal goes to a process whose start time is the recorded one, and to a group
 * only while its recorded leader lives; so a number that belongs to another program by now is never signalled.
 */
export async function endTrees(
  trees: readonly RecordedTree[],
  graceMs: number,
  table: ProcessTable = processTable,
): Promise<void> {
  const members = new Map<number, ProcessIdentity>();
  const take = (): void => {
    for (const member of trees.flatMap((tree) => membersOf(tree, table))) {
      members.set(member.pid, member);
    }
  };
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const tree of trees) {
      if (table === processTable && isAlive(tree, table)) {
        signalGroup(tree.pid, signal);
      }
    }
    for (const member of members.values()) {
      signalIfSame(member, signal, table);
    }
  };
  take();
  if (members.size === 0) {
    return;
  }
  signalAll('SIGTERM');
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && [...members.values()].some((member) => isAlive(member, table))) {
    await sleep(20);
  }
  // What was forked meanwhile dies with the rest.
  take();
  signalAll('SIGKILL');
}
