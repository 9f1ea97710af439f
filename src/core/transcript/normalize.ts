/**
 * From the wire to facts. Every published agent deviates somewhere (order, missing fields, extensions), so this reads
 * what it can and leaves out the rest; an update is never a reason to fail a turn. Everything is bounded here.
 */
import { limits } from '../text/limits.js';
import { agentTerminalOf } from './agentTerminals.js';
import type { PlanInput, SessionEvent, ToolPatch } from './events.js';
import { fieldsOf, identifierOf, listOf, pathOf, present, textOf, wordsOf } from './fields.js';
import type { Fields } from './fields.js';
import { toolKinds } from './model.js';
import type { Location, Notice, ToolKind, ToolStatus, Usage } from './model.js';
import { normalizeContent, normalizeToolContent } from './normalizeContent.js';
import { normalizeCommand, normalizeOptions } from './normalizeSetup.js';

/**
 * The facts in one `session/update` (its `update` field), by protocol version 1. Total: a kind of update that is not
 * known, or one that lacks what it needs, gives no fact.
 *
 * @param at epoch milliseconds, the time of arrival
 */
export function normalizeUpdate(update: unknown, at: number): readonly SessionEvent[] {
  const fields = fieldsOf(update);
  if (fields === undefined) {
    return [];
  }
  const { sessionUpdate } = fields;
  const isCall = sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
  return [eventOf(fields, at), isCall ? agentTerminalOf(fields, at) : undefined].filter((event) => event !== undefined);
}

function eventOf(update: Fields, at: number): SessionEvent | undefined {
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return chunkOf(update, 'assistant', at);
    case 'agent_thought_chunk':
      return chunkOf(update, 'thought', at);
    case 'user_message_chunk':
      return chunkOf(update, 'user', at);
    case 'tool_call':
    case 'tool_call_update': {
      const patch = normalizeToolCall(update);
      return patch === null ? undefined : { type: 'toolChanged', at, patch };
    }
    case 'plan': {
      const entries = listOf(update['entries'], limits.planEntries, planInputOf);
      return entries && { type: 'planChanged', at, entries };
    }
    case 'available_commands_update': {
      const commands = listOf(update['availableCommands'], limits.commands, normalizeCommand);
      return commands && { type: 'commandsChanged', at, commands };
    }
    case 'current_mode_update': {
      // A published example says `modeId`, and agents copied it.
      const modeId = identifierOf(update['currentModeId']) ?? identifierOf(update['modeId']);
      return modeId === undefined ? undefined : { type: 'modeChanged', at, modeId };
    }
    case 'config_option_update':
      return Array.isArray(update['configOptions'])
        ? { type: 'optionsChanged', at, options: normalizeOptions(update['configOptions']) }
        : undefined;
    case 'session_info_update': {
      const title = update['title'] === null ? null : textOf(update['title'], limits.title);
      return title === undefined ? undefined : { type: 'titleChanged', at, title };
    }
    case 'usage_update': {
      const usage = usageOf(update);
      return usage && { type: 'usageChanged', at, usage };
    }
    case 'notice': {
      const notice = noticeOf(update);
      return notice && { type: 'noticeShown', at, notice };
    }
    default:
      return undefined;
  }
}

function chunkOf(update: Fields, role: 'assistant' | 'thought' | 'user', at: number): SessionEvent | undefined {
  const content = normalizeContent(update['content']);
  if (content === undefined || (content.type === 'text' && content.text === '')) {
    return undefined;
  }
  return present({ type: 'messageChunk' as const, at, role, content, messageId: identifierOf(update['messageId']) });
}

/**
 * A tool call as a change of it: `tool_call`, `tool_call_update` and the `toolCall` of a request for permission are one
 * upsert. Absent and null fields are unchanged. null where there is no usable id.
 */
export function normalizeToolCall(raw: unknown): ToolPatch | null {
  const call = fieldsOf(raw);
  const toolCallId = identifierOf(call?.['toolCallId']);
  if (call === undefined || toolCallId === undefined) {
    return null;
  }
  const content = listOf(call['content'], limits.contentItems, normalizeToolContent);
  const locations = listOf(call['locations'], limits.locations, locationOf);
  const isPartial = lacks(content, call['content']) || lacks(locations, call['locations']);
  return present({
    toolCallId,
    title: wordsOf(call['title']),
    name: wordsOf(call['name']),
    toolKind: kindOf(call),
    status: statusOf(call['status']),
    content,
    locations,
    isPartial: isPartial ? true : undefined,
    rawInput: jsonOf(call['rawInput']),
    rawOutput: jsonOf(call['rawOutput']),
  });
}

function lacks(kept: readonly unknown[] | undefined, sent: unknown): boolean {
  return Array.isArray(sent) && kept?.length !== sent.length;
}

function kindOf(call: Fields): ToolKind | undefined {
  const { kind } = call;
  const known = toolKinds.find((candidate) => candidate === kind);
  // Only an announcement says what a call is: an unknown word in an update must not undo a known kind.
  return known ?? (typeof kind === 'string' && call['sessionUpdate'] === 'tool_call' ? 'other' : undefined);
}

function statusOf(status: unknown): ToolStatus | undefined {
  switch (status) {
    case 'pending':
    case 'in_progress':
    case 'completed':
    case 'failed':
      return status;
    case 'cancelled':
    case 'canceled':
      return 'cancelled';
    default:
      return undefined;
  }
}

function locationOf(raw: unknown): Location | undefined {
  const location = fieldsOf(raw);
  const path = pathOf(location?.['path']);
  const line = location?.['line'];
  return path === undefined
    ? undefined
    : present({ path, line: Number.isSafeInteger(line) ? Math.max(1, line as number) : undefined });
}

/**
 * JSON for people: indented where that stays small, since indentation makes megabytes of a few kB that are nested deep.
 * What is nested too deep for the engine is said in words, so that it never counts as nothing; undefined for null.
 */
function jsonOf(value: unknown): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  try {
    const compact = JSON.stringify(value) as string | undefined;
    if (compact === undefined) {
      return undefined;
    }
    const isSmall = compact.length <= mostIndented && isShallow(value, deepestIndented);
    return textOf(isSmall ? JSON.stringify(value, null, 2) : compact, limits.turnText);
  } catch {
    return '(nested too deep to be shown)';
  }
}

const mostIndented = 256 * 1024;
const deepestIndented = 32;

function isShallow(value: unknown, levels: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1)))
  );
}

function planInputOf(raw: unknown): PlanInput | undefined {
  const entry = fieldsOf(raw);
  const content = wordsOf(entry?.['content']);
  return content === undefined
    ? undefined
    : {
        content,
        priority: wordsOf(entry?.['priority'], limits.word) ?? 'medium',
        status: wordsOf(entry?.['status'], limits.word) ?? 'pending',
      };
}

function usageOf(update: Fields): Usage | undefined {
  const cost = fieldsOf(update['cost']);
  const amount = amountOf(cost?.['amount']);
  const currency = wordsOf(cost?.['currency'], limits.word);
  const usage = present({
    used: amountOf(update['used']),
    size: amountOf(update['size']),
    cost: amount === undefined || currency === undefined ? undefined : { amount, currency },
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function amountOf(value: unknown): number | undefined {
  // abs: JSON has no -0, and a log must give back what was folded.
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.abs(value) : undefined;
}

function noticeOf(update: Fields): Notice | undefined {
  const what = wordsOf(update['title']);
  const { severity } = update;
  return what === undefined
    ? undefined
    : {
        code: 'agent',
        severity: severity === 'warning' || severity === 'error' ? severity : 'info',
        what,
        why: textOf(update['description'], limits.title) ?? '',
        actions: [],
      };
}
