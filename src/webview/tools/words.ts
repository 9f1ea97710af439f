import { splitPath } from '../format.js';
import type { ToolEntry, ToolKind } from '../../core/transcript/model.js';

type Verb = { readonly base: string; readonly past: string; readonly doing: string };
const verbs: Readonly<Partial<Record<ToolKind, Verb>>> = {
  read: { base: 'Read', past: 'Read', doing: 'Reading' },
  edit: { base: 'Edit', past: 'Edited', doing: 'Editing' },
  delete: { base: 'Delete', past: 'Deleted', doing: 'Deleting' },
  move: { base: 'Move', past: 'Moved', doing: 'Moving' },
  search: { base: 'Search', past: 'Searched', doing: 'Searching' },
  fetch: { base: 'Fetch', past: 'Fetched', doing: 'Fetching' },
};

export type ToolWords = { readonly verb: string; readonly object: string };

/** A call as verb and object, in our words where the kind is known and the agent's title otherwise. */
export function toolWords(entry: ToolEntry, folder: string | undefined): ToolWords {
  const title = entry.title === '' ? (entry.name ?? '') : entry.title;
  const verb = verbs[entry.toolKind];
  if (verb === undefined) {
    return { verb: title === '' ? 'Tool call' : title, object: '' };
  }
  const word = entry.status === 'completed' ? verb.past : verb.base;
  const location = entry.locations[0];
  if (
    location !== undefined &&
    (entry.toolKind === 'read' || entry.toolKind === 'edit') &&
    entry.locations.length === 1
  ) {
    const line = location.line === undefined ? '' : `:${location.line}`;
    return { verb: word, object: `${relativePath(location.path, folder)}${line}` };
  }
  return { verb: word, object: withoutVerb(title, verb) };
}

/** What the state line says while a call runs. */
export function doingWords(entry: ToolEntry, folder: string | undefined): string {
  if (entry.toolKind === 'execute') {
    return `Running ${commandOf(entry)}`;
  }
  const verb = verbs[entry.toolKind];
  const { object, verb: title } = toolWords(entry, folder);
  return verb === undefined ? title : `${verb.doing} ${splitPath(object).name}`.trim();
}

/** The command line of an `execute` call; agents put it into the title, often between backticks. */
export function commandOf(entry: ToolEntry): string {
  const title = entry.title === '' ? (entry.name ?? 'command') : entry.title;
  return /^`[^`]+`$/.test(title) ? title.slice(1, -1) : title;
}

/** The path as it reads inside the folder. The tooltip shows it in full. */
export function relativePath(path: string, folder: string | undefined): string {
  if (folder === undefined || !/^([/\\]|[a-zA-Z]:)/.test(path)) {
    return path;
  }
  const parts = path.split(/[/\\]/);
  const at = parts.indexOf(folder);
  return at < 0 || at === parts.length - 1 ? path : parts.slice(at + 1).join('/');
}

function withoutVerb(title: string, verb: Verb): string {
  const first = /^\S+/.exec(title)?.[0] ?? '';
  const known = [verb.base, verb.past, verb.doing].some((word) => word.toLowerCase() === first.toLowerCase());
  const rest = known ? title.slice(first.length).replace(/^\s*(?:file:?\s+)?/i, '') : title;
  return /^`[^`]+`$/.test(rest) ? rest.slice(1, -1) : rest;
}
