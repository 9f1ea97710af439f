/**
 * Puts real agents into the cache, from the package registry, at exact versions and without running any install script.
 * The Node that runs them comes the same way, because some need a newer one than the repository does.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureCached, npmEnvironment, quietInstall } from '../../../scripts/cache.js';
import { mustRun } from '../../../scripts/run.js';
import { say } from '../../../scripts/say.js';
import pins from './pins.json' with { type: 'json' };

export type AgentName = keyof typeof pins.agents;

export const agentNames = Object.keys(pins.agents) as AgentName[];

export type InstalledAgent = {
  /** The Node to run it with, absolute. */
  readonly node: string;
  /** The folder that npm put its packages into, absolute. */
  readonly modules: string;
  /** The folder of its package, absolute. */
  readonly folder: string;
};

/** The steps of the set-up; a change of them is a change of the cache keys. */
const RECIPE = 2;

/** Returns the agent, fetching it first (some seconds) where this machine has none of this pin yet. */
export async function ensureAgent(name: AgentName): Promise<InstalledAgent> {
  const pin = pins.agents[name];
  const [node, own] = [await ensureNode(), await ensurePackage(`agent-${name}`, pin, pin.omitOptional)];
  const modules = join(own, 'node_modules');
  return { node, modules, folder: join(modules, pin.package) };
}

async function ensureNode(): Promise<string> {
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const folder = await ensurePackage('agent-node', { package: nodePackage, version: pins.node }, true);
  return join(folder, 'node_modules', nodePackage, 'bin/node');
}

/** Each in an entry of its own: a changed pin fetches one agent, and no package's dependencies change another's. */
function ensurePackage(
  name: string,
  pin: { readonly package: string; readonly version: string },
  omitOptional: boolean,
): Promise<string> {
  const what = `${pin.package}@${pin.version}`;
  return ensureCached(name, [RECIPE, what, omitOptional], async (temporary, target) => {
    say(`Fetching ${what} for the agent tests (once, into ${dirname(target)}).`);
    await writeFile(join(temporary, 'package.json'), JSON.stringify({ name: 'agent-for-tests', private: true }));
    const omit = omitOptional ? ['--omit=optional'] : [];
    await mustRun(`Fetching ${what}`, 'npm', ['install', '--save-exact', ...quietInstall, ...omit, what], {
      cwd: temporary,
      env: npmEnvironment(),
    });
  });
}
