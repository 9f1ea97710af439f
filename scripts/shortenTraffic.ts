/**
 * Makes a fixture of a recording: `node --import=tsx scripts/shortenTraffic.ts FROM TO`. Lists of commands and options
 * and long texts are shortened, stderr is left out; messages, their order and their fields stay.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseTraffic } from '../src/agent/wire/traffic.js';

const LIST = 3;
const TEXT = 120;
/** Keys whose lists and texts say nothing about behaviour. */
const lists = new Set(['availableCommands', 'options', 'configOptions', 'availableModels', 'availableModes']);
const texts = new Set(['description', 'availableSkillDetails', 'detail', 'instructions']);

function shorten(value: unknown, key: string, inChunk: boolean): unknown {
  if (typeof value === 'string') {
    const max = texts.has(key) ? 20 : inChunk ? Infinity : TEXT;
    return value.length > max ? `${value.slice(0, max)}…` : value;
  }
  if (Array.isArray(value)) {
    // The options of a request for permission are what it is about.
    const short = lists.has(key) && !(key === 'options' && hasKinds(value)) ? value.slice(0, LIST) : value;
    return short.map((item: unknown) => shorten(item, '', inChunk));
  }
  if (typeof value === 'object' && value !== null) {
    const chunk = inChunk || /_chunk$/.test(String((value as Record<string, unknown>)['sessionUpdate']));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, name, chunk)]));
  }
  return value;
}

function hasKinds(options: readonly unknown[]): boolean {
  return options.some((option) => typeof option === 'object' && option !== null && 'kind' in option);
}

const [from = '', to = ''] = process.argv.slice(2);
const lines = parseTraffic(readFileSync(from, 'utf8')).filter(({ dir }) => dir !== 'stderr');
writeFileSync(to, lines.map((line) => `${JSON.stringify(shorten(line, '', false))}\n`).join(''));
