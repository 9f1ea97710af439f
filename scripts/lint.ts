// npm run lint: ESLint, prettier, the type checker for every layer, and knip, side by side.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, run } from './run.js';
import { runScript, say } from './say.js';

const bin = (name: string) => join(root, 'node_modules/.bin', name);
const LAYERS = ['core', 'agent', 'host', 'webview', 'demo'] as const;
const CACHE = 'node_modules/.cache/acp-host';

type Check = { readonly name: string; readonly command: string; readonly args: readonly string[] };

const typeCheck = (name: string, project: string): Check => ({
  name: `types of ${name}`,
  command: bin('tsc'),
  args: ['-p', project, '--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`],
});

/** The longest first, so that the short ones fill the gaps. */
const CHECKS: readonly Check[] = [
  {
    name: 'eslint',
    command: bin('eslint'),
    args: ['--cache', '--cache-strategy=content', `--cache-location=${CACHE}/eslint`, '--max-warnings=0', '.'],
  },
  typeCheck('scripts and tests', '.'),
  ...LAYERS.map((layer) => typeCheck(layer, `src/${layer}`)),
  { name: 'prettier', command: bin('prettier'), args: ['--check', '--log-level=warn', '.'] },
  { name: 'knip', command: bin('knip'), args: ['--no-progress', '--no-config-hints'] },
];

await runScript(async () => {
  const waiting = [...CHECKS];
  let failed = 0;
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = Date.now();
      const { status, output } = await run(check.command, check.args);
      failed += status === 0 ? 0 : 1;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      say(
        `${status === 0 ? 'ok  ' : 'FAIL'}  ${check.name} (${seconds} s)${status === 0 ? '' : `\n${output.trimEnd()}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  return failed > 0 ? 1 : 0;
});
