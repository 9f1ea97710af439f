// Runs inside the extension host. VS Code calls run() of the module that extensionTestsPath names; that module is
// bundled by scripts/test/hostRing.ts from this file and the tests of this folder.
import { PORT_VARIABLE, reporterFor, reportTo } from '../../scripts/test/events.js';

export type HostTask = { readonly timeout: number; readonly grep?: string };

/**
 * Runs the suite and reports to the runner. mocha and the tests are loaded in here, not at the top of the file: what
 * throws while VS Code loads the module is invisible from outside.
 */
export async function runSuite(task: HostTask, loadTests: () => Promise<unknown>): Promise<void> {
  const { emit, close } = reportTo(Number(process.env[PORT_VARIABLE]));
  process.setSourceMapsEnabled(true);
  try {
    const { default: Mocha } = await import('mocha');
    const mocha = new Mocha({
      ui: 'bdd',
      timeout: task.timeout,
      forbidOnly: true,
      reporter: reporterFor(emit) as unknown as string,
      ...(task.grep === undefined ? {} : { grep: task.grep }),
    });
    mocha.suite.emit('pre-require', globalThis, 'all', mocha);
    await loadTests();
    await new Promise<void>((resolve) => void mocha.run(() => resolve()));
    emit({ event: 'ended' });
  } catch (error) {
    emit({ event: 'ended', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  await close();
}
