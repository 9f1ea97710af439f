/** The probe without an editor: `[--json] [--test-turn] [--timeout S] [--cwd DIR] -- <command…>`. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { HostError, messageOf } from '../../core/errors.js';
import { probeStatus, programName } from '../../core/failures.js';
import { verdictWords, type ProbeReport } from '../../core/probeReport.js';
import { memoryWords, testStepRows, testTurnSentences, type TestTurn } from '../../core/testTurn.js';
import { stripControls } from '../../core/text/visible.js';
import { defaultHandshakeTimeout, runProbe, type ProbeResult } from '../probe.js';
import { processRegistry } from '../process/registry.js';

const usage = `Usage: probe [--json] [--test-turn] [--timeout SECONDS] [--cwd DIR] [--pass NAME]… -- <agent command> [argument…]
Starts the agent, initializes, tries one session, and says what it found. Never signs in and never prompts, except with
--test-turn: then it sends one prompt, which may cost money, in a temporary folder.`;

export type ProbeArguments = {
  readonly json: boolean;
  readonly testTurn: boolean;
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly pass: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
};

/** Reads the command line, or returns the sentence that says what is wrong with it. `from` resolves relative paths. */
export function parseProbeArguments(argv: readonly string[], from: string): ProbeArguments | string {
  let json = false;
  let testTurn = false;
  let timeout: number | undefined;
  let cwd = from;
  const pass: string[] = [];
  let index = 0;
  for (; index < argv.length; index++) {
    const [name = '', inline] = (argv[index] ?? '').split(/=(.*)/s);
    if (name === '--') {
      index += 1;
      break;
    }
    if (!name.startsWith('--')) {
      break;
    }
    if (name === '--json') {
      json = true;
      continue;
    }
    if (name === '--test-turn') {
      testTurn = true;
      continue;
    }
    if (name !== '--timeout' && name !== '--cwd' && name !== '--pass') {
      return `Unknown option ${name}.`;
    }
    const value = inline ?? argv[++index];
    if (value === undefined || value === '--') {
      return `${name} needs a value.`;
    }
    if (name === '--timeout') {
      timeout = Number(value);
      if (!Number.isFinite(timeout) || timeout <= 0) {
        return '--timeout must be a number of seconds above 0.';
      }
    } else if (name === '--cwd') {
      cwd = resolve(from, value);
    } else {
      pass.push(value);
    }
  }
  const [command, ...args] = argv.slice(index);
  if (command === undefined || command === '') {
    return 'The agent command is missing: put it after “--”.';
  }
  return {
    json,
    testTurn,
    // Node's timers end at 2^31 - 1 ms.
    timeoutMs: timeout === undefined ? defaultHandshakeTimeout(command) : Math.min(timeout * 1000, 2 ** 31 - 1),
    cwd,
    pass,
    // Whoever types a relative path in a terminal means it from where they are.
    command:
      /[\\/]/.test(command) && !isAbsolute(command) && !command.startsWith('~') ? resolve(from, command) : command,
    args,
  };
}

/** The report for a terminal: plain text, no control characters, whatever the agent sent. */
export function probeText({ report, facts }: ProbeResult): string {
  const info = report.agentInfo;
  const words = verdictWords(report);
  const rest = report.message.startsWith(words) ? report.message.slice(words.length).trim() : report.message;
  const lines = [
    `${words} ${rest}`.trim(),
    `Next step: ${report.nextStep}`,
    '',
    `Agent       ${info === null ? 'gave no name' : `${info.name} ${info.version ?? ''}`.trim()}`,
    `Command     ${facts.commandLine}`,
    ...(facts.jail === null ? [] : [`File checks ${facts.jail}`]),
    ...(facts.variables.length === 0 ? [] : [`Variables   ${facts.variables.join(' ')}`]),
    `Result      ${resultWords(report)}${facts.processLeft ? ', a process was left' : ', no process left'}`,
    ...report.phases.map(({ name, ms }) => `${name.padEnd(12)}${ms} ms`),
    ...(report.phases.some(({ name }) => name === 'stop') ? [`End         ${facts.stop}`] : []),
    ...(report.memory === null ? [] : [`Memory      ${memoryWords(report.memory)}`]),
    ...turnLines(report.testTurn),
    ...(facts.testTurnWanted && report.testTurn === null ? ['Test turn   not run, no session was opened'] : []),
    ...report.authMethods.map(({ name, type }) => `Sign in     ${name} (${type})`),
    ...report.noise.map((line) => `stdout      ${line}`),
    ...report.stderrTail.map((line) => `stderr      ${line}`),
  ];
  return lines.map((line) => stripControls(line).replaceAll('\n', ' ')).join('\n');
}

function turnLines(turn: TestTurn | null): readonly string[] {
  if (turn === null) {
    return [];
  }
  const rows = testStepRows(turn, 'the host').map(
    ([step, done, asked]) => `${step}: ${[done, asked].filter(Boolean).join(', ')}.`,
  );
  return [...rows, ...testTurnSentences(turn)].map((line) => `Test turn   ${line}`);
}

function resultWords({ reason, authRequired, exitCode, signal }: ProbeReport): string {
  const auth = authRequired ? ', sign-in offered' : '';
  const exit = exitCode !== null ? `, exit code ${exitCode}` : signal !== null ? `, signal ${signal}` : '';
  return `${reason}${auth}${exit}`;
}

/** The version in the manifest that stands beside the folder of the bundle. */
function ownVersion(): string {
  try {
    const text = readFileSync(join(dirname(process.argv[1] ?? ''), '../package.json'), 'utf8');
    return /"version"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '0';
  } catch {
    return '0';
  }
}

/** Runs the command line and sets the exit status. */
export async function probeMain(argv: readonly string[]): Promise<void> {
  const parsed = parseProbeArguments(argv, process.cwd());
  if (typeof parsed === 'string') {
    process.stderr.write(`${parsed}\n${usage}\n`);
    process.exitCode = 2;
    return;
  }
  const abort = new AbortController();
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = status;
      abort.abort();
      processRegistry().killAllSync();
    });
  }
  const { json, ...options } = parsed;
  try {
    const result = await runProbe({
      ...options,
      agentName: programName(options.command),
      agentEnv: {},
      clientVersion: ownVersion(),
      signal: abort.signal,
    });
    process.stdout.write(json ? `${JSON.stringify(result.report)}\n` : `${probeText(result)}\n`);
    process.exitCode = probeStatus[result.report.reason];
  } catch (error) {
    if (!(error instanceof HostError)) {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exitCode = 1;
    }
  }
}
