/**
 * The jail: the only way by which a request of an agent reaches the disk. It turns a path into a pin with facts, and
 * refuses what lies outside the roots, is guarded, or is no file. Every check is made on the pinned object, and the
 * pin is what is read or replaced afterwards.
 *
 * `..` has the file system's meaning here and everywhere after: the canonical path decides, the text does not.
 */
import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { HostError } from '../../core/errors.js';
import { noFileRules } from '../../core/policy/fileRules.js';
import type { FileRules } from '../../core/policy/fileRules.js';
import { checkPath, fold, isInside, split } from '../../core/policy/paths.js';
import type { PathFlavour } from '../../core/policy/paths.js';
import { cut, limits } from '../../core/text/limits.js';
import {
  belowDeclared,
  classifyRequested,
  codeOf,
  factsOf,
  namesOf,
  outside,
  refuseGuarded,
  rootOf,
  shortName,
  toHostError,
} from './facts.js';
import type { PathFacts, Root } from './facts.js';
import type { FilePin, FolderPin, Pinner, PinHooks, PinStrength } from './pin.js';
import { identityOf, knownSecrets } from './knownSecrets.js';
import { linuxPinner } from './pinLinux.js';
import { portablePinner } from './pinPortable.js';
import { readText } from './textFile.js';
import type { LineWindow } from './textFile.js';
import { workingFolder, type WorkingFolder } from './workingFolder.js';
import { WritePin } from './writePin.js';

const flavour: PathFlavour = process.platform === 'win32' ? 'win32' : 'posix';

export interface ReadPin {
  readonly facts: PathFacts;
  /** Changes when the file's content does: device, inode, size and time of change. */
  readonly version: string;
  /** Reads a window of lines. @throws HostError tooLarge, binary, notUtf8, noAccess */
  read(window: LineWindow): Promise<string>;
  close(): Promise<void>;
}

export type JailOptions = {
  /** Use the portable pin although a better one may be had. */
  readonly portable?: boolean;
  readonly hooks?: PinHooks;
  /** The person's home folder, whose well-known secrets are recognised under any name. */
  readonly home?: string;
  /** Patterns of the settings, read anew at every use. */
  readonly rules?: () => FileRules;
};

/** Opens a jail over folders that exist. Each is resolved once, here. Rejects where one cannot be. */
export async function openJail(roots: readonly string[], options: JailOptions = {}): Promise<Jail> {
  const resolved: Root[] = [];
  for (const declared of roots) {
    resolved.push({ declared: join(declared), canonical: await realpath(declared) });
  }
  const [first] = resolved;
  const { hooks = {}, rules = () => noFileRules, home } = options;
  const better =
    first !== undefined && process.platform === 'linux' && options.portable !== true
      ? await linuxPinner(first.canonical, hooks)
      : undefined;
  const secrets = home === undefined ? new Set<string>() : await knownSecrets(home);
  return new Jail(resolved, better ?? portablePinner(hooks), { hooks, rules, secrets, isWide: isWide(resolved, home) });
}

/** Whether a person's words hold one of these names. */
export type IsNamed = (names: readonly string[]) => boolean;

type JailParts = {
  readonly hooks: PinHooks;
  readonly rules: () => FileRules;
  /** Identities of files that are secret whatever they are called. */
  readonly secrets: ReadonlySet<string>;
  readonly isWide: boolean;
};

export class Jail {
  /** For diagnostics: whether a race between check and use is excluded or only unlikely. */
  readonly strength: PinStrength;

  constructor(
    private readonly roots: readonly Root[],
    private readonly pinner: Pinner,
    private readonly parts: JailParts,
  ) {
    this.strength = pinner.strength;
  }

  /** Whether a root is the person's home or lies above it. */
  get isWide(): boolean {
    return this.parts.isWide;
  }

  /**
   * Pins a file for reading. One that may hold secrets is pinned only where a person named it: `isNamed` says so of
   * its names, and whether it is then read is for the policy.
   * @throws HostError badPath, outside, denied, notFound, notFile, noAccess
   */
  async pinRead(requested: string, isNamed: IsNamed = () => false): Promise<ReadPin> {
    const path = this.front(requested, isNamed);
    let pin: FilePin | undefined;
    try {
      pin = await this.pinner.file(path, true);
      const facts = this.judge(path, pin.canonical, pin.stats, isNamed);
      return readPin(facts, pin);
    } catch (error) {
      await pin?.close();
      throw toHostError(error, requested);
    }
  }

  /**
   * Pins the place of a file for writing: its folder, and the file where there is one. A link is followed once, and
   * what it leads to is then the target. Missing folders are made at the commit.
   * @throws HostError badPath, outside, denied, notFound, notFile, noAccess, moved
   */
  async pinWrite(requested: string): Promise<WritePin> {
    const path = this.front(requested);
    if (/[\\/]$/.test(requested) || basename(path) === '..' || basename(path) === '') {
      throw new HostError('notFile', 'The path names a folder.');
    }
    try {
      return await this.pinTarget(path, path, true);
    } catch (error) {
      throw toHostError(error, requested);
    }
  }

  /**
   * Pins a folder that a command is to run in. What is shown to a person and what it runs in are one folder, also if
   * its name leads elsewhere meanwhile.
   * @throws HostError badPath, outside, notFound, notFile, noAccess
   */
  async pinFolder(requested: string): Promise<WorkingFolder> {
    const path = this.check(isAbsolute(requested) ? requested : join(this.roots[0]?.declared ?? '/', requested));
    let pin: FolderPin | undefined;
    try {
      pin = await this.pinner.folder(path, true);
      if (rootOf(this.roots, pin.canonical, flavour) === undefined) {
        throw outside(requested);
      }
      return workingFolder(pin);
    } catch (error) {
      await pin?.close();
      throw codeOf(error) === 'ENOTDIR'
        ? new HostError('notFile', 'The path names no folder.')
        : toHostError(error, requested);
    }
  }

  /** The facts of any path, also outside the roots, for showing to a person. Never rejects. */
  async inspect(requested: string): Promise<PathFacts> {
    const first = this.roots[0]?.declared ?? '/';
    const absolute = flavour === 'posix' && !isAbsolute(requested) ? join(first, requested) : requested;
    const check = checkPath(absolute, flavour);
    if (!check.ok) {
      const shown = cut(requested, limits.path);
      const facts = factsOf([], shown, shown, undefined, flavour);
      return { ...facts, reasons: [...facts.reasons, check.why] };
    }
    let found: { canonical: string; stats?: Stats };
    try {
      found = await this.locate(check.path);
    } catch {
      found = { canonical: check.path };
    }
    return this.factsOf(check.path, found.canonical, found.stats);
  }

  private async locate(path: string): Promise<{ canonical: string; stats?: Stats }> {
    try {
      const pin = await this.pinner.file(path, true);
      await pin.close();
      return { canonical: pin.canonical, stats: pin.stats };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        throw error;
      }
      const { folder, missing } = await this.pinParent(path);
      await folder.close();
      return { canonical: join(folder.canonical, ...missing, basename(path)) };
    }
  }

  /** What can be refused by the text alone is refused before the disk is touched. */
  private front(requested: string, isNamed: IsNamed = () => false): string {
    const path = this.check(requested);
    const judged = classifyRequested(this.roots, path, flavour, this.parts.rules());
    if (judged.klass !== 'secret' || !isNamed([shortName(requested)])) {
      refuseGuarded(judged, requested);
    }
    return path;
  }

  private check(requested: string): string {
    const check = checkPath(requested, flavour);
    if (!check.ok) {
      throw new HostError('badPath', check.why);
    }
    if (belowDeclared(this.roots, check.path, flavour) === undefined) {
      throw outside(requested);
    }
    return check.path;
  }

  /** The verdict on a pinned file. @throws HostError outside, notFound, notFile, denied */
  private judge(requested: string, canonical: string, stats: Stats, isNamed: IsNamed = () => false): PathFacts {
    if (rootOf(this.roots, canonical, flavour) === undefined) {
      throw outside(requested);
    }
    if (stats.nlink < 1) {
      throw new HostError('notFound', 'The file was deleted.');
    }
    if (!stats.isFile()) {
      throw new HostError(
        'notFile',
        stats.isDirectory() ? 'The path names a folder.' : 'The path names no ordinary file.',
      );
    }
    const facts = this.factsOf(requested, canonical, stats);
    if (facts.klass !== 'secret' || !isNamed(namesOf(facts))) {
      refuseGuarded(facts, requested);
    }
    return facts;
  }

  private factsOf(requested: string, canonical: string, stats: Stats | undefined): PathFacts {
    const facts = factsOf(this.roots, requested, canonical, stats, flavour, this.parts.rules());
    return stats !== undefined && this.parts.secrets.has(identityOf(stats))
      ? { ...facts, klass: 'denied', reasons: ['one of your sign-in files or keys, by another name'] }
      : facts;
  }

  private async pinTarget(requested: string, path: string, follow: boolean): Promise<WritePin> {
    const { folder, missing } = await this.pinParent(path);
    let file: FilePin | undefined;
    try {
      if (rootOf(this.roots, folder.canonical, flavour) === undefined) {
        throw outside(requested);
      }
      const [firstMissing] = missing;
      if (firstMissing === undefined) {
        file = await optional(this.pinner.file(folder.at(basename(path)), false));
      } else if (await optional(lstat(folder.at(firstMissing)))) {
        throw new HostError('outside', 'A link in the path leads nowhere.');
      }
      if (file?.stats.isSymbolicLink() === true) {
        if (!follow) {
          throw new HostError('moved', 'A link in the path was changed meanwhile.');
        }
        const target = await this.linkTarget(requested, folder.at(basename(path)));
        await Promise.all([file.close(), folder.close()]);
        return await this.pinTarget(requested, target, false);
      }
      const canonical = join(folder.canonical, ...missing, basename(path));
      const facts = file ? this.judge(requested, canonical, file.stats) : this.factsOf(requested, canonical, undefined);
      refuseGuarded(facts, requested);
      const guarded = await this.guardBareRepository(facts, folder, missing[0] ?? basename(path));
      return new WritePin({
        facts: guarded,
        folder,
        missing,
        base: basename(path),
        file,
        pinner: this.pinner,
        hooks: this.parts.hooks,
      });
    } catch (error) {
      await Promise.all([file?.close(), folder.close()]);
      throw error;
    }
  }

  private async linkTarget(requested: string, path: string): Promise<string> {
    const target = await optional(this.pinner.file(path, true));
    if (target === undefined) {
      throw new HostError('outside', 'The link leads nowhere.');
    }
    await target.close();
    if (rootOf(this.roots, target.canonical, flavour) === undefined) {
      throw outside(requested);
    }
    return target.canonical;
  }

  /** Pins the deepest folder above `path` that exists, and names those that do not. */
  private async pinParent(path: string): Promise<{ folder: FolderPin; missing: readonly string[] }> {
    const missing: string[] = [];
    for (let at = dirname(path); ; at = dirname(at)) {
      try {
        return { folder: await this.pinner.folder(at, true), missing };
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || at === dirname(at) || basename(at) === '..') {
          throw error;
        }
        missing.unshift(basename(at));
      }
    }
  }

  /**
   * In a bare repository every file can be a hook or a setting that Git runs, whatever its name. `added`: what the
   * write puts into the folder, which may be the last part that a repository lacks.
   */
  private async guardBareRepository(facts: PathFacts, folder: FolderPin, added: string): Promise<PathFacts> {
    const depth = split(folder.canonical, flavour).length - split(facts.root ?? '', flavour).length;
    for (let level = 0; facts.klass === 'ok' && level <= depth; level++) {
      if (await isBareRepository(folder, level, level === 0 ? fold(added) : undefined)) {
        return { ...facts, klass: 'sensitive', tier: 'without you', reasons: ['a file in a bare Git repository'] };
      }
    }
    return facts;
  }
}

function readPin(facts: PathFacts, pin: FilePin): ReadPin {
  return {
    facts,
    version: versionOf(pin.stats),
    read: async (window) => {
      try {
        const handle = await pin.open();
        try {
          return await readText(handle, (await handle.stat()).size, window);
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw toHostError(error, facts.requested);
      }
    },
    close: () => pin.close(),
  };
}

/** Whether a root is the home folder, lies above it, or is the top of a file system. */
function isWide(roots: readonly Root[], home: string | undefined): boolean {
  return roots.some(
    ({ canonical, declared }) =>
      dirname(canonical) === canonical ||
      (home !== undefined && [canonical, declared].some((root) => isInside(root, home, flavour))),
  );
}

/** What changes when a file does. */
export function versionOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}`;
}

async function isBareRepository(folder: FolderPin, level: number, added: string | undefined): Promise<boolean> {
  const parts = ['HEAD', 'objects', 'refs'].map(
    async (name) => added === fold(name) || (await optional(lstat(folder.above(level, name)))) !== undefined,
  );
  return (await Promise.all(parts)).every(Boolean);
}

/** The value, or undefined where there is no such file. */
async function optional<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
