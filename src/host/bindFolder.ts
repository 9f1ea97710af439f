/** The folder an agent works in, and the other folders of the window. Paths as the window declares them. */
export type BoundFolder = { readonly name: string; readonly path: string; readonly more: readonly string[] };

/** What is needed of a workspace folder of VS Code. */
export type AnyFolder = {
  readonly name: string;
  readonly uri: { readonly scheme: string; readonly fsPath: string };
};

/**
 * Folders on the disk of the machine on which this runs. A remote folder is one of these where it is remote: the
 * extension runs there. A virtual one (`vscode-vfs:`) has no path that a program could open.
 */
export function diskFolders<F extends AnyFolder>(folders: readonly F[]): readonly F[] {
  return folders.filter(({ uri }) => uri.scheme === 'file');
}

/** The folder with this path, else the first one, else null. */
export function bindAmong(folders: readonly AnyFolder[], preferred?: string): BoundFolder | null {
  const usable = diskFolders(folders);
  const folder = usable.find(({ uri }) => uri.fsPath === preferred) ?? usable[0];
  if (folder === undefined) {
    return null;
  }
  const more = usable.filter((other) => other !== folder).map(({ uri }) => uri.fsPath);
  return { name: folder.name, path: folder.uri.fsPath, more };
}
