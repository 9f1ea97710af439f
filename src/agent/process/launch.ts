/**
 * From a configured command to the file that is spawned. Arguments are data: nothing here or later joins them into a
 * shell's text. PATH is walked by our own code, so that a failure can say what was looked at, and so that the folder
 * in which the agent works is never searched.
 */
import { constants } from 'node:fs';
import { access, open, readFile, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, posix, win32 } from 'node:path';
import type { StartFailure } from '../../core/failures.js';
import { variable } from './environment.js';
import { batchLine, isBatch, parseNpmShim, windowsCandidates } from './windows.js';

export type ResolvedCommand = {
  /** Absolute. */
  readonly file: string;
  /** Arguments that stand before the configured ones. */
  readonly prefix: readonly string[];
  /** A batch file of Windows: then `file` is the command interpreter. */
  readonly batch?: string;
};

/** What is spawned for a resolved command: `verbatim` arguments are handed to Windows as they stand. */
export type SpawnArguments = { readonly args: readonly string[]; readonly verbatim: boolean };

/** The files that a search may look at. */
export type FileLook = {
  readonly state: (file: string) => Promise<FileState>;
  /** Empty where it cannot be read. */
  readonly text: (file: string) => Promise<string>;
};

type Env = Readonly<Record<string, string>>;
type FileState = 'missing' | 'directory' | 'notExecutable' | 'executable';

/**
 * Finds the program. A command with a slash is a path and has to be absolute (`~/` is the home folder); any other is
 * looked up in the absolute folders of `env`'s PATH. Resolves to the failure where there is none; never rejects.
 */
export async function resolveCommand(
  command: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
  files: FileLook = disk,
): Promise<ResolvedCommand | StartFailure> {
  const joined = (...parts: string[]): string => (platform === 'win32' ? win32 : posix).join(...parts);
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  if (command.trim() === '' || command.includes('\0')) {
    return { reason: 'missing_binary', detail: 'notFound', command, folders: 0 };
  }
  const home = variable(env, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform);
  const path = home !== undefined && /^~[/\\]/.test(command) ? joined(home, command.slice(2)) : command;
  if (isPath && !(platform === 'win32' ? win32.isAbsolute(path) : isAbsolute(path))) {
    return { reason: 'spawn_error', detail: 'relative', command };
  }
  const folders = isPath ? [] : pathFolders(env, platform);
  const names = platform === 'win32' ? windowsCandidates(path, variable(env, 'PATHEXT', platform)) : [path];
  const candidates = isPath ? names : folders.flatMap((folder) => names.map((name) => joined(folder, name)));

  let blocked: 'directory' | 'notExecutable' | undefined;
  for (const file of candidates) {
    const state = await files.state(file);
    if (state === 'executable') {
      return platform === 'win32' && isBatch(file)
        ? await throughNode(file, command, env, files)
        : { file, prefix: [] };
    }
    // A folder of that name in PATH is no program that could not be run; a path to a folder is a mistake to name.
    if (state === 'notExecutable' || (state === 'directory' && isPath)) {
      blocked ??= state;
    }
  }
  return blocked === undefined
    ? { reason: 'missing_binary', detail: 'notFound', command, folders: folders.length }
    : { reason: 'spawn_error', detail: blocked, command };
}

/** The folders of PATH that are looked at: absolute ones, each once. */
export function pathFolders(env: Env, platform: NodeJS.Platform = process.platform): readonly string[] {
  const separator = platform === 'win32' ? win32.delimiter : delimiter;
  const folders = (variable(env, 'PATH', platform) ?? '').split(separator);
  return [
    ...new Set(folders.filter((folder) => (platform === 'win32' ? win32.isAbsolute(folder) : isAbsolute(folder)))),
  ];
}

/** The program that a script's first line names, or undefined: a missing one is reported as if the script were. */
export async function interpreterOf(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
      return /^#!\s*(\S+)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

async function fileState(file: string): Promise<FileState> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) {
      return stats.isDirectory() ? 'directory' : 'missing';
    }
    await access(file, constants.X_OK);
    return 'executable';
  } catch (error) {
    return isCode(error, 'EACCES') ? 'notExecutable' : 'missing';
  }
}

/** The script behind a shim of npm with node itself; any other batch file with the command interpreter. */
async function throughNode(
  shim: string,
  command: string,
  env: Env,
  files: FileLook,
): Promise<ResolvedCommand | StartFailure> {
  const script = parseNpmShim(shim, await files.text(shim));
  if (script !== undefined) {
    const node = await resolveCommand('node.exe', env, 'win32', files);
    return 'reason' in node ? node : { file: node.file, prefix: [script] };
  }
  const interpreter = variable(env, 'ComSpec', 'win32') ?? '';
  return win32.isAbsolute(interpreter)
    ? { file: interpreter, prefix: [], batch: shim }
    : { reason: 'spawn_error', detail: 'batch', command };
}

/** The arguments for a resolved command, or undefined where a batch file would take one of them for something else. */
export function spawnArguments(resolved: ResolvedCommand, args: readonly string[]): SpawnArguments | undefined {
  if (resolved.batch === undefined) {
    return { args: [...resolved.prefix, ...args], verbatim: false };
  }
  const line = batchLine(resolved.batch, args);
  return line === undefined ? undefined : { args: ['/d', '/s', '/c', line], verbatim: true };
}

const disk: FileLook = {
  state: fileState,
  text: (file) => readFile(file, 'utf8').catch(() => ''),
};

/** Whether a thrown value is a system error with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
