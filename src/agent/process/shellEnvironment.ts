/**
 * The environment that a login shell would give. An editor that was started from the desktop has a thin PATH, and
 * version managers for Node put theirs into files that only an interactive shell reads.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { hostEnvironment } from './environment.js';
import { deniedNames, nameMatcher } from './environmentNames.js';
import { signalGroup } from './processTable.js';

export type ShellEnvironment =
  { readonly ok: true; readonly env: Readonly<Record<string, string>> } | { readonly ok: false; readonly why: string };

export type ShellOptions = {
  /** The shell; `$SHELL` by default. */
  readonly shell?: string;
  readonly timeoutMs?: number;
  /** A Node, or an Electron that can run as one. */
  readonly node?: string;
  readonly base?: Readonly<Record<string, string | undefined>>;
};

/** Most that a shell's profile may print before it is given up. */
const outputLimit = 4 * 1024 * 1024;

/** How much of the time that is left an attempt may use where another one follows: a shell may hang only with `-i`. */
const firstShare = 0.7;

/**
 * Asks the shell once: interactive and login, then login alone. Bounded by `timeoutMs` (10 s) in all; the shell runs in
 * its own session without a stdin, so that it can neither ask nor take a terminal. Never rejects.
 */
export async function resolveShellEnvironment(options: ShellOptions = {}): Promise<ShellEnvironment> {
  const base = options.base ?? hostEnvironment();
  const shell = options.shell ?? base['SHELL'];
  if (process.platform === 'win32') {
    return { ok: false, why: 'Windows has one environment for all programs.' };
  }
  if (shell === undefined || !shell.startsWith('/')) {
    return { ok: false, why: 'SHELL names no shell.' };
  }
  const deadline = Date.now() + (options.timeoutMs ?? 10_000);
  let why = '';
  const attempts = shellFlags(shell);
  for (const [index, flags] of attempts.entries()) {
    const left = deadline - Date.now();
    if (left <= 0) {
      break;
    }
    const time = index < attempts.length - 1 ? left * firstShare : left;
    const result = await ask(shell, flags, time, options.node ?? process.execPath, base);
    if (result.ok) {
      return result;
    }
    why = result.why;
  }
  return { ok: false, why: why === '' ? 'The shell took too long.' : why };
}

/** The ways to start a shell as a person's terminal would, best first. */
export function shellFlags(shell: string): readonly (readonly string[])[] {
  switch (basename(shell)) {
    case 'pwsh':
    case 'powershell':
      return [['-Login', '-Command']];
    case 'nu':
      return [
        ['-i', '-l', '-c'],
        ['-l', '-c'],
      ];
    case 'csh':
    case 'tcsh':
      return [['-i', '-c'], ['-c']];
    default:
      return [
        ['-i', '-l', '-c'],
        ['-l', '-c'],
      ];
  }
}

function ask(
  shell: string,
  flags: readonly string[],
  timeoutMs: number,
  node: string,
  base: Readonly<Record<string, string | undefined>>,
): Promise<ShellEnvironment> {
  // Profiles print what they like, also the command itself (`set -x`): only what stands between two values that they
  // cannot know is read, and these are put together when the script runs.
  const [first, second] = [randomBytes(6).toString('hex'), randomBytes(6).toString('hex')];
  const mark = first + second;
  const script = `const m="${first}"+"${second}";process.stdout.write(m+JSON.stringify(process.env)+m)`;
  const call = /^(pwsh|powershell)$/.test(basename(shell)) ? '& ' : basename(shell) === 'nu' ? '^' : '';
  const command = `${call}'${node.replaceAll("'", `'\\''`)}' -e '${script}'`;
  return new Promise((resolve) => {
    const child = spawn(shell, [...flags, command], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      // No folder of a project: hooks of version managers would read its files.
      cwd: '/',
      env: { ...withoutDenied(base), ELECTRON_RUN_AS_NODE: '1', VSCODE_RESOLVING_ENVIRONMENT: '1' },
    });
    let output = '';
    let settled = false;
    const settle = (result: ShellEnvironment): void => {
      if (settled) {
        return;
      }
      settled = true;
      clearTimeout(timer);
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        signalGroup(child.pid, 'SIGKILL');
      }
      child.stdout.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => settle({ ok: false, why: 'The shell took too long.' }), timeoutMs);
    child.once('error', (error) => settle({ ok: false, why: `The shell could not be started: ${error.message}.` }));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const result = parseMarked(output, mark);
      if (result !== undefined) {
        settle(result);
      } else if (output.length > outputLimit) {
        settle({ ok: false, why: 'The shell printed too much.' });
      }
    });
    child.once('close', (code) => settle({ ok: false, why: `The shell ended with code ${code ?? 'none'}.` }));
  });
}

/** What no agent gets is of no use here, and a debugger's preload would end the Node that is asked. */
function withoutDenied(base: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const denied = nameMatcher(deniedNames, false);
  return Object.fromEntries(Object.entries(base).filter(([name]) => !denied(name)));
}

/** undefined: not all of it has come. */
function parseMarked(output: string, mark: string): ShellEnvironment | undefined {
  const start = output.indexOf(mark);
  const end = start === -1 ? -1 : output.indexOf(mark, start + mark.length);
  if (end === -1) {
    return undefined;
  }
  const unreadable = { ok: false, why: 'What the shell printed cannot be read.' } as const;
  let value: unknown;
  try {
    value = JSON.parse(output.slice(start + mark.length, end));
  } catch {
    // Something that the profile left running printed into the middle of it.
    return unreadable;
  }
  if (typeof value !== 'object' || value === null) {
    return unreadable;
  }
  const added = new Set(['ELECTRON_RUN_AS_NODE', 'VSCODE_RESOLVING_ENVIRONMENT']);
  const env = Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && !added.has(entry[0]),
    ),
  );
  return { ok: true, env };
}
