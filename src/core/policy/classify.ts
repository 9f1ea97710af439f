/**
 * What a path is, by its folded components. Both the path that was asked for and the one it leads to are judged, and
 * the more restrictive answer wins: a harmless name must not open a secret, nor a secret's name a harmless file.
 */
import { noFileRules } from './fileRules.js';
import type { FileRules } from './fileRules.js';
import { pathTable } from './globs.js';
import { fold, foldWhole } from './paths.js';
import { packageFolders, secretExempt, secretFolders, secretNames, sensitiveFiles } from './tables.js';
import type { SensitiveTier } from './tables.js';

/**
 * From free to refused: `sensitive` files may be changed only by a person's word, `secret` ones only be read and only
 * by one, the other two neither. `denied`: a person's or the folder's own settings say so.
 */
export type PathClass = 'ok' | 'sensitive' | 'secret' | 'git' | 'denied';

export type Classification = {
  readonly klass: PathClass;
  readonly tier?: SensitiveTier;
  /** Why, as ends of the sentence "This is …". */
  readonly reasons: readonly string[];
};

/** A path's components, and how many of the first ones are the root's own. */
export type JudgedPath = { readonly components: readonly string[]; readonly rootDepth: number };

const secretFolder = pathTable(secretFolders);
const secretName = pathTable(secretNames);
const exempt = pathTable(secretExempt);
const sensitive = pathTable(sensitiveFiles);
const packages = pathTable(packageFolders);

const rank: Readonly<Record<PathClass, number>> = { ok: 0, sensitive: 1, secret: 2, git: 3, denied: 4 };

/** Judges every spelling of one path; the most restrictive class wins, and its reasons are kept. */
export function classify(paths: readonly JudgedPath[], rules: FileRules = noFileRules): Classification {
  let worst: Classification = { klass: 'ok', reasons: [] };
  for (const { components, rootDepth } of paths) {
    for (const folded of [components.map(fold), components.map(foldWhole)]) {
      const found = classifyFolded(folded, rootDepth, rules);
      if (rank[found.klass] > rank[worst.klass]) {
        worst = found;
      }
    }
  }
  return worst;
}

function classifyFolded(components: readonly string[], rootDepth: number, rules: FileRules): Classification {
  const below = components.slice(rootDepth);
  if (rules.denies(below)) {
    return { klass: 'denied', reasons: ['denied by acpHost.files.deny'] };
  }
  if (components.some((component) => component === '.git' || component === 'git~1')) {
    return { klass: 'git', reasons: ["Git's own data"] };
  }
  const secret = secretFolder(components, 0) ?? secretByName(components, rootDepth);
  if (secret !== undefined && !rules.allows(below)) {
    return { klass: 'secret', reasons: [secret] };
  }
  const tier = sensitive(components, rootDepth);
  return tier === undefined
    ? { klass: 'ok', reasons: [] }
    : { klass: 'sensitive', tier, reasons: [`a file that runs ${tier}`] };
}

/** Names count from the root down: a folder called `prod.env` that a person opened does not make all of it secret. */
function secretByName(components: readonly string[], rootDepth: number): string | undefined {
  const below = components.slice(rootDepth).filter((component) => exempt([component], 0) === undefined);
  return secretName(below, 0);
}

/** Whether a path lies in a tree where hard links are the way packages are kept, so that they say nothing. */
export function inPackageTree(components: readonly string[]): boolean {
  return packages(components.map(fold), 0) !== undefined;
}
