// The layers are held by three nets: lint rules, a tsconfig per layer, and what really ends up in the bundles.
// Each net is tried here with an import that it must refuse, in a temporary copy of the sources.
import { build } from 'esbuild';
import { ESLint } from 'eslint';
import assert from 'node:assert/strict';
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../../scripts/run.js';
import { foreignExternals, foreignInputs, readMetafile } from '../support/metafile.js';

type Violation = {
  readonly layer: string;
  readonly what: string;
  readonly code: string;
  /** Which nets must refuse it. */
  readonly nets: readonly ('lint' | 'tsc')[];
};

const sdk = '@agentclientprotocol/sdk/unstable';
const uses = (from: string) => `import * as foreign from '${from}';\nexport const used = foreign;\n`;
const VIOLATIONS: readonly Violation[] = [
  { layer: 'core', what: 'a module of Node', code: uses('node:fs'), nets: ['lint', 'tsc'] },
  { layer: 'core', what: 'vscode', code: uses('vscode'), nets: ['lint'] },
  { layer: 'core', what: 'the agent layer', code: uses('../agent/ports.js'), nets: ['lint', 'tsc'] },
  { layer: 'core', what: 'the SDK at run time', code: uses(sdk), nets: ['lint'] },
  { layer: 'core', what: 'a package outside its list', code: uses('preact'), nets: ['lint'] },
  { layer: 'core', what: 'the DOM', code: 'export const used = document.title;\n', nets: ['tsc'] },
  { layer: 'agent', what: 'vscode', code: uses('vscode'), nets: ['lint'] },
  { layer: 'agent', what: 'the host layer', code: uses('../host/extension.js'), nets: ['lint'] },
  { layer: 'agent', what: 'the SDK at run time', code: uses(sdk), nets: ['lint'] },
  { layer: 'agent', what: 'the SDK by import()', code: `export const used = import('${sdk}');\n`, nets: ['lint'] },
  { layer: 'agent', what: 'the environment', code: "export const used = process.env['HOME'];\n", nets: ['lint'] },
  { layer: 'host', what: 'the webview layer', code: uses('../webview/main.js'), nets: ['lint'] },
  { layer: 'host', what: 'the SDK at run time', code: uses(sdk), nets: ['lint'] },
  { layer: 'webview', what: 'vscode', code: uses('vscode'), nets: ['lint'] },
  { layer: 'webview', what: 'a module of Node', code: uses('node:path'), nets: ['lint', 'tsc'] },
  { layer: 'webview', what: 'the agent layer', code: uses('../agent/ports.js'), nets: ['lint'] },
  { layer: 'demo', what: 'the host layer', code: uses('../host/extension.js'), nets: ['lint', 'tsc'] },
];

describe('layers', function () {
  this.timeout(120_000);
  let copy: string;
  const complaints = new Map<Violation, string[]>();

  before(async () => {
    copy = await realpath(await mkdtemp(join(tmpdir(), 'acp-host-layers-')));
    for (const name of ['src', 'package.json', 'tsconfig.json', 'tsconfig.base.json', 'eslint.config.mjs']) {
      await cp(join(root, name), join(copy, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const [index, { layer, code }] of VIOLATIONS.entries()) {
      await writeFile(join(copy, `src/${layer}/violation${index}.ts`), code);
    }
    const types = await typeErrors(copy);
    const lint = await new ESLint({ cwd: copy }).lintFiles(['src/*/violation*.ts']);
    for (const [index, violation] of VIOLATIONS.entries()) {
      const file = `src/${violation.layer}/violation${index}.ts`;
      const messages = lint.find(({ filePath }) => filePath === join(copy, file))?.messages ?? [];
      const restricted = messages.filter(({ ruleId }) =>
        /no-restricted-(imports|syntax|properties)$/.test(ruleId ?? ''),
      );
      complaints.set(violation, [...(restricted.length > 0 ? ['lint'] : []), ...(types.has(index) ? ['tsc'] : [])]);
    }
  });
  after(() => rm(copy, { recursive: true, force: true }));

  for (const violation of VIOLATIONS) {
    it(`refuse ${violation.what} in ${violation.layer}, by ${violation.nets.join(' and ')}`, () => {
      for (const net of violation.nets) {
        assert.ok(complaints.get(violation)?.includes(net), `${net} did not refuse it`);
      }
    });
  }

  it('are visible in a bundle where lint and types were silenced', async () => {
    const entry = join(copy, 'src/webview/silenced.ts');
    await writeFile(join(copy, 'src/agent/silenced.ts'), 'export const leaked = 1;\n');
    await writeFile(
      entry,
      "import { leaked } from '../agent/silenced.js';\nimport 'left-pad';\nexport const used = leaked;\n",
    );
    const { metafile } = await build({
      absWorkingDir: copy,
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      external: ['left-pad'],
    });
    assert.deepEqual(foreignInputs(metafile, ['agent', 'host']), ['src/agent/silenced.ts']);
    assert.deepEqual(foreignExternals(metafile, []), ['left-pad']);
  });
});

/** Checks each violation by itself with its layer's settings: one foreign import brings in types that hide another. */
async function typeErrors(copy: string): Promise<ReadonlySet<number>> {
  const refused = new Set<number>();
  const checks = VIOLATIONS.map(async ({ layer, nets }, index) => {
    if (!nets.includes('tsc')) {
      return;
    }
    const project = join(copy, `src/${layer}/tsconfig${index}.json`);
    const file = `violation${index}.ts`;
    await writeFile(project, JSON.stringify({ extends: './tsconfig.json', include: [], files: [file] }));
    const { output } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: copy });
    // An import out of rootDir is reported on the project, not on the line.
    if (output.includes(`${file}(`) || output.includes('error TS6059')) {
      refused.add(index);
    }
  });
  await Promise.all(checks);
  return refused;
}

describe('bundles', () => {
  it('give the webview nothing of agent, host or demo, and no external module', async () => {
    const metafile = await readMetafile('main.js');
    assert.deepEqual(foreignInputs(metafile, ['agent', 'host', 'demo']), []);
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external),
    );
    assert.deepEqual(outside, []);
  });

  it('give the extension only vscode and Node as externals, and nothing of webview or demo', async () => {
    const metafile = await readMetafile('extension.cjs');
    assert.deepEqual(foreignInputs(metafile, ['webview', 'demo']), []);
    assert.deepEqual(foreignExternals(metafile, ['vscode']), []);
  });

  it('give the headless host no vscode and nothing of host, webview or demo', async () => {
    const metafile = await readMetafile('headless.cjs');
    assert.deepEqual(foreignInputs(metafile, ['host', 'webview', 'demo']), []);
    assert.deepEqual(foreignExternals(metafile, []), []);
  });

  it('give the demo agent nothing of any other layer', async () => {
    const metafile = await readMetafile('demo-agent.cjs');
    assert.deepEqual(foreignInputs(metafile, ['core', 'agent', 'host', 'webview']), []);
    assert.deepEqual(foreignExternals(metafile, []), []);
  });
});
