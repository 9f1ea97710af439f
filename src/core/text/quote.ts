import { cut } from './limits.js';

/** One printable line of a text that somebody else wrote, at most `max` characters. */
export function plainLine(text: string, max = 200): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length > max ? `${cut(line, max - 1)}…` : line;
}

/** The same between quotation marks, without the end of its sentence, which would end ours. */
export function quoted(text: string, max = 200): string {
  return `“${plainLine(text, max).replace(/[.。!?]+$/u, '')}”`;
}
