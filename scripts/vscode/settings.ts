import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Settings = Readonly<Record<string, unknown>>;

/** What keeps the window to the one thing that is shown or tested. */
export const QUIET: Settings = {
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};

export type SettingsFile = {
  /** Replaces the file; a running window takes the change up by itself. */
  readonly write: (settings: Settings) => Promise<void>;
  /** Changes some settings and keeps the rest; `undefined` removes one. */
  readonly change: (settings: Settings) => Promise<void>;
};

/** The settings of the machine scope, where `acpHost.*` of that scope is read from. Quiet settings are added. */
export function machineSettings(dataDir: string): SettingsFile {
  return settingsFile(join(dataDir, 'data/Machine/settings.json'), QUIET);
}

/** The person's settings, where application-scoped ones such as `security.workspace.trust.*` are read from. */
export function userSettings(dataDir: string): SettingsFile {
  return settingsFile(join(dataDir, 'data/User/settings.json'), {});
}

function settingsFile(path: string, base: Settings): SettingsFile {
  const write = async (settings: Settings) => {
    await mkdir(dirname(path), { recursive: true });
    // Renamed into place: a window that watches the file must never read half of it.
    await writeFile(`${path}.new`, JSON.stringify({ ...base, ...settings }, undefined, 2));
    await rename(`${path}.new`, path);
  };
  const read = async (): Promise<Settings> =>
    existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Settings) : {};
  return {
    write,
    // Read anew each time: what the window wrote itself, such as an answer to a question, must stay.
    change: async (settings) => write({ ...(await read()), ...settings }),
  };
}
