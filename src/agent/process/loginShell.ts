/** The login shell's environment, asked for once and kept: a shell with many plugins takes seconds to start. */
import { plainLine } from '../../core/text/quote.js';
import type { Log } from '../ports.js';
import { hostEnvironment, type BaseEnvironment } from './environment.js';
import { resolveShellEnvironment, type ShellEnvironment } from './shellEnvironment.js';

export type LoginShellPorts = {
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Why this process's own environment is good enough, one clause; undefined: it is not. */
  readonly notNeeded: () => string | undefined;
  /** Called when the shell answered. */
  readonly onAnswer?: () => void;
  readonly resolve?: () => Promise<ShellEnvironment>;
};

export class LoginShell {
  #answer: Promise<BaseEnvironment> | undefined;
  #known: BaseEnvironment;

  constructor(private readonly ports: LoginShellPorts) {}

  /** What it answered last, for looks that must start nothing. */
  get known(): BaseEnvironment {
    return this.#known;
  }

  /**
   * What agents inherit from; undefined: this process's own environment. The first call starts the shell, at most once
   * until `forget`; a shell that failed is said in the log and not asked again. Never rejects.
   */
  environment(): Promise<BaseEnvironment> {
    this.#answer ??= this.#ask();
    return this.#answer;
  }

  /** The next call of `environment` asks again. Answers what the next start of an agent does, for a person. */
  forget(): string {
    this.#answer = undefined;
    const why = this.ports.notNeeded();
    return why === undefined
      ? 'The next agent that starts gets the environment of your login shell, read anew. One that runs keeps what it has.'
      : `The next agent that starts gets the environment of VS Code itself: ${why}.`;
  }

  async #ask(): Promise<BaseEnvironment> {
    if (this.ports.notNeeded() !== undefined) {
      return undefined;
    }
    const { log, resolve = resolveShellEnvironment } = this.ports;
    const begun = performance.now();
    const result = await resolve();
    if (!result.ok) {
      log.warn(`No environment from the login shell, so agents get the one of this program: ${plainLine(result.why)}`);
      return undefined;
    }
    log.info(`Read the environment of the login shell in ${Math.round(performance.now() - begun)} ms.`);
    this.#known = result.env;
    this.ports.onAnswer?.();
    return result.env;
  }
}

/**
 * Why the environment of an editor's window is complete already. `VSCODE_CLI` is set where `code` was run in a
 * terminal; a server on another machine (`remoteName`) asks the shell there before it starts its extension host.
 */
export function completeAlready(
  remoteName: string | undefined,
  env: Exclude<BaseEnvironment, undefined> = hostEnvironment(),
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform === 'win32') {
    return 'Windows has one environment for all programs';
  }
  if (remoteName !== undefined) {
    return 'VS Code read the login shell of the remote machine when it connected';
  }
  return env['VSCODE_CLI'] === '1' ? 'VS Code was started from a terminal' : undefined;
}
