/** What is known of a path once it was pinned, and the words in which the file system's refusals are told. */
import type { Stats } from 'node:fs';
import { HostError, messageOf } from '../../core/errors.js';
import type { HostErrorReason } from '../../core/errors.js';
import type { PathClass, Classification } from '../../core/policy/classify.js';
import { classify, inPackageTree } from '../../core/policy/classify.js';
import { isGuarded } from '../../core/policy/decide.js';
import type { FileRules } from '../../core/policy/fileRules.js';
import { collapse, relativeTo, split } from '../../core/policy/paths.js';
import type { PathFlavour } from '../../core/policy/paths.js';
import type { SensitiveTier } from '../../core/policy/tables.js';

/** A folder that an agent may work in, as it was named and as it is without links. */
export type Root = { readonly declared: string; readonly canonical: string };

export type PathFacts = {
  readonly requested: string;
  /** Without links; for a file that does not exist, below the canonical folder that does. */
  readonly canonical: string;
  /** The canonical root it lies in, null outside. */
  readonly root: string | null;
  readonly inRoot: boolean;
  /** Below the root, with `/`; the canonical path outside. */
  readonly relative: string;
  /** As `relative`, by the name that was asked for. */
  readonly named: string;
  readonly klass: PathClass;
  readonly tier?: SensitiveTier;
  readonly reasons: readonly string[];
  readonly exists: boolean;
  readonly nlink: number;
  /** Another name leads to the same file, outside trees of packages where that is ordinary. */
  readonly linked: boolean;
  /** A link below the root leads elsewhere than the name says. */
  readonly redirected: boolean;
};

/** The root that holds a canonical path, or undefined. */
export function rootOf(roots: readonly Root[], canonical: string, flavour: PathFlavour): Root | undefined {
  return roots.find((root) => relativeTo(root.canonical, canonical, flavour) !== undefined);
}

/** The components below whichever spelling of whichever root holds this path by its text, or undefined. */
export function belowDeclared(
  roots: readonly Root[],
  path: string,
  flavour: PathFlavour,
): readonly string[] | undefined {
  const collapsed = collapse(path, flavour);
  for (const { declared, canonical } of roots) {
    const below = relativeTo(declared, collapsed, flavour) ?? relativeTo(canonical, collapsed, flavour);
    if (below !== undefined) {
      return below;
    }
  }
  return undefined;
}

/** Judges the components of the path as it was asked for, before anything was opened. */
export function classifyRequested(
  roots: readonly Root[],
  path: string,
  flavour: PathFlavour,
  rules?: FileRules,
): Classification {
  const components = split(path, flavour);
  const below = belowDeclared(roots, path, flavour);
  // With `..` in it the text does not say where the root ends: then every component counts.
  const rootDepth = below === undefined || components.includes('..') ? 0 : components.length - below.length;
  return classify([{ components, rootDepth }], rules);
}

/** Gathers the facts of a path that leads to `canonical`. `stats` is undefined where no file exists. */
export function factsOf(
  roots: readonly Root[],
  requested: string,
  canonical: string,
  stats: Stats | undefined,
  flavour: PathFlavour,
  rules?: FileRules,
): PathFacts {
  const root = rootOf(roots, canonical, flavour);
  const components = split(canonical, flavour);
  const below = root && relativeTo(root.canonical, canonical, flavour);
  const declared = belowDeclared(roots, requested, flavour);
  const asked = split(requested, flavour);
  const judged = classify(
    [
      { components, rootDepth: below ? components.length - below.length : 0 },
      { components: asked, rootDepth: declared && !asked.includes('..') ? asked.length - declared.length : 0 },
    ],
    rules,
  );
  const nlink = stats?.nlink ?? 0;
  return {
    requested,
    canonical,
    root: root?.canonical ?? null,
    inRoot: root !== undefined,
    relative: below === undefined ? canonical : below.join('/'),
    named: declared === undefined ? requested : declared.join('/'),
    ...judged,
    exists: stats !== undefined,
    nlink,
    linked: nlink > 1 && stats?.isFile() === true && !inPackageTree(components),
    redirected: below !== undefined && declared !== undefined && below.join('/') !== declared.join('/'),
  };
}

/**
 * Refuses what is not opened for agents.
 * @throws HostError denied
 */
export function refuseGuarded(judged: Pick<Classification, 'klass' | 'reasons'>, requested: string): void {
  if (isGuarded(judged.klass)) {
    const hint = judged.klass === 'secret' ? ' A person can have one read of it by naming the file in a prompt.' : '';
    const words = `${shortName(requested)} is ${judged.reasons[0] ?? 'guarded'}. It is not opened for agents.${hint}`;
    throw new HostError('denied', words);
  }
}

/** By what names a person would speak of a file. */
export function namesOf({ requested, relative, named }: PathFacts): readonly string[] {
  return [relative, named, shortName(requested), shortName(relative)];
}

/** The refusal for a path that lies, or leads, outside every root. */
export function outside(requested: string): HostError {
  return new HostError('outside', `${shortName(requested)} is outside the folder that this agent works in.`);
}

/** The last part of a path, for a sentence. */
export function shortName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

const byCode: Readonly<Record<string, readonly [HostErrorReason, string]>> = {
  ENOENT: ['notFound', 'There is no such file'],
  ENOTDIR: ['notFound', 'There is no such file'],
  ELOOP: ['badPath', 'Its links lead in a circle or were changed'],
  ENAMETOOLONG: ['badPath', 'The path is too long'],
  EINVAL: ['badPath', 'The path is not usable here'],
  EISDIR: ['notFile', 'It is a folder'],
  EACCES: ['noAccess', 'The system does not permit it'],
  EPERM: ['noAccess', 'The system does not permit it'],
  EROFS: ['noAccess', 'The disk is read-only'],
  EBUSY: ['noAccess', 'Another program holds it'],
  ENOSPC: ['io', 'The disk is full'],
  EDQUOT: ['io', 'The disk quota is used up'],
};

/** Tells a file system error in plain words; a HostError stays as it is. */
export function toHostError(error: unknown, requested: string): HostError {
  if (error instanceof HostError) {
    return error;
  }
  const [reason, words] = byCode[codeOf(error) ?? ''] ?? (['io', messageOf(error)] as const);
  return new HostError(reason, `${shortName(requested)}: ${words}.`);
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
