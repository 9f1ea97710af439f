/**
 * The agents that "ACP: Add Agent…" offers. Data: versions are pinned because what runs should be what was tried;
 * sizes and needs of Node were measured from those packages.
 */
import type { ResolvedCommand } from './process/launch.js';
import { resolveCommand } from './process/launch.js';

export type AgentEntry = {
  readonly id: string;
  readonly title: string;
  /** npm package with its exact version, run by `npx -y`. */
  readonly npm: string;
  /** Programs that may be installed already, best first; each with the arguments that make it speak ACP. */
  readonly programs: readonly { readonly name: string; readonly args: readonly string[] }[];
  /** Arguments after the package. */
  readonly args: readonly string[];
  /** Set in the agent's settings when it is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of its own that it may inherit; a trailing `*` stands for any rest. */
  readonly environment: readonly string[];
  /** How to sign in, one sentence. */
  readonly signIn: string;
  /** Smallest Node that runs it; null: it brings its own runtime. */
  readonly node: string | null;
  /** Megabytes on disk after the first download. */
  readonly megabytes: number;
  readonly source: string;
};

export const agentTable: readonly AgentEntry[] = [
  {
    id: 'claude',
    title: 'Claude',
    npm: '@agentclientprotocol/claude-agent-acp@0.101.0',
    programs: [{ name: 'claude-agent-acp', args: [] }],
    args: [],
    env: {},
    environment: ['ANTHROPIC_*', 'CLAUDE_*'],
    signIn: 'Run “claude” in a terminal and type /login, or set ANTHROPIC_API_KEY.',
    node: '22',
    megabytes: 402,
    source: 'https://github.com/agentclientprotocol/claude-agent-acp',
  },
  {
    id: 'codex',
    title: 'Codex',
    npm: '@agentclientprotocol/codex-acp@2.6.0',
    programs: [{ name: 'codex-acp', args: [] }],
    args: [],
    env: {},
    environment: ['OPENAI_*', 'CODEX_*'],
    signIn: 'Run “codex login” in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY.',
    node: '20',
    megabytes: 457,
    source: 'https://github.com/agentclientprotocol/codex-acp',
  },
  {
    id: 'gemini',
    title: 'Gemini',
    npm: '@google/gemini-cli@0.61.0',
    programs: [{ name: 'gemini', args: ['--acp'] }],
    args: ['--acp'],
    // Without it the launcher forks a second Node that ignores the end of stdin and SIGTERM.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    environment: ['GEMINI_*', 'GOOGLE_*'],
    signIn: 'Run “gemini” in a terminal and choose how to sign in, or set GEMINI_API_KEY.',
    node: '20',
    megabytes: 96,
    source: 'https://github.com/google-gemini/gemini-cli',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    npm: 'opencode-ai@1.18.33',
    programs: [{ name: 'opencode', args: ['acp'] }],
    args: ['acp'],
    env: {},
    environment: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'GOOGLE_*'],
    signIn: 'Run “opencode auth login” in a terminal.',
    node: null,
    megabytes: 354,
    source: 'https://github.com/sst/opencode',
  },
  {
    id: 'kimi',
    title: 'Kimi',
    npm: '@moonshot-ai/kimi-code@2.1.0',
    programs: [{ name: 'kimi', args: ['acp'] }],
    args: ['acp'],
    env: {},
    environment: ['KIMI_*', 'MOONSHOT_*'],
    signIn: 'Run “kimi --login” in a terminal.',
    node: '22.19',
    megabytes: 120,
    source: 'https://github.com/MoonshotAI/kimi-code',
  },
  {
    id: 'qwen',
    title: 'Qwen',
    npm: '@qwen-code/qwen-code@0.24.4',
    programs: [{ name: 'qwen', args: ['--acp'] }],
    args: ['--acp'],
    env: {},
    environment: ['QWEN_*', 'DASHSCOPE_*', 'OPENAI_*'],
    signIn: 'Run “qwen” in a terminal and choose how to sign in, or set OPENAI_API_KEY and OPENAI_BASE_URL.',
    node: '22',
    megabytes: 152,
    source: 'https://github.com/QwenLM/qwen-code',
  },
  {
    id: 'copilot',
    title: 'Copilot',
    npm: '@github/copilot@1.0.102',
    programs: [{ name: 'copilot', args: ['--acp'] }],
    args: ['--acp'],
    env: {},
    environment: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    signIn: 'Run “copilot” in a terminal and type /login, or set GH_TOKEN.',
    node: null,
    megabytes: 189,
    source: 'https://github.com/github/copilot-cli',
  },
];

export type DetectedAgent = {
  readonly entry: AgentEntry;
  /** The program that is installed, or null: `npx` would download the package. */
  readonly installed: (ResolvedCommand & { readonly name: string; readonly args: readonly string[] }) | null;
};

/** Which of the table's agents are installed, by the PATH of `env`. In the table's order; never rejects. */
export async function detectAgents(env: Readonly<Record<string, string>>): Promise<readonly DetectedAgent[]> {
  return Promise.all(
    agentTable.map(async (entry) => {
      for (const { name, args } of entry.programs) {
        const found = await resolveCommand(name, env);
        if (!('reason' in found)) {
          return { entry, installed: { ...found, name, args } };
        }
      }
      return { entry, installed: null };
    }),
  );
}

/** The setting that runs an agent of the table: its installed program, else its pinned package through npx. */
export function agentSetting(agent: DetectedAgent): {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const { entry, installed } = agent;
  return installed === null
    ? { command: 'npx', args: ['-y', entry.npm, ...entry.args], env: entry.env }
    : { command: installed.name, args: installed.args, env: entry.env };
}

/**
 * The entry that a command belongs to, so that it may inherit its own variables: recognised by the program's name, by
 * the package that a launcher is given, or by a script inside the installed package.
 */
export function knownAgent(command: string, args: readonly string[]): AgentEntry | undefined {
  const program = baseName(command);
  const first = args.slice(0, 4);
  return agentTable.find((entry) => {
    const name = entry.npm.slice(0, entry.npm.lastIndexOf('@'));
    return (
      entry.programs.some((candidate) => candidate.name === program) ||
      [command, ...first].some(
        (word) => isPackage(word, name) || word.replaceAll('\\', '/').includes(`/node_modules/${name}/`),
      )
    );
  });
}

function isPackage(word: string, name: string): boolean {
  return word === name || word.startsWith(`${name}@`);
}

function baseName(command: string): string {
  return (command.split(/[\\/]/).pop() ?? command).replace(/\.(exe|cmd|bat)$/i, '');
}
