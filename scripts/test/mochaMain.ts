// Runs the test files of one ring in a process of its own: node --import=tsx mochaMain.ts '<options as JSON>'
import fc from 'fast-check';
import Mocha from 'mocha';
import { PORT_VARIABLE, reporterFor, reportTo } from './events.js';

export type MochaTask = {
  readonly files: readonly string[];
  readonly timeout: number;
  readonly grep?: string;
  /** Of the property tests. */
  readonly seed: number;
};

const task = JSON.parse(process.argv[2] ?? '') as MochaTask;
const port = Number(process.env[PORT_VARIABLE]);
// What a test spawns must not report to our runner.
Reflect.deleteProperty(process.env, PORT_VARIABLE);
const { emit, close } = reportTo(port);
fc.configureGlobal({ seed: task.seed });
try {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: task.timeout,
    // A forgotten .only would pass for a whole ring.
    forbidOnly: true,
    reporter: reporterFor(emit) as unknown as string,
    ...(task.grep === undefined ? {} : { grep: task.grep }),
  });
  for (const file of task.files) {
    mocha.addFile(file);
  }
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve) => void mocha.run(() => resolve()));
  emit({ event: 'ended' });
} catch (error) {
  emit({ event: 'ended', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
await close();
