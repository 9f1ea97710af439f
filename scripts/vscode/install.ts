// Puts a real VS Code (browser edition, with its extension host) into a cache folder outside the repository.
// It comes from the package registry, so that a machine without access to VS Code's own servers can run it.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureCached, npmEnvironment, quietInstall } from '../cache.js';
import { mustRun } from '../run.js';
import { Plain, say } from '../say.js';
import { aptInstall, hasCommand } from './apt.js';
import pins from './pins.json' with { type: 'json' };

export type VsCode = {
  /** The Node that this VS Code was built for. */
  readonly node: string;
  /** Its server's main script. */
  readonly server: string;
};

export type VsCodeVersion = keyof typeof pins;

/** Build tools for the two native parts, by the command that is looked for. */
const TOOLS = ['gcc', 'g++', 'make', 'python3'] as const;

/** The steps of the set-up; a change of them is a change of the cache key. */
const RECIPE = 1;

/** Returns a ready VS Code, installing it first (about 30 s) where this machine has none of these pins yet. */
export async function ensureVsCode(version: VsCodeVersion = 'current'): Promise<VsCode> {
  const pin = pins[version];
  const nodePackage = `node-${platformName()}-${process.arch}`;
  const folder = await ensureCached('vscode', [RECIPE, pin, nodePackage], (temporary, target) =>
    install(temporary, target, nodePackage, pin),
  );
  return {
    node: join(folder, 'node_modules', nodePackage, 'bin/node'),
    server: join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js'),
  };
}

async function install(
  temporary: string,
  folder: string,
  nodePackage: string,
  pin: { readonly 'code-server': string; readonly node: string },
): Promise<void> {
  await requireTools();
  say(`Setting up VS Code ${pin['code-server'].replace(/^4/, '1')} (once, into ${dirname(folder)}).`);
  await writeFile(join(temporary, 'package.json'), JSON.stringify({ name: 'vscode-for-tests', private: true }));
  say('  1/3 packages');
  const packages = [`${nodePackage}@${pin.node}`, `code-server@${pin['code-server']}`];
  await mustRun('Fetching VS Code', 'npm', ['install', ...quietInstall, ...packages], {
    cwd: temporary,
    env: npmEnvironment(),
  });
  const nodeFolder = join(temporary, 'node_modules', nodePackage);
  const vscode = join(temporary, 'node_modules/code-server/lib/vscode');
  say('  2/3 dependencies');
  // Scripts stay off: the packages' own install steps want Kerberos headers and build what tests never load.
  await mustRun("Fetching VS Code's dependencies", 'npm', ['install', '--omit=dev', ...quietInstall], {
    cwd: vscode,
    env: npmEnvironment(nodeFolder),
  });
  say('  3/3 native parts');
  const rebuild = [
    'rebuild',
    '--ignore-scripts=false',
    '--loglevel=error',
    '@vscode/spdlog',
    '@vscode/native-watchdog',
  ];
  await mustRun("Building VS Code's native parts", 'npm', rebuild, { cwd: vscode, env: npmEnvironment(nodeFolder) });
}

function platformName(): string {
  if (process.platform !== 'linux' && process.platform !== 'darwin') {
    throw new Plain('The browser edition of VS Code runs on Linux and macOS only.');
  }
  return process.platform;
}

async function requireTools(): Promise<void> {
  const missing: string[] = [];
  for (const tool of TOOLS) {
    if (!(await hasCommand(tool))) {
      missing.push(tool);
    }
  }
  if (missing.length > 0) {
    await aptInstall(`${missing.join(', ')} missing, needed once to set up VS Code`, ['libc6-dev', ...missing]);
  }
}
