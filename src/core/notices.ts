/**
 * The words of what the host says in the conversation: what happened, why, and what can be done. At most two sentences
 * of why, no stack. Failures of the start have their own table in `failures.ts`.
 */
import { cut, limits } from './text/limits.js';
import { plainLine } from './text/quote.js';
import type { Notice } from './transcript/model.js';

/**
 * A turn that the agent ended with an error response. `message` and `details` are the agent's, bounded here.
 * `saidAbove`: the same words stand in the conversation already, because some agents say them as text as well.
 */
export function turnFailedNotice(
  agent: string,
  message: string,
  changed: number,
  details: string | undefined,
  saidAbove = false,
): Notice {
  const files =
    changed === 0
      ? 'Nothing was changed since your prompt.'
      : `${String(changed)} file${changed === 1 ? ' was' : 's were'} changed.`;
  return {
    code: 'turn',
    severity: 'error',
    what: 'The turn failed',
    why: `${agent} reported${saidAbove ? ' what stands above' : `: “${cut(message, 300)}”`}. ${files} The text is still here.`,
    ...(details === undefined ? {} : { details: cut(details, limits.errorData) }),
    actions: details === undefined ? ['retry', 'editPrompt'] : ['retry', 'editPrompt', 'details'],
  };
}

/** The agent refused with "sign in first" (-32000). The prompt is kept. */
export function signInNotice(agent: string, how: string | undefined): Notice {
  return {
    code: 'signIn',
    severity: 'warning',
    what: `Sign in to ${agent}`,
    why: `${agent} refused the prompt because nobody is signed in. Your prompt is kept.${how === undefined ? '' : ` ${how}`}`,
    actions: ['retry', 'probe'],
  };
}

/** It ended by itself again and again. */
function crashLoopNotice(agent: string, tail: readonly string[]): Notice {
  return {
    code: 'stopped',
    severity: 'error',
    what: `${agent} stopped 3 times in 2 min`,
    why: 'VS Code does not restart it again by itself.',
    ...(tail.length === 0 ? {} : { tail }),
    actions: ['probe', 'restart', 'showLog'],
  };
}

/** The agent's process ended by itself. */
export function exitedNotice(facts: {
  readonly agent: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly afterMs: number;
  readonly tail: readonly string[];
  readonly queued: number;
  readonly midTurn: boolean;
  /** It did so too often in a short time. */
  readonly isLoop?: boolean;
  /** It can go on with the conversation after a restart. */
  readonly reloads?: boolean | undefined;
}): Notice {
  const { agent, queued, reloads } = facts;
  if (facts.isLoop === true) {
    return crashLoopNotice(agent, facts.tail);
  }
  const kept = !facts.midTurn
    ? ''
    : queued === 0
      ? ' Your prompt is kept.'
      : ` Your prompt and ${String(queued)} queued prompt${queued === 1 ? '' : 's'} are kept.`;
  return {
    code: 'stopped',
    severity: 'error',
    what: `${agent} stopped unexpectedly`,
    why: `${exitWords(facts.code, facts.signal)} after ${duration(facts.afterMs)}.${kept} ${reloads === true ? 'The conversation is reloaded after a restart.' : `After a restart ${agent} starts without memory of it.`}`,
    ...(facts.tail.length === 0 ? {} : { tail: facts.tail }),
    details: [exitWords(facts.code, facts.signal), ...facts.tail].join('\n'),
    actions: ['restart', 'showLog', 'copyDetails'],
  };
}

/** "Exit code 134 (SIGABRT)", "Ended by SIGKILL". */
export function exitWords(code: number | null, signal: string | null): string {
  if (code !== null) {
    const name = code > 128 ? signalNames[code - 128] : undefined;
    return `Exit code ${String(code)}${name === undefined ? '' : ` (${name})`}`;
  }
  return signal === null ? 'Ended' : `Ended by ${signal}`;
}

const signalNames: Readonly<Record<number, string>> = {
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

/** "4 s", "12 min": whole units, the largest that fits. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) {
    return `${String(seconds)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${String(minutes)} min` : `${String(Math.floor(minutes / 60))} h`;
}

/** What a stop reason other than `end_turn` and `cancelled` means, or undefined where nothing needs to be said. */
export function stopReasonNotice(agent: string, stopReason: string, answered: boolean): Notice | undefined {
  switch (stopReason) {
    case 'cancelled':
      return undefined;
    case 'refusal':
      return {
        code: 'turn',
        severity: 'warning',
        what: `${agent} refused to go on`,
        why: 'Its last answer and your prompt are not part of its memory.',
        actions: ['editPrompt'],
      };
    case 'max_tokens':
    case 'max_turn_requests':
      return {
        code: 'turn',
        severity: 'warning',
        what: 'The answer was cut',
        why: `${agent} reached its ${stopReason === 'max_tokens' ? 'token limit' : 'limit of requests for a turn'}.`,
        actions: ['continue'],
      };
    case 'end_turn':
      return answered
        ? undefined
        : {
            code: 'turn',
            severity: 'warning',
            what: `${agent} sent no answer`,
            why: `It ended the turn without a text or a tool call.`,
            actions: ['retry', 'editPrompt', 'showLog'],
          };
    default:
      return {
        code: 'turn',
        severity: 'info',
        what: 'The turn ended',
        why: `${agent} gave a reason that this version does not know: “${cut(stopReason, 100)}”.`,
        actions: [],
      };
  }
}

/** Stop was pressed and the turn still runs. */
export function didNotStopNotice(agent: string, seconds: number): Notice {
  return {
    code: 'late',
    severity: 'warning',
    what: `${agent} did not stop`,
    why: `You pressed Stop ${String(seconds)} s ago.`,
    actions: ['stopNow', 'restart'],
  };
}

/** It asks the same thing again and again, and the person says No each time. */
export function repeatsNotice(agent: string, times: number): Notice {
  return {
    code: 'turn',
    severity: 'warning',
    what: `${agent} has asked this ${String(times)} times`,
    why: 'You denied it each time. It may be stuck: stop the turn, or write what it should do instead.',
    actions: ['stopNow'],
  };
}

/** A turn was ended here, and the agent still works on its prompt. */
export function stillBusyNotice(agent: string): Notice {
  return {
    code: 'late',
    severity: 'warning',
    what: `${agent} has not finished the prompt you stopped`,
    why: 'Your new prompt waits in the queue until it has. A restart ends it at once.',
    actions: ['restart'],
  };
}

/** A mode or an option was not taken over. `stays` is what the agent confirmed last; `said` its words, bounded here. */
export function notChangedNotice(
  agent: string,
  change: { readonly what: string; readonly wanted: string; readonly stays?: string; readonly said?: string },
): Notice {
  const { wanted, stays, said } = change;
  const why = [
    said === undefined ? '' : `It answered: “${plainLine(said, 300)}”.`,
    stays === undefined ? '' : `It stays “${plainLine(stays, 100)}”.`,
  ];
  return {
    code: 'setting',
    severity: 'warning',
    what: `${agent} did not set ${plainLine(change.what, 100)} to “${plainLine(wanted, 100)}”`,
    why: why.filter((part) => part !== '').join(' '),
    actions: [],
  };
}

/** An earlier session was to be gone on with, and the agent cannot, or does not have it any more. */
export function notLoadedNotice(agent: string): Notice {
  return seamNotice(`${agent} cannot reload what was said before, and starts without memory of it`);
}

/** It can, and remembers what stands above. */
export function reloadedNotice(agent: string): Notice {
  return seamNotice(`${agent} reloaded what was said before`);
}

/** It remembers a session that is not shown here, because it does not replay it. */
export function notReplayedNotice(agent: string): Notice {
  return seamNotice(`${agent} remembers this conversation, but does not show what was said before`);
}

/**
 * The agent was restarted. `why`: what changed. `reloads`: whether it can go on with the conversation, undefined where
 * that shows only when it starts.
 */
export function restartedNotice(agent: string, reloads: boolean | undefined, why: string | undefined): Notice {
  const forgets = reloads === false;
  return seamNotice(
    why === undefined
      ? `${agent} restarted${forgets ? ', and starts without memory of the above' : ''}`
      : `${why}. ${agent} restarted${forgets ? ' and does not remember the above' : ''}.`,
  );
}

/** A line across the conversation. */
export function seamNotice(text: string): Notice {
  return { code: 'seam', severity: 'info', what: text, why: '', actions: [] };
}

/** A per-turn bound was reached and the rest of the output is not shown. */
export function boundNotice(agent: string): Notice {
  return {
    code: 'bound',
    severity: 'warning',
    what: 'The rest of this turn is not shown',
    why: `${agent} sent more than ${String(limits.turnText / 1_000_000)} million characters. The turn goes on.`,
    actions: [],
  };
}

/**
 * A file that was not served, or undefined for a reason that a person need not hear of: a file that is not there is an
 * everyday answer, and what they decided or switched off themselves they know. `reason` is one of HostErrorReason.
 */
export function fileNotice(
  operation: 'read' | 'write',
  path: string,
  reason: string,
  agent: string,
  folder: string,
): Notice | undefined {
  const name = plainLine(path.split(/[\\/]/).findLast((part) => part !== '') ?? path, 80);
  const largest = `${String(limits[operation === 'read' ? 'readBytes' : 'writeBytes'] / 1024 / 1024)} MB`;
  const why: Readonly<Record<string, string>> = {
    outside: `It is outside ${folder}. VS Code opens nothing else for ${agent}.`,
    denied:
      operation === 'read'
        ? 'It may hold secrets, belongs to Git, or a setting denies it. If you want it read, name it in your prompt: VS Code then asks you about a secret file.'
        : 'It may hold secrets, belongs to Git, or a setting denies it. VS Code does not write such files for agents.',
    binary: 'It is a binary file. VS Code serves only text.',
    notUtf8: 'It is not UTF-8 text. Open it in the editor first, then VS Code can serve it.',
    tooLarge:
      operation === 'read'
        ? `It is larger than ${largest}. ${agent} can read it in parts.`
        : `The new text is larger than ${largest}. VS Code writes no more than that at once.`,
    noAccess: 'The system does not permit it. Check who owns the file and whether it is read-only.',
    io: 'The disk refused. Check that it has room and is there.',
  };
  return why[reason] === undefined
    ? undefined
    : {
        code: 'file',
        severity: 'warning',
        what: `${name} was not ${operation === 'read' ? 'read' : 'written'}`,
        why: why[reason],
        actions: [],
      };
}

/** The folder is not trusted, so no agent starts. */
export const untrustedNotice: Notice = {
  code: 'start',
  severity: 'warning',
  what: 'This folder is not trusted',
  why: 'Agents run programs, so they start only in trusted folders.',
  actions: ['manageTrust'],
};
