/**
 * Secrets of the person by what they are on the disk, not by their name: a hard link below the folder gives one of them
 * a harmless name, and then only its identity tells.
 */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const files = [
  ...['.netrc', '.npmrc', '.pypirc', '.pgpass', '.git-credentials', '.vault-token', '.config/gh/hosts.yml'],
  ...['.aws/credentials', '.docker/config.json', '.kube/config', '.config/gcloud/application_default_credentials.json'],
  ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.local/share/opencode/auth.json'],
];
/** Folders whose files are keys, and how many of each are looked at. */
const folders = ['.ssh', '.gnupg/private-keys-v1.d'];
const mostInFolder = 100;

/** Identities (`identityOf`) of the well-known secrets below a home folder that exist. Never rejects. */
export async function knownSecrets(home: string): Promise<ReadonlySet<string>> {
  const inFolders = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(home, folder)).catch(() => []);
      return names.slice(0, mostInFolder).map((name) => join(folder, name));
    }),
  );
  const found = await Promise.all(
    [...files, ...inFolders.flat()].map(async (name) => {
      const stats = await stat(join(home, name)).catch(() => undefined);
      return stats?.isFile() === true ? [identityOf(stats)] : [];
    }),
  );
  return new Set(found.flat());
}

/** One file on one device, whatever its names. */
export function identityOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${String(dev)}:${String(ino)}`;
}
