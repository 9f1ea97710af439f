/** Entry of the headless host. stdout carries JSON lines only; everything else goes to stderr. */
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../../core/text/redact.js';
import type { Log } from '../ports.js';
import { processRegistry } from '../process/registry.js';
import { startWatchdog } from '../process/watchdog.js';
import { parseOptions, usage, UsageError } from './options.js';
import { run } from './run.js';

declare const acpHostVersion: string | undefined;

const say = (message: string): void => {
  process.stderr.write(`${redact(message)}\n`);
};
const log: Log = { info: say, warn: say };

async function main(): Promise<number> {
  try {
    const options = parseOptions(process.argv.slice(2));
    const version = typeof acpHostVersion === 'string' ? acpHostVersion : '0.0.0';
    // A process that is killed runs no hook; what it started must not outlive it then.
    const watchdog = startWatchdog(processRegistry(), {
      node: process.execPath,
      script: join(dirname(process.argv[1] ?? ''), 'watchdog.cjs'),
    });
    return await run(options, { write: writeLine, log }, version).finally(() => {
      watchdog.bye();
    });
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n${usage}\n`);
      return 2;
    }
    throw error;
  }
}

/** Whole lines, in order, also into a pipe that is read slowly or closed. */
function writeLine(line: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
        continue;
      }
      return;
    }
  }
}

void main().then((status) => {
  process.exit(status);
});
