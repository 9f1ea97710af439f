import { access, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import type { Turn } from './turn.js';

/** A file's text, or null where there is no such file. */
type Text = string | null;

/** One edit: the whole text before and after. */
export type Edit = { readonly path: string; readonly name: string; readonly oldText: Text; readonly newText: string };

const READMES = ['README.md', 'readme.md', 'Readme.md'];
const SOURCES = ['src/index.ts', 'src/main.ts', 'index.ts', 'index.js', 'main.py'];
const SOURCE_ENDINGS = ['.ts', '.tsx', '.js', '.mjs', '.py', '.rs', '.go', '.md', '.txt'];
const HEADING = '## Notes from the demo agent';
const RESOURCE_NOT_FOUND = -32002;

/** The file to look at, relative to the folder: the README, else some source file, else none. */
export async function fileToRead(cwd: string): Promise<string | undefined> {
  const known = await firstThatExists(cwd, [...READMES, ...SOURCES]);
  return known ?? (await namesIn(cwd)).find((name) => SOURCE_ENDINGS.includes(extname(name)));
}

/** The file to edit: the README, else notes.md, which may not exist yet. */
async function fileToEdit(cwd: string): Promise<string> {
  return (await firstThatExists(cwd, READMES)) ?? 'notes.md';
}

async function firstThatExists(cwd: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    try {
      await access(join(cwd, name));
      return name;
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

async function namesIn(cwd: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(cwd, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** Reads through the editor where it serves reads (unsaved text counts), else from disk. */
export async function readText(turn: Turn, path: string): Promise<Text> {
  if (turn.can.fs?.readTextFile !== true) {
    return readFile(path, 'utf8').catch(() => null);
  }
  try {
    const answer = await turn.until(turn.client.request('fs/read_text_file', { sessionId: turn.session.id, path }));
    return answer.content;
  } catch (error) {
    if (error instanceof RequestError && error.code === RESOURCE_NOT_FOUND) {
      return null;
    }
    throw error;
  }
}

/** The edit that the demo suggests: one more line in the notes at the end of the file. */
export async function suggestEdit(turn: Turn): Promise<Edit> {
  const name = await fileToEdit(turn.session.cwd);
  const path = join(turn.session.cwd, name);
  const oldText = await readText(turn, path);
  return { path, name, oldText, newText: withNote(oldText) };
}

/** The text with one more note. Keeps the file's line ends. */
function withNote(oldText: Text): string {
  const eol = oldText?.includes('\r\n') === true ? '\r\n' : '\n';
  const text = oldText ?? '';
  const body = text === '' || text.endsWith('\n') ? text : text + eol;
  if (!body.includes(HEADING)) {
    const gap = body === '' ? '' : eol;
    return `${body}${gap}${HEADING}${eol}${eol}- First visit: ${size(text)}.${eol}`;
  }
  const visits = body.split(HEADING)[1]?.match(/^- /gm)?.length ?? 0;
  return `${body}- Visit ${visits + 1}: ${size(text)}.${eol}`;
}

/** How long a text is, in words for a sentence. */
export function size(text: string): string {
  const lines = text === '' ? 0 : text.replace(/\r?\n$/, '').split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}
