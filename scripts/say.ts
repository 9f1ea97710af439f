/** A sentence for the person at the terminal, where a stack trace would only hide what to do. */
export class Plain extends Error {
  override readonly name = 'Plain';
}

/** Progress goes to stderr: stdout belongs to whatever the script was asked for. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs a script's main function; a `Plain` error ends it with its sentence and status 1, any other with its stack. */
export async function runScript(main: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    say(
      error instanceof Plain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
    process.exitCode = 1;
  }
}
