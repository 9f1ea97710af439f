import type { Command } from '../../core/transcript/model.js';

/** A piece of a command's name; the parts that match what was typed are bold. */
export type Piece = { readonly text: string; readonly match: boolean };
export type Found = { readonly command: Command; readonly name: string; readonly pieces: readonly Piece[] };

const most = 12;

/** The letters after a slash at the very start, while no space was typed; null when no command is being written. */
export function slashQuery(text: string): string | null {
  return /^\/([^\s/]*)$/.exec(text)?.[1] ?? null;
}

/** Some agents put the slash into the name. */
export function commandName(command: Command): string {
  return command.name.replace(/^\/+/, '');
}

/** Commands that contain the letters in order; those that begin with them come first. */
export function findCommands(commands: readonly Command[], query: string): readonly Found[] {
  const lower = query.toLowerCase();
  const found = commands.flatMap((command) => {
    const name = commandName(command);
    const pieces = match(name, lower);
    return pieces === null ? [] : [{ command, name, pieces }];
  });
  const rank = ({ name }: Found): number => {
    const at = name.toLowerCase().indexOf(lower);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, most);
}

function match(name: string, query: string): Piece[] | null {
  const lower = name.toLowerCase();
  const whole = lower.indexOf(query);
  if (whole >= 0) {
    return pieces(
      name,
      Array.from({ length: query.length }, (_, i) => whole + i),
    );
  }
  const places: number[] = [];
  let at = 0;
  for (const letter of query) {
    const place = lower.indexOf(letter, at);
    if (place < 0) {
      return null;
    }
    places.push(place);
    at = place + 1;
  }
  return pieces(name, places);
}

function pieces(name: string, places: readonly number[]): Piece[] {
  const marked = new Set(places);
  const out: { text: string; match: boolean }[] = [];
  for (let i = 0; i < name.length; i++) {
    const last = out.at(-1);
    if (last?.match === marked.has(i)) {
      last.text += name.charAt(i);
    } else {
      out.push({ text: name.charAt(i), match: marked.has(i) });
    }
  }
  return out;
}
