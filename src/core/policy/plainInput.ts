/**
 * Whether the input of an agent's own tool says no more than which files it reads, searches or edits. Everything that
 * is not known to be harmless counts as more, because agents name the fields as they like: a command may stand in any.
 */

export type PlainInput = {
  /** False: a person has to look at it. */
  readonly isPlain: boolean;
  /** What it names as a file or folder, as sent. */
  readonly paths: readonly string[];
};

/** Names of fields, in lower case and without separators. */
const pathFields: ReadonlySet<string> = new Set([
  ...['path', 'paths', 'file', 'files', 'filename', 'filepath', 'filepaths', 'abspath', 'absolutepath', 'relativepath'],
  ...['relpath', 'target', 'targetfile', 'targetpath', 'notebookpath', 'dir', 'directory', 'dirpath', 'dirname'],
  ...['folder', 'absolutefilepath', 'relativeworkspacepath', 'uri', 'parentdir'],
]);
/** What is looked for, and remarks. Some of them are patterns of paths. */
const queryFields: ReadonlySet<string> = new Set([
  ...['pattern', 'patterns', 'query', 'regex', 'regexp', 'glob', 'globs', 'include', 'includes', 'exclude', 'excludes'],
  ...['filepattern', 'includepattern', 'excludepattern', 'globpattern', 'searchterm', 'keyword', 'type', 'outputmode'],
  ...['description', 'explanation', 'reason', 'encoding', 'language'],
]);
/** The text of an edit. */
const textFields: ReadonlySet<string> = new Set([
  ...['content', 'contents', 'text', 'filetext', 'newcontent', 'oldstring', 'newstring', 'oldtext', 'newtext'],
  ...['oldstr', 'newstr', 'original', 'replacement', 'search', 'replace', 'diff', 'codeedit'],
]);

/** `null`, an absent input and one without fields are plain: they name nothing. */
export function readPlainInput(input: unknown, act: 'look' | 'edit'): PlainInput {
  if (input === undefined || input === null) {
    return { isPlain: true, paths: [] };
  }
  if (typeof input !== 'object' || Array.isArray(input)) {
    return { isPlain: false, paths: [] };
  }
  const paths: string[] = [];
  let isPlain = true;
  for (const [name, value] of Object.entries(input)) {
    const field = name.toLowerCase().replace(/[_-]/g, '');
    const texts = textsOf(value);
    if (texts === undefined) {
      isPlain = false;
    } else if (pathFields.has(field)) {
      paths.push(...texts);
      isPlain &&= texts.every((text) => !expands(text));
    } else if (queryFields.has(field)) {
      isPlain &&= texts.every((text) => !leads(text));
    } else if (act !== 'edit' || !textFields.has(field)) {
      isPlain &&= texts.every((text) => text === '');
    }
  }
  return { isPlain, paths: paths.filter((path) => path !== '') };
}

/** The strings of a value; undefined where it is neither flat nor a list of flat values. */
function textsOf(value: unknown): readonly string[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.some((item) => typeof item === 'object' && item !== null)
    ? undefined
    : items.filter((item) => typeof item === 'string');
}

/** A path that means another one once a shell or the tool itself has read it. */
function expands(path: string): boolean {
  return /^~|[$`%*?\n\r]|^(?!file:)[a-z][a-z0-9+.-]+:/i.test(path);
}

/** A pattern that leads out of the folder, or an address. */
function leads(text: string): boolean {
  return /^\s*(?:[/~\\]|[a-z]:[\\/])|(?:^|[\\/{,])\.\.(?:$|[\\/},])|:\/\/|`|\$[({\w]/i.test(text);
}
