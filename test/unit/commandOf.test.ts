import { equal } from 'node:assert/strict';
import { readInput } from '../../src/agent/commandOf.js';
import { findTool } from '../../src/core/transcript/model.js';
import { normalizeUpdate } from '../../src/core/transcript/normalize.js';
import { fold } from './core/events.js';

describe('the input of a call', () => {
  const unread = (rawInput: unknown): boolean => {
    const events = normalizeUpdate({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', rawInput }, 1);
    const entry = findTool(fold(events), 't');
    const { text, value } = entry === undefined ? { text: undefined, value: 0 } : readInput(entry, () => undefined);
    return text !== undefined && value === undefined;
  };

  it('counts as unread where it is nested too deep or was cut, since it may hold a command', () => {
    const deep: unknown = JSON.parse(`{"command":"rm x","pad":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    equal(unread({ a: 1 }), false);
    equal(unread(undefined), false);
    equal(unread(deep), true);
    equal(unread({ pad: 'x'.repeat(6_000_000), command: 'rm x' }), true);
  });
});
