/**
 * Why an agent could not be started, and the words for it. The reasons are the probe's own; everything that starts an
 * agent reports with them, so a person reads the same sentence in the panel, in the report and in a terminal.
 */
import { describeEarlyExit } from './earlyExit.js';
import { exitWords } from './notices.js';
import { plainLine, quoted } from './text/quote.js';
import type { Notice, NoticeAction } from './transcript/model.js';

/** The exit status of the probe's command for each of its reasons. */
export const probeStatus = {
  ok: 0,
  missing_binary: 127,
  spawn_error: 126,
  handshake_timeout: 124,
  incompatible_protocol: 65,
  unauthenticated: 77,
  handshake_error: 76,
} as const;
export type ProbeReason = keyof typeof probeStatus;

/** The one protocol version that is spoken. */
export const protocolVersion = 1;

/** How a process ended. Both null while it lives. */
export type ExitFacts = { readonly code: number | null; readonly signal: string | null };

type Failure<R extends ProbeReason, F> = {
  readonly reason: R;
  /** The program as configured. */
  readonly command: string;
  /** The last lines of stderr, redacted. */
  readonly stderrTail?: readonly string[];
} & Readonly<F>;

/** A way to sign in that the agent offers. */
export type OfferedMethod = { readonly id: string; readonly name: string; readonly type: string };

type SignInFailure = {
  readonly reason: 'unauthenticated';
  readonly command?: string;
  /** What was refused. */
  readonly method?: string;
  /** The agent's own words. */
  readonly message: string;
  readonly methods: readonly OfferedMethod[];
  readonly stderrTail?: readonly string[];
};

export type StartFailure =
  /** No such program. `folders` counts the folders of PATH that were looked at; 0 where a path was given. */
  | Failure<'missing_binary', { detail: 'notFound'; folders: number }>
  /** The file is there, the program that its first line names is not. */
  | Failure<'missing_binary', { detail: 'interpreter'; interpreter: string }>
  /** It started and ended itself with 127: something that it runs was not found. */
  | Failure<'missing_binary', { detail: 'exit127'; exit: ExitFacts }>
  | Failure<'spawn_error', { detail: 'notExecutable' | 'directory' | 'relative' | 'batch' }>
  | Failure<'spawn_error', { detail: 'noFolder'; folder: string }>
  | Failure<'spawn_error', { detail: 'noSecret'; secret: string }>
  /** Any other refusal of the system, with its code. */
  | Failure<'spawn_error', { detail: 'system'; system: string }>
  /** It ended before it answered `during`. */
  | Failure<'spawn_error', { detail: 'exited'; exit: ExitFacts; during: string }>
  | Failure<'handshake_timeout', { method: string; ms: number; /** First lines of stdout. */ noise: readonly string[] }>
  | Failure<'incompatible_protocol', { offered: unknown }>
  /** Refused with -32000: nobody is signed in. */
  | SignInFailure
  | Failure<'handshake_error', { method: string; code: number | null; message: string }>;

export type FailureWords = {
  /** What happened and why, at most two sentences. */
  readonly message: string;
  /** One sentence. */
  readonly nextStep: string;
  readonly notice: Notice;
};

type Words = {
  readonly what: string;
  readonly why: string;
  readonly message: string;
  readonly nextStep: string;
  readonly actions: readonly NoticeAction[];
};

/** Where PATH was searched, for windows on another machine: "SSH: box", "WSL". */
export type FailurePlace = { readonly machine?: string };

/** Says a failure in words. Holds no stack, and of the agent's own words only bounded quotes. */
export function describeFailure(failure: StartFailure, agentName: string, place: FailurePlace = {}): FailureWords {
  const words = wordsOf(failure, plainLine(agentName, 80), place);
  const tail = failure.stderrTail ?? [];
  const command = failure.command === undefined ? [] : [`Command: ${failure.command}`];
  const details = [`${failure.reason}: ${words.message}`, ...command, ...tail].join('\n');
  return {
    message: words.message,
    nextStep: words.nextStep,
    notice: {
      code: 'start',
      severity: 'error',
      what: words.what,
      why: words.why,
      details,
      actions: words.actions,
      ...(tail.length > 0 ? { tail } : {}),
    },
  };
}

function wordsOf(failure: StartFailure, agent: string, place: FailurePlace): Words {
  switch (failure.reason) {
    case 'missing_binary':
      return missingWords(failure, agent, place);
    case 'spawn_error':
      return failure.detail === 'exited' ? exitedWords(failure, agent) : spawnWords(failure, agent);
    case 'handshake_timeout':
      return timeoutWords(failure, agent);
    case 'incompatible_protocol': {
      const offered = typeof failure.offered === 'number' ? `version ${failure.offered}` : 'no version';
      const why = `It offers ${offered}; this extension speaks ${protocolVersion}.`;
      return {
        what: `${agent} speaks another protocol version`,
        why,
        message: `${agent} speaks another protocol version. ${why}`,
        nextStep: `Install a release of ${agent} that speaks protocol version ${protocolVersion}, or update this extension.`,
        actions: ['editSettings', 'copyDetails'],
      };
    }
    case 'unauthenticated':
      return signInWords(failure, agent);
    case 'handshake_error': {
      const said = quoted(failure.message);
      const why =
        failure.code === null
          ? `The connection ended before it answered \`${failure.method}\`: ${said}.`
          : `It answered \`${failure.method}\` with an error (${failure.code}): ${said}.`;
      return {
        what: `${agent} refused to start`,
        why,
        message: `${agent} refused to start. ${why}`,
        nextStep: `Look up this error in the documentation of ${agent}, then try again.`,
        actions: ['retry', 'copyDetails', 'showLog'],
      };
    }
  }
}

/** Programs that come with something else, and what to install for them. */
const comesWith: Readonly<Record<string, string>> = {
  node: 'Node.js 20 or newer',
  npm: 'Node.js 20 or newer, which brings npm',
  npx: 'Node.js 20 or newer, which brings npx',
  uv: 'uv',
  uvx: 'uv, which brings uvx',
  bunx: 'Bun, which brings bunx',
};

/** The last part of a command's path, without the extensions of Windows. */
export function programName(command: string): string {
  return (command.split(/[\\/]/).pop() ?? command).replace(/\.(exe|cmd|bat|ps1)$/i, '');
}

function missingWords(
  failure: Extract<StartFailure, { reason: 'missing_binary' }>,
  agent: string,
  { machine }: FailurePlace,
): Words {
  const command = quoted(failure.command);
  const actions: readonly NoticeAction[] = ['addAgent', 'editSettings', 'probe'];
  switch (failure.detail) {
    case 'notFound': {
      const where = machine === undefined ? 'this machine' : `this machine (${machine})`;
      const path = `${failure.folders === 1 ? 'one folder' : `${failure.folders} folders`} of PATH`;
      const why =
        failure.folders > 0
          ? `VS Code looked for it in the ${path} on ${where}.`
          : `No file has this path on ${where} (ENOENT).`;
      const looked = failure.folders > 0 ? `in the ${path} on ${where}` : `on ${where} (ENOENT)`;
      const bundle = comesWith[programName(failure.command)];
      const nextStep =
        bundle === undefined
          ? `Install it, or write its full path into the agent’s “command” setting.`
          : `Install ${bundle}, then try again.`;
      return {
        what: `${command} was not found`,
        why: bundle === undefined ? why : `${why} ${nextStep}`,
        message: `${command} was not found ${looked}.`,
        nextStep,
        actions,
      };
    }
    case 'interpreter': {
      const needed = quoted(failure.interpreter);
      const why = `It needs ${needed}, which was not found.`;
      const bundle = comesWith[programName(failure.interpreter)] ?? needed;
      const nextStep = `Install ${bundle}, or make sure that PATH has it.`;
      return {
        what: `${command} cannot start`,
        why: `${why} ${nextStep}`,
        message: `${command} cannot start. ${why}`,
        nextStep,
        actions,
      };
    }
    case 'exit127': {
      const why = `It ended with exit code 127: a program that it needs was not found.${lastWords(failure.stderrTail)}`;
      return {
        what: `${agent} could not start`,
        why,
        message: why.replace(/^It/, agent),
        nextStep: `Install the program that is named above, or make sure that PATH has it.`,
        actions,
      };
    }
  }
}

function spawnWords(failure: Extract<StartFailure, { reason: 'spawn_error' }>, agent: string): Words {
  const command = quoted(failure.command);
  const say = (what: string, why: string, nextStep: string): Words => ({
    what,
    why: `${why} ${nextStep}`,
    message: `${what}. ${why}`,
    nextStep,
    actions: ['editSettings', 'probe', 'showLog'],
  });
  switch (failure.detail) {
    case 'notExecutable':
      return say(
        `${command} may not be run`,
        'The file is there but not executable (EACCES).',
        'Make it executable, or name the program that runs it as the command and the file as its first argument.',
      );
    case 'directory':
      return say(
        `${command} is a folder`,
        'A command has to be a program.',
        'Write the path of a program into the agent’s “command” setting.',
      );
    case 'relative':
      return say(
        `${command} is a relative path`,
        'It would start a different program in every folder.',
        'Write its full path, or the name of a program in PATH.',
      );
    case 'batch':
      return say(
        `${command} is a batch file`,
        'Arguments cannot be passed to it safely.',
        'Name the program that it starts, for example node and the path of a script.',
      );
    case 'noSecret':
      return say(
        `${agent} needs the secret ${quoted(failure.secret)}`,
        'Its settings name it, and it is not stored on this computer.',
        'Run “ACP: Set Secret…” and type it in, then try again.',
      );
    case 'noFolder':
      return say(
        `${agent} has no folder to work in`,
        `The folder ${quoted(failure.folder)} does not exist.`,
        'Open a folder that exists, then try again.',
      );
    case 'system':
      return say(
        `${command} could not be started`,
        `The system answered ${quoted(failure.system)}.`,
        'Check the command and its arguments in the agent’s settings.',
      );
    case 'exited':
      return exitedWords(failure, agent);
  }
}

function exitedWords(
  failure: Extract<StartFailure, { reason: 'spawn_error'; detail: 'exited' }>,
  agent: string,
): Words {
  const known = describeEarlyExit(failure.stderrTail ?? [], agent);
  const exit = exitWords(failure.exit.code, failure.exit.signal);
  const actions: readonly NoticeAction[] = ['retry', 'showLog', 'copyDetails'];
  if (known !== undefined) {
    return {
      ...known,
      why: `${known.why} ${known.nextStep}`,
      message: `${known.why} It stopped: ${lowerFirst(exit)}.`,
      actions,
    };
  }
  const why = `${exit} before it answered \`${failure.during}\`.`;
  return {
    what: `${agent} stopped unexpectedly`,
    why,
    message: `${agent} stopped: ${lowerFirst(why)}${lastWords(failure.stderrTail)}`,
    nextStep: 'Read the last lines of its stderr, repair what they name, then try again.',
    actions,
  };
}

function timeoutWords(failure: Extract<StartFailure, { reason: 'handshake_timeout' }>, agent: string): Words {
  const limit = `No answer to \`${failure.method}\` within ${Math.round(failure.ms / 100) / 10} s.`;
  const first = failure.noise[0];
  const downloads = ['npx', 'uvx', 'bunx'].includes(programName(failure.command));
  const split = failure.noise.some((line) => /^\s*"(jsonrpc|id|method|result|params)"\s*:/.test(line));
  const why = split
    ? `${limit} It splits its messages over several lines; ACP needs each on one line.`
    : first === undefined
      ? limit
      : `${limit} The command does not speak ACP; its first line was ${quoted(first)}.`;
  const nextStep =
    first !== undefined || split
      ? 'Check the command and its arguments: many agents need one such as “acp” or “--acp”.'
      : downloads
        ? 'The first start downloads the agent, so try again, or raise the limit “acpHost.handshakeTimeout”.'
        : 'Check that the command starts an ACP agent, or raise the limit “acpHost.handshakeTimeout”.';
  return {
    what: `${agent} did not answer`,
    why,
    message: why,
    nextStep,
    actions: ['retry', 'editSettings', 'showLog'],
  };
}

/** Whether a person can sign in this way from here: with a request to the agent, or with its program in a terminal. */
export function canSignIn(method: OfferedMethod): boolean {
  return method.type === 'agent' || method.type === 'terminal';
}

/** What to do to sign in, one sentence. `known` is the sentence of the table of agents, where it has one. */
export function signInStep(methods: readonly OfferedMethod[], agent: string, known?: string): string {
  const possible = methods.filter(canSignIn).map(({ name }) => quoted(name, 60));
  if (known !== undefined) {
    return known;
  }
  return possible.length === 0
    ? `Sign in with the command line of ${agent}, or put its key into the agent’s “env” setting, then try again.`
    : `Sign in to ${agent} with ${possible.slice(0, 4).join(' or ')} in its own command line, then try again.`;
}

function signInWords(failure: SignInFailure, agent: string): Words {
  const possible = failure.methods.some(canSignIn);
  const offered = failure.methods.slice(0, 4).map(({ name }) => quoted(name, 60));
  const rest =
    offered.length === 0
      ? 'It offers no way to sign in.'
      : possible
        ? `It offers ${offered.join(', ')}.`
        : `It offers only ${offered.join(', ')}, which cannot be done here.`;
  const nextStep = signInStep(failure.methods, agent);
  return {
    what: `Sign in to ${agent}`,
    why: `${agent} refused the prompt because nobody is signed in. ${nextStep}`,
    message: `${agent} refused \`${failure.method ?? 'session/new'}\` because nobody is signed in. ${rest}`,
    nextStep,
    actions: ['retry', 'editSettings', 'showLog'],
  };
}

function lastWords(tail: readonly string[] | undefined): string {
  const last = (tail ?? []).filter((line) => line.trim() !== '').at(-1);
  return last === undefined ? '' : ` Its last line was ${quoted(last)}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
