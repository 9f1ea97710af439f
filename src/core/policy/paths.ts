/**
 * The front end of the jail: what can be told of a path from its spelling alone, before anything touches a disk. On
 * Windows that order matters, because merely opening a device or a network path has effects.
 */
import { limits } from '../text/limits.js';

export type PathFlavour = 'posix' | 'win32';

export type PathCheck =
  | { readonly ok: true; readonly path: string; readonly components: readonly string[] }
  | { readonly ok: false; readonly why: string };

const refuse = (why: string): PathCheck => ({ ok: false, why });

/**
 * Checks the spelling of a path that came from an agent: a string, well-formed, without NUL, within the bounds, and
 * absolute. `path` of the result is the same path without empty and `.` components; `..` stays, since its meaning is
 * the file system's (after a link it is not the textual parent). On Windows the drive letter is upper case and the
 * separators are backslashes. Refusals are for the agent and hold no more of the path than it sent.
 */
export function checkPath(path: unknown, flavour: PathFlavour): PathCheck {
  if (typeof path !== 'string' || path === '') {
    return refuse('A path must be a string that is not empty.');
  }
  if (!isWellFormed(path) || path.includes('\0')) {
    return refuse('The path holds characters that no path can hold.');
  }
  if (utf8Length(path) > limits.path) {
    return refuse(`The path is longer than ${limits.path} bytes.`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    return refuse('The path must be an absolute path, not a URI.');
  }
  const check = flavour === 'posix' ? checkPosix(path) : checkWindows(path);
  if (check.ok && check.components.some((component) => utf8Length(component) > limits.pathComponent)) {
    return refuse(`A name in the path is longer than ${limits.pathComponent} bytes.`);
  }
  return check;
}

function checkPosix(path: string): PathCheck {
  if (!path.startsWith('/')) {
    return refuse('The path must be absolute.');
  }
  const components = split(path, 'posix');
  return { ok: true, path: `/${components.join('/')}`, components };
}

const windowsAbsolute = /^[a-z]:[\\/]/i;
const windowsReserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

function checkWindows(path: string): PathCheck {
  // `\\server\share`, `\\?\…`, `\\.\…` and their spellings with slashes: opening one may send credentials or reach a
  // device.
  if (/^[\\/]{2}/.test(path)) {
    return refuse('Network and device paths are not served.');
  }
  if (!windowsAbsolute.test(path)) {
    return refuse('The path must be absolute, with a drive letter.');
  }
  const components = split(path.slice(3), 'win32');
  for (const component of components) {
    const why = windowsComponent(component);
    if (why) {
      return refuse(why);
    }
  }
  return { ok: true, path: `${path.slice(0, 1).toUpperCase()}:\\${components.join('\\')}`, components };
}

function windowsComponent(component: string): string | undefined {
  if (component === '..') {
    return undefined;
  }
  if (component.includes(':')) {
    return 'Alternate data streams are not served.';
  }
  if (/[<>"|?*\u0000-\u001f]/.test(component)) {
    return 'The path holds characters that no path can hold.';
  }
  if (/[. ]$/.test(component)) {
    return 'A name in the path ends with a dot or a space.';
  }
  const stem = component.split('.', 1)[0] ?? '';
  if (windowsReserved.test(stem.trimEnd())) {
    return 'The path names a device.';
  }
  if (/^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/.test(component)) {
    return 'Short 8.3 names are not served.';
  }
  return undefined;
}

/** The components of a path, without empty and `.` ones. */
export function split(path: string, flavour: PathFlavour): string[] {
  return path
    .split(flavour === 'posix' ? /\/+/ : /[\\/]+/)
    .filter((component) => component !== '' && component !== '.');
}

/** The path with every `..` taken as the textual parent: for a first test against the roots, never for opening. */
export function collapse(path: string, flavour: PathFlavour): string {
  const out: string[] = [];
  const drive = flavour === 'win32' && windowsAbsolute.test(path) ? path.slice(0, 2) : '';
  for (const component of split(path.slice(drive.length), flavour)) {
    if (component === '..') {
      out.pop();
    } else {
      out.push(component);
    }
  }
  return flavour === 'posix' ? `/${out.join('/')}` : `${drive.toUpperCase()}\\${out.join('\\')}`;
}

/** Whether `path` is `root` or lies below it, component by component: `/w/app-evil` is not inside `/w/app`. */
export function isInside(root: string, path: string, flavour: PathFlavour): boolean {
  return relativeTo(root, path, flavour) !== undefined;
}

/**
 * The components of `path` below `root`, empty where they are the same, undefined where it lies elsewhere. Neither
 * may hold `..`. Windows compares without case, as its file systems do.
 */
export function relativeTo(root: string, path: string, flavour: PathFlavour): readonly string[] | undefined {
  const above = split(root, flavour);
  const all = split(path, flavour);
  const same = (a: string, b: string | undefined): boolean =>
    b !== undefined && (a === b || (flavour === 'win32' && a.toLowerCase() === b.toLowerCase()));
  if (all.includes('..') || !above.every((component, index) => same(component, all[index]))) {
    return undefined;
  }
  return all.slice(above.length);
}

const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * One spelling for all names that some file system would take for the same: compatibility forms composed, ignorable
 * code points dropped, lower case, without an alternate stream, without trailing dots and spaces. For comparing with
 * the tables of `classify.ts`, never for opening.
 */
export function fold(component: string): string {
  return trimTail(foldLetters(component).split(':', 1)[0] ?? '');
}

/** As `fold`, with the colon and what follows kept: where colons are ordinary, `x:.env` is a name of its own. */
export function foldWhole(component: string): string {
  return trimTail(foldLetters(component));
}

function foldLetters(component: string): string {
  let out = component;
  // Lower case may leave a form that composes again, and composing may bring forth another ignorable.
  for (let round = 0; round < 3; round++) {
    out = out.normalize('NFKC').replace(ignorable, '').toLowerCase();
  }
  return out;
}

function trimTail(component: string): string {
  return component.replace(/[. ]+$/, '');
}

/** Whether a string has no half of a surrogate pair: only then it survives a trip through UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Length in UTF-8 bytes of a well-formed string. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
