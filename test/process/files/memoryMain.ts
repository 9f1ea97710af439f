// Run by memory.test.ts in a process of its own: reads from hostile files and prints how much memory that took.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeHarness, reasonOf } from './tree.js';

const [folder = ''] = process.argv.slice(2);
const GIB = 1024 ** 3;

function sparse(name: string, head: string): string {
  const path = join(folder, name);
  const fd = openSync(path, 'w');
  writeSync(fd, head);
  ftruncateSync(fd, 4 * GIB);
  closeSync(fd);
  return path;
}

const h = makeHarness([folder]);
const hole = sparse('hole', '');
const headed = sparse('headed', 'first\n'.repeat(20_000));
await h.read(headed, 1, 1);
// What the first call loads counts for nothing.
const before = process.memoryUsage().rss;
let peak = before;
const sample = (): void => {
  peak = Math.max(peak, process.memoryUsage().rss);
};
const watch = setInterval(sample, 1);
const results = [
  await reasonOf(h.read(hole, 1, 1)),
  await reasonOf(h.read(hole)),
  await reasonOf(h.read(headed)),
  await h.read(headed, 1, 1),
  await h.read(headed, 20_000, 1),
  await reasonOf(h.read(headed, 1_000_000, 1)),
  await reasonOf(h.write(headed, 'x')),
];
sample();
clearInterval(watch);
process.stdout.write(JSON.stringify({ results, growth: peak - before }));
