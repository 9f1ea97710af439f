// @ts-check
/**
 * The child that a fake agent starts: `node helper.mjs [ignoreEof] [ignoreTerm]`.
 * Says "r" on descriptor 3 when it stands, then stays until its stdin ends, a signal comes, or 10 minutes pass (so that
 * a failed test leaves nothing for ever).
 */
import { closeSync, writeSync } from 'node:fs';

const flags = new Set(process.argv.slice(2));
setTimeout(() => process.exit(0), 600_000);
if (flags.has('ignoreTerm')) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {});
  }
}
process.stdin.on('error', () => {});
process.stdin.on('end', () => {
  if (!flags.has('ignoreEof')) {
    process.exit(0);
  }
});
process.stdin.resume();
writeSync(3, 'r');
closeSync(3);
