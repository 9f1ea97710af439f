/**
 * How each real agent is started against the mock model, on Linux: its command line, the variables that point it there,
 * and the settings it finds in its fresh home. Found by trying each with no network but loopback.
 */
import { join } from 'node:path';
import { ensureAgent, type AgentName } from './install.js';

export type RealAgent = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that stand in its home before it starts: path under the home → text. */
  readonly home: Readonly<Record<string, string>>;
};

type Model = {
  /** The mock model's address. */
  readonly url: string;
  /** A key with "bad" in it is refused. */
  readonly key: string;
};

const launchers: Readonly<Record<AgentName, (model: Model) => Promise<RealAgent>>> = {
  kimi: async ({ url, key }) => {
    const { node, folder } = await ensureAgent('kimi');
    return {
      command: node,
      args: [join(folder, 'dist/main.mjs'), 'acp'],
      env: {
        KIMI_MODEL_NAME: 'mock-model',
        KIMI_MODEL_API_KEY: key,
        KIMI_MODEL_PROVIDER_TYPE: 'openai',
        KIMI_MODEL_BASE_URL: `${url}/v1`,
        KIMI_DISABLE_TELEMETRY: '1',
        KIMI_CODE_NO_AUTO_UPDATE: '1',
        // A failing model is asked twice, not for most of a minute. The other agents have settings for the same.
        KIMI_LOOP_MAX_ATTEMPTS_PER_STEP: '2',
      },
      home: {},
    };
  },
  'codex-rs': async ({ url, key }) => {
    const { modules } = await ensureAgent('codex-rs');
    return {
      command: join(modules, `@zed-industries/codex-acp-${process.platform}-${process.arch}`, 'bin/codex-acp'),
      args: [],
      env: { MOCK_KEY: key, OPENAI_API_KEY: key },
      home: {
        '.codex/config.toml': `model = "mock-model"
model_provider = "mock"
approval_policy = "untrusted"

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
      },
    };
  },
  gemini: async ({ url, key }) => {
    const { node, folder } = await ensureAgent('gemini');
    return {
      command: node,
      args: [join(folder, 'bundle/gemini.js'), '--acp', '-m', 'gemini-2.5-pro'],
      // Without the last one a launcher starts a second Node; the test of its teardown takes it away.
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: 'true' },
      home: {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, disableUpdateNag: true, maxAttempts: 2 },
        }),
      },
    };
  },
  claude: async ({ url, key }) => {
    const { node, folder } = await ensureAgent('claude');
    return {
      command: node,
      args: [join(folder, 'dist/index.js')],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
        // Else its tools for tasks hide behind a search that the mock model does not do.
        ENABLE_TOOL_SEARCH: 'false',
        CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
      },
      home: {},
    };
  },
  'sdk-example': async () => {
    const { node, folder } = await ensureAgent('sdk-example');
    return { command: node, args: [join(folder, 'dist/examples/agent.js')], env: {}, home: {} };
  },
};

/** Installs the agent where needed. `url` is the mock model's; a `key` with "bad" in it is refused. */
export function launch(name: AgentName, url: string, key = 'mock-key-12345678'): Promise<RealAgent> {
  return launchers[name]({ url, key });
}
