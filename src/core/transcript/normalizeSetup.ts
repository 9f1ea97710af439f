/** What an agent offers: modes, options, commands, and the answers to a request for permission. */
import { limits } from '../text/limits.js';
import { fieldsOf, identifierOf, listOf, present, textOf, wordsOf } from './fields.js';
import type { ApprovalOption, ApprovalOptionKind, Command, ConfigChoice, ConfigOption, Mode, Modes } from './model.js';

/** A session's modes, or null where there are none that can be shown. */
export function normalizeModes(raw: unknown): Modes | null {
  const modes = fieldsOf(raw);
  const currentModeId = identifierOf(modes?.['currentModeId']);
  const availableModes = listOf(modes?.['availableModes'], limits.choices, normalizeMode);
  return currentModeId === undefined || availableModes === undefined ? null : { currentModeId, availableModes };
}

function normalizeMode(raw: unknown): Mode | undefined {
  const mode = fieldsOf(raw);
  const id = identifierOf(mode?.['id']);
  return id === undefined
    ? undefined
    : present({ id, name: wordsOf(mode?.['name']) ?? id, description: wordsOf(mode?.['description']) });
}

/** The complete list of a session's options, in the agent's order. Options of an unknown type are left out. */
export function normalizeOptions(raw: unknown): ConfigOption[] {
  return listOf(raw, limits.configOptions, normalizeOption) ?? [];
}

function normalizeOption(raw: unknown): ConfigOption | undefined {
  const option = fieldsOf(raw);
  const id = identifierOf(option?.['id']);
  if (option === undefined || id === undefined) {
    return undefined;
  }
  const base = present({
    id,
    name: wordsOf(option['name']) ?? id,
    description: wordsOf(option['description']),
    category: wordsOf(option['category'], limits.word),
  });
  const value = option['currentValue'];
  if (option['type'] === 'boolean') {
    return typeof value === 'boolean' ? { ...base, type: 'boolean', value } : undefined;
  }
  if (option['type'] === 'select' && typeof value === 'string' && value.length <= limits.identifier) {
    return { ...base, type: 'select', value, choices: normalizeChoices(option['options']) };
  }
  return undefined;
}

/** Groups are flattened: each choice carries the name of its group. */
function normalizeChoices(raw: unknown): ConfigChoice[] {
  const groups = listOf(raw, limits.choices, (item): ConfigChoice[] | undefined => {
    const members = fieldsOf(item)?.['options'];
    if (members !== undefined) {
      const group = wordsOf(fieldsOf(item)?.['name']) ?? wordsOf(fieldsOf(item)?.['group']);
      return listOf(members, limits.choices, (member) => normalizeChoice(member, group));
    }
    const choice = normalizeChoice(item, undefined);
    return choice === undefined ? undefined : [choice];
  });
  return (groups ?? []).flat().slice(0, limits.choices);
}

function normalizeChoice(raw: unknown, group: string | undefined): ConfigChoice | undefined {
  const choice = fieldsOf(raw);
  const value = textOf(choice?.['value'], limits.identifier + 1);
  // An empty value is a value; one that is too long is refused, because a shortened one would be another.
  return value === undefined || value.length > limits.identifier
    ? undefined
    : present({
        value,
        name: wordsOf(choice?.['name']) ?? value,
        description: wordsOf(choice?.['description']),
        group,
      });
}

/** One command of the agent's list, or undefined where it has no name. */
export function normalizeCommand(raw: unknown): Command | undefined {
  const command = fieldsOf(raw);
  const name = identifierOf(command?.['name']);
  return name === undefined
    ? undefined
    : present({
        name,
        description: textOf(command?.['description'], limits.title) ?? '',
        hint: wordsOf(fieldsOf(command?.['input'])?.['hint']),
      });
}

export type PermissionOptions = {
  readonly options: readonly ApprovalOption[];
  /** False: no answer but `cancelled` may be given. */
  readonly valid: boolean;
  /** Why it is not valid, for the log and the card. */
  readonly why?: string;
};

/**
 * The answers that an agent offers. Kinds that are not known become `unknown`, which nothing chooses by itself. A list
 * that is empty, too long, or names one id twice is not valid: an answer by id would not say what was meant.
 */
export function normalizePermissionOptions(raw: unknown): PermissionOptions {
  if (!Array.isArray(raw)) {
    return { options: [], valid: false, why: 'The request has no list of options.' };
  }
  const options = listOf(raw, limits.permissionOptions, normalizePermissionOption) ?? [];
  const invalid = (why: string): PermissionOptions => ({ options, valid: false, why });
  if (raw.length > limits.permissionOptions) {
    return invalid(`The request offers ${raw.length} options; at most ${limits.permissionOptions} are accepted.`);
  }
  if (options.length === 0) {
    return invalid('The request offers no usable option.');
  }
  if (new Set(options.map((option) => option.optionId)).size < options.length) {
    return invalid('The request offers two options with the same id.');
  }
  return { options, valid: true };
}

const optionKinds: readonly unknown[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

function normalizePermissionOption(raw: unknown): ApprovalOption | undefined {
  const option = fieldsOf(raw);
  const optionId = identifierOf(option?.['optionId']);
  if (optionId === undefined) {
    return undefined;
  }
  const kind = optionKinds.includes(option?.['kind']) ? (option?.['kind'] as ApprovalOptionKind) : 'unknown';
  return { optionId, name: wordsOf(option?.['name']) ?? optionId, kind };
}
