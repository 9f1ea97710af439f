import { deepEqual } from 'node:assert/strict';
import { claimedFacts } from '../../src/agent/claimedFacts.js';
import { findTool, type ApprovalVerb } from '../../src/core/transcript/model.js';
import { normalizeUpdate } from '../../src/core/transcript/normalize.js';
import { fold } from './core/events.js';

function facts(verb: ApprovalVerb, title: string, rawInput?: unknown): unknown {
  const events = normalizeUpdate({ sessionUpdate: 'tool_call', toolCallId: 't', title, rawInput }, 1);
  const entry = findTool(fold(events), 't');
  return entry && claimedFacts(verb, entry, () => undefined).map(({ name, value }) => `${name}: ${value}`);
}

describe('4.4 what a card says of a call that is neither file nor command', () => {
  it('the host of a fetch as machines read it, and the whole address', () => {
    deepEqual(facts('fetch', 'Fetch', { url: 'https://user@exаmple.com:8080/a?b=c' }), [
      'Host: xn--exmple-4nf.com:8080',
      'Address: https://user@exаmple.com:8080/a?b=c',
      'Input: {\n  "url": "https://user@exаmple.com:8080/a?b=c"\n}',
    ]);
    deepEqual(facts('fetch', 'Fetch https://docs.example/x now'), [
      'Host: docs.example',
      'Address: https://docs.example/x',
    ]);
    deepEqual(facts('fetch', 'Fetch', { uri: 'no address' }), [
      'Address: no address',
      'Input: {\n  "uri": "no address"\n}',
    ]);
    deepEqual(facts('fetch', 'Search the web'), []);
  });

  it('the server and the tool of MCP, however they are named, and the input', () => {
    deepEqual(facts('other', 'mcp__db_tools__drop_table', { table: 'users' }), [
      'MCP server: db_tools',
      'Tool: drop_table',
      'Input: {\n  "table": "users"\n}',
    ]);
    deepEqual(facts('other', 'Call a tool', { server: 'db', tool: 'drop', arguments: {} }), [
      'MCP server: db',
      'Tool: drop',
      'Input: {\n  "server": "db",\n  "tool": "drop",\n  "arguments": {}\n}',
    ]);
    deepEqual(facts('other', 'Think', {}), []);
  });

  it('nothing of it for files and commands, which have their own', () => {
    deepEqual(facts('edit', 'Edit', { url: 'https://x.example' }), []);
    deepEqual(facts('execute', 'Run', { command: 'curl https://x.example' }), []);
  });
});
