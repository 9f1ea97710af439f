/**
 * How Windows finds programs, as pure functions over texts and names. Since Node 20.12.2 a batch file cannot be
 * spawned, and a shell in between would reopen the injection that this stopped; so the shims that npm writes are read
 * and the script behind them is started with node itself.
 */
import { win32 } from 'node:path';

/** File names to try for a command, in order: its own where it has an extension, else one for each of PATHEXT. */
export function windowsCandidates(command: string, pathExt: string | undefined): readonly string[] {
  const extensions = (pathExt ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => extension.startsWith('.'));
  const own = win32.extname(command).toLowerCase();
  return extensions.includes(own) ? [command] : extensions.map((extension) => command + extension);
}

/**
 * The one argument with which `cmd.exe /d /s /c` starts a batch file, to be handed on verbatim, or undefined where
 * something in it cannot be protected. Between quotes only `%`, a quote and a line end mean something to cmd.
 */
export function batchLine(file: string, args: readonly string[]): string | undefined {
  const words = [file, ...args];
  if (words.some((word) => /[%"\r\n\0]/.test(word))) {
    return undefined;
  }
  // A backslash before the closing quote would take it into the argument of the program that the batch file starts.
  return `"${words.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ')}"`;
}

/** Whether only the command interpreter can run this file. */
export function isBatch(file: string): boolean {
  return /\.(cmd|bat)$/i.test(file);
}

/**
 * The script that a shim of npm, pnpm or yarn starts, as an absolute path, or undefined for any other batch file.
 * `file` is the shim's own path: the text names the script relative to it.
 */
export function parseNpmShim(file: string, text: string): string | undefined {
  const calls = text.matchAll(/"%(?:~dp0|dp0%)\\?([^"%\r\n]+\.(?:js|cjs|mjs))"\s+%\*/gi);
  for (const call of calls) {
    return win32.normalize(win32.join(win32.dirname(file), call[1] ?? ''));
  }
  // npm's own launchers (npm.cmd, npx.cmd) keep the path in a variable.
  const variable = /SET "NP[MX]_CLI_JS=%~dp0\\?([^"%\r\n]+\.js)"/i.exec(text);
  return variable?.[1] === undefined ? undefined : win32.normalize(win32.join(win32.dirname(file), variable[1]));
}
