/** What a call that is neither a file nor a command would do, taken out of what the agent says of it. */
import type { ApprovalFact, ApprovalVerb, ToolEntry } from '../core/transcript/model.js';
import { cut, limits } from '../core/text/limits.js';
import { readInput } from './commandOf.js';
import { isRecord } from './wire/framing.js';

/**
 * Facts for the card of a request: the host and the whole address of a fetch, the server and the tool of MCP, and the
 * input itself. All of it is the agent's word, so that the input stands there too.
 */
export function claimedFacts(
  verb: ApprovalVerb,
  entry: ToolEntry,
  bodyText: (bodyId: string) => string | undefined,
): readonly ApprovalFact[] {
  if (verb !== 'fetch' && verb !== 'other') {
    return [];
  }
  const { text, value } = readInput(entry, bodyText);
  const input = text === undefined || text === '{}' ? [] : [{ name: 'Input', value: cut(text, limits.bodyPreview) }];
  return [...addressOf(entry.title, value, verb), ...toolOf(entry.title, value), ...input];
}

function addressOf(title: string, input: unknown, verb: ApprovalVerb): readonly ApprovalFact[] {
  const named = isRecord(input) ? [input['url'], input['uri'], input['href'], input['urls']].flat() : [];
  const inTitle = verb === 'fetch' ? (/https?:\/\/[^\s"'<>)]+/i.exec(title) ?? []) : [];
  const given = [...named, ...inTitle].find((text): text is string => typeof text === 'string' && text !== '');
  if (given === undefined) {
    return [];
  }
  const address = { name: 'Address', value: cut(given, limits.bodyPreview) };
  // Letters of other alphabets come out as `xn--…`, so that no name looks like another.
  return URL.canParse(given) ? [{ name: 'Host', value: new URL(given).host }, address] : [address];
}

/** `mcp__server__tool` is the name that several agents give a tool of MCP; Codex says both in its input. */
function toolOf(title: string, input: unknown): readonly ApprovalFact[] {
  const named = /\bmcp__([^\s]+?)__([^\s(]+)/.exec(title);
  const [server, tool] =
    named === null ? (isRecord(input) ? [input['server'], input['tool']] : []) : [named[1], named[2]];
  return typeof server === 'string' && typeof tool === 'string'
    ? [
        { name: 'MCP server', value: cut(server, limits.title) },
        { name: 'Tool', value: cut(tool, limits.title) },
      ]
    : [];
}
