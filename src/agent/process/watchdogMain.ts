/** The watchdog's own process, see `watchdog.ts`. */
import { createInterface } from 'node:readline';
import { endTrees } from './endTrees.js';
import { WatchList } from './watchdog.js';

const graceMs = 300;

const list = new WatchList();
// A terminal that closes signals everything in it; the watchdog has to be the last to go.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => undefined);
}
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => list.take(line));
lines.on('close', () => {
  void endTrees(list.orphans(), graceMs).finally(() => {
    process.exitCode = 0;
  });
});
