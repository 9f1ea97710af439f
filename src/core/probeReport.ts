/** What a probe found out about an agent, and the report that a person reads. Everything in it is redacted already. */
import { canSignIn, type OfferedMethod, type ProbeReason } from './failures.js';
import { memoryWords, testStepRows, testTurnSentences, type TestTurn } from './testTurn.js';
import { plainLine } from './text/quote.js';

export const probePhases = ['start', 'initialize', 'session/new', 'stop'] as const;
export type ProbePhase = (typeof probePhases)[number];

/** The object that `probe --json` prints. */
export type ProbeReport = {
  readonly reason: ProbeReason;
  /** Methods to sign in are offered, or a call was refused until somebody does. */
  readonly authRequired: boolean;
  /** How the agent ended itself. Both null where the probe ended it, or it never ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** As the agent answered, or null where it did not answer. */
  readonly protocolVersion: number | null;
  readonly agentInfo: { readonly name: string; readonly title?: string; readonly version?: string } | null;
  readonly capabilities: Readonly<Record<string, unknown>> | null;
  readonly authMethods: readonly (OfferedMethod & { readonly description?: string })[];
  readonly phases: readonly { readonly name: ProbePhase; readonly ms: number }[];
  readonly noise: readonly string[];
  readonly stderrTail: readonly string[];
  /** What its processes held with a session open; null where the platform does not tell, or it did not run. */
  readonly memory: TestTurn['memory'];
  /** Whether it ended by itself soon after its input ended; null where it had ended before, or never ran. */
  readonly exitsOnEnd: boolean | null;
  /** Processes that it had started and that still ran when it had ended. */
  readonly leftovers: number;
  /** null where none was asked for, or no session was opened. */
  readonly testTurn: TestTurn | null;
  readonly message: string;
  readonly nextStep: string;
};

/** What a report tells beside the contract's object. */
export type ProbeFacts = {
  readonly agentName: string;
  /** The command line as one would read it, redacted. */
  readonly commandLine: string;
  /** The folder, `~` for the home. */
  readonly folder: string;
  /** "VS Code 1.139.1 · linux x64" */
  readonly platform: string;
  readonly pid: number | null;
  /** What came of `session/new`, in words. */
  readonly session: string;
  /** How it ended, in words. */
  readonly stop: string;
  /** All lines that were no messages, also those that are not kept. */
  readonly noiseCount: number;
  readonly processLeft: boolean;
  /** How paths are pinned here: without a gap between check and use, or so that a swap would have to be lucky. */
  readonly jail: 'kernel' | 'best effort' | null;
  /** Names of the environment variables that the agent was given, never their values. */
  readonly variables: readonly string[];
  /** A test turn was asked for. */
  readonly testTurnWanted: boolean;
};

/** The report as Markdown: verdict, next step, facts, phases, offers, files, signing in, noise, stderr. No links. */
export function probeMarkdown(report: ProbeReport, facts: ProbeFacts): string {
  const sections = [
    `# Probe: ${escaped(facts.agentName)}`,
    verdict(report),
    `**Next step:** ${escaped(report.nextStep)}${costWords(report)}`,
    factTable(report, facts),
    phaseTable(report, facts),
    offers(report),
    report.reason === 'ok' ? filesSection(report, facts) : '',
    signingIn(report),
    noiseText(report, facts),
    report.stderrTail.length === 0 ? '' : `## stderr\n\nIts last lines:\n\n${fenced(report.stderrTail)}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function costWords({ reason, testTurn }: ProbeReport): string {
  if (reason !== 'ok') {
    return '';
  }
  return testTurn === null
    ? ' The probe sent no prompt and cost nothing.'
    : ' The probe sent one prompt, in a folder of its own.';
}

const marked = '**edits that it makes by itself are detected and marked, not blocked**';

/** Who works on files: as a test turn showed, or what it takes to know. */
function filesSection({ testTurn }: ProbeReport, { testTurnWanted }: ProbeFacts): string {
  if (testTurn === null && testTurnWanted) {
    return '## Files\n\nThe test turn was not run, because no session was opened.';
  }
  if (testTurn === null) {
    return `## Files\n\nThe probe offers no files. Whether this agent reads and writes through VS Code shows only while it works; ${marked}. A test turn would show it.`;
  }
  const rows = testStepRows(testTurn, 'VS Code');
  const sentences = testTurnSentences(testTurn).map((sentence) => escaped(sentence));
  const note = testTurn.steps.edit.doneBy === 'agent' ? ` While it works, ${marked}.` : '';
  return `## Files\n\nIn a test turn with one prompt:\n\n${table(['Step', 'Done', 'Asked'], rows)}\n\n${sentences.join(' ')}${note}`;
}

/** The two words that open the verdict. */
export function verdictWords(report: ProbeReport): string {
  if (report.reason !== 'ok') {
    return 'Does not work.';
  }
  return report.authRequired ? 'Works, after signing in.' : 'Works.';
}

function verdict(report: ProbeReport): string {
  const words = verdictWords(report);
  const rest = report.message.startsWith(words) ? report.message.slice(words.length).trim() : report.message;
  return `**${words}** ${escaped(rest)}`.trim();
}

const jailWords = {
  kernel: 'by the kernel: a link that is swapped while a file is opened leads nowhere else',
  'best effort': 'best effort: this system cannot exclude that a link is swapped in the moment a file is opened',
};

function factTable(report: ProbeReport, facts: ProbeFacts): string {
  const { agentInfo, protocolVersion } = report;
  const named = agentInfo === null ? 'gave no name' : `${agentInfo.name} ${agentInfo.version ?? ''}`.trim();
  const version = protocolVersion === null ? '' : ` · protocol version ${protocolVersion}`;
  const auth = report.authRequired ? `, ${code('authRequired: true')}` : '';
  return table(
    ['', ''],
    [
      ['Agent', `${escaped(named)}${version}`],
      ['Command', code(facts.commandLine)],
      ['Folder', `${code(facts.folder)} · ${escaped(facts.platform)}`],
      ...(facts.jail === null ? [] : [['File checks', jailWords[facts.jail]]]),
      ...(facts.variables.length === 0 ? [] : [['Variables', facts.variables.map((name) => code(name)).join(' ')]]),
      ...(report.memory === null ? [] : [['Memory', `${memoryWords(report.memory)}, with a session open`]]),
      ['Result', `${code(report.reason)}${auth}, ${facts.processLeft ? '**a process was left**' : 'no process left'}`],
    ],
  );
}

function phaseTable(report: ProbeReport, facts: ProbeFacts): string {
  const results: Readonly<Record<ProbePhase, string>> = {
    start: facts.pid === null ? 'not started' : `pid ${facts.pid}`,
    initialize: report.protocolVersion === null ? 'no answer' : `protocol version ${report.protocolVersion}`,
    'session/new': facts.session,
    stop: facts.stop,
  };
  const titles: Readonly<Record<ProbePhase, string>> = {
    start: 'Start the process',
    initialize: '`initialize`',
    'session/new': '`session/new`',
    stop: 'Stop',
  };
  const rows = report.phases.map(({ name, ms }) => [
    titles[name],
    `${ms.toLocaleString('en-US')} ms`,
    escaped(results[name]),
  ]);
  return `## Phases\n\n${table(['Phase', 'Time', 'Result'], rows, '|---|---:|---|')}`;
}

function offers({ capabilities }: ProbeReport): string {
  if (capabilities === null) {
    return '';
  }
  const prompt = record(capabilities['promptCapabilities']);
  const mcp = record(capabilities['mcpCapabilities']);
  const session = record(capabilities['sessionCapabilities']);
  const yes = (value: unknown): boolean => value === true || (typeof value === 'object' && value !== null);
  const remote = ['http', 'sse'].filter((transport) => yes(mcp[transport]));
  const row = (title: string, offered: boolean, meaning: string): string[] => [
    title,
    offered ? 'yes' : 'no',
    offered ? meaning : '',
  ];
  const rows = [
    row('Load earlier sessions', yes(capabilities['loadSession']), 'A session comes back after a restart.'),
    row('List earlier sessions', yes(session['list']), 'Its own list of sessions can be shown.'),
    row('Files in prompts', yes(prompt['embeddedContext']), 'Their text can be sent with a prompt.'),
    row('Images in prompts', yes(prompt['image']), 'They can be sent with a prompt.'),
    row('Audio in prompts', yes(prompt['audio']), 'It can be sent with a prompt.'),
    [
      'MCP servers',
      remote.length === 0 ? 'stdio' : remote.join(', '),
      remote.length === 0 ? 'Only local servers can be passed on.' : 'Remote servers can be passed on.',
    ],
    row('Fork a session', yes(session['fork']), 'A session can go on in two directions.'),
  ];
  return `## What it offers\n\n${table(['Capability', 'Offered', 'What it means here'], rows)}`;
}

function signingIn({ authMethods }: ProbeReport): string {
  if (authMethods.length === 0) {
    return '';
  }
  const rows = authMethods.map((method) => [
    escaped(method.name),
    method.type === 'agent'
      ? 'done by the agent itself'
      : method.type === 'terminal'
        ? 'in a terminal'
        : escaped(`of type “${method.type}”`),
    canSignIn(method) ? 'possible' : 'cannot be done here',
  ]);
  return `## Signing in\n\n${table(['', '', ''], rows)}`;
}

function noiseText({ noise, reason }: ProbeReport, { noiseCount }: ProbeFacts): string {
  if (noise.length === 0) {
    return '';
  }
  const lines =
    noiseCount === 1
      ? '1 line on stdout was no protocol message.'
      : `${noiseCount} lines on stdout were not protocol messages.`;
  const harm =
    reason !== 'ok'
      ? ''
      : noiseCount === 1
        ? ' It was skipped and does no harm.'
        : ' They were skipped and do no harm.';
  return `## Noise\n\n${lines}${harm}\n\n${fenced(noise)}`;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function table(head: readonly string[], rows: readonly (readonly string[])[], rule?: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), rule ?? `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Text in which Markdown, and HTML inside it, finds nothing to act on. */
function escaped(text: string): string {
  return (
    plainLine(text, 2_000)
      .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/:\/\//g, ':\u2060//')
      // What we put between backticks ourselves stays code.
      .replace(/\\`([\w/]+)\\`/g, '`$1`')
  );
}

/** A code span, also of a text that holds backticks or the bar that ends a table's cell. */
function code(text: string): string {
  const line = plainLine(text, 2_000).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function fenced(lines: readonly string[]): string {
  const text = lines.map((line) => plainLine(line, 2_000)).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
