/** Command line of the headless host. */
export type OnOff = 'off' | 'ask' | 'allow';

export type HeadlessOptions = {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly prompts: readonly string[];
  readonly script: string | undefined;
  readonly read: boolean;
  readonly write: OnOff;
  readonly terminal: OnOff;
  readonly acknowledged: boolean;
  /** A decision for every question, or the path of a file with rules. */
  readonly answers: string | undefined;
  readonly timeoutMs: number;
  /** undefined: as long as the command usually needs. */
  readonly handshakeTimeoutMs: number | undefined;
  readonly load: string | undefined;
  readonly pass: readonly string[];
  /** Patterns of `acpHost.files.deny` and `acpHost.files.allow`. */
  readonly denyFiles: readonly string[];
  readonly allowFiles: readonly string[];
  /** Whether agents get what the login shell of `SHELL` gives, as from an editor that the desktop started. */
  readonly loginShell: boolean;
  /** Where the traffic is written at the end, redacted. */
  readonly traffic: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
};

export class UsageError extends Error {}

export const usage = `Usage: headless --cwd DIR [--root DIR]… [--prompt TEXT]… [--script FILE]
  [--read on|off] [--write off|ask|allow] [--terminal off|ask|allow] [--acknowledge-unrestricted]
  [--answers allow_once|reject_once|cancel|FILE] [--timeout SECONDS] [--handshake-timeout SECONDS]
  [--load ID] [--pass NAME]… [--login-shell] [--traffic FILE] [--deny-file PATTERN]… [--allow-file PATTERN]…
  -- <agent command> [argument…]
Prints one JSON object per line on stdout; the last one is the transcript.`;

/** Parses the arguments after the program's name. Throws UsageError with a sentence. */
export function parseOptions(argv: readonly string[]): HeadlessOptions {
  const split = argv.indexOf('--');
  if (split < 0 || (argv[split + 1] ?? '') === '') {
    throw new UsageError('The agent command is missing: put it after "--".');
  }
  const [command = '', ...args] = argv.slice(split + 1);
  const flags = readFlags(argv.slice(0, split));
  const one = (name: string): string | undefined => flags.get(name)?.at(-1);
  const cwd = one('cwd');
  if (cwd === undefined) {
    throw new UsageError('--cwd is missing: the folder that the agent works in.');
  }
  const handshake = one('handshake-timeout');
  return {
    cwd,
    roots: flags.get('root') ?? [],
    prompts: flags.get('prompt') ?? [],
    script: one('script'),
    read: choice('read', one('read') ?? 'on', ['on', 'off']) === 'on',
    write: choice('write', one('write') ?? 'off', ['off', 'ask', 'allow']),
    terminal: choice('terminal', one('terminal') ?? 'off', ['off', 'ask', 'allow']),
    acknowledged: flags.has('acknowledge-unrestricted'),
    answers: one('answers'),
    timeoutMs: seconds('timeout', one('timeout') ?? '60'),
    handshakeTimeoutMs: handshake === undefined ? undefined : seconds('handshake-timeout', handshake),
    load: one('load'),
    pass: flags.get('pass') ?? [],
    denyFiles: flags.get('deny-file') ?? [],
    allowFiles: flags.get('allow-file') ?? [],
    loginShell: flags.has('login-shell'),
    traffic: one('traffic'),
    command,
    args,
  };
}

const switches = new Set(['acknowledge-unrestricted', 'login-shell']);
const valued = new Set([
  'cwd',
  'root',
  'prompt',
  'script',
  'read',
  'write',
  'terminal',
  'answers',
  'timeout',
  'handshake-timeout',
  'load',
  'pass',
  'deny-file',
  'allow-file',
  'traffic',
]);

function readFlags(argv: readonly string[]): Map<string, string[]> {
  const flags = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? '';
    const [name, inline] = splitFlag(arg);
    if (switches.has(name) && inline === undefined) {
      flags.set(name, []);
      continue;
    }
    if (!valued.has(name)) {
      throw new UsageError(`Unknown option: ${arg}`);
    }
    const value = inline ?? argv[++i];
    if (value === undefined) {
      throw new UsageError(`--${name} needs a value.`);
    }
    flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return flags;
}

function splitFlag(arg: string): [string, string | undefined] {
  if (!arg.startsWith('--')) {
    return ['', undefined];
  }
  const equals = arg.indexOf('=');
  return equals < 0 ? [arg.slice(2), undefined] : [arg.slice(2, equals), arg.slice(equals + 1)];
}

function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new UsageError(`--${name} must be one of: ${allowed.join(', ')}.`);
  }
  return found;
}

function seconds(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new UsageError(`--${name} must be a number of seconds above 0.`);
  }
  return Math.min(value * 1000, 2 ** 31 - 1);
}
