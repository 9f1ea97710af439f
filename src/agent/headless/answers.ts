/** Who answers questions in a run without a person: a fixed decision, a file of rules, or the script. */
import { readFileSync } from 'node:fs';
import type { Approval } from '../../core/transcript/model.js';
import { isRecord } from '../wire/framing.js';
import { UsageError } from './options.js';

export const decisions = ['allow_once', 'reject_once', 'cancel'] as const;
export type ScriptedDecision = (typeof decisions)[number];
export type Answers = (approval: Approval) => ScriptedDecision | undefined;

type Rule = {
  readonly path?: string;
  readonly command?: string;
  readonly toolCallId?: string;
  readonly decision: ScriptedDecision;
};

/** `undefined` is answered where nothing matches: the caller then denies. Throws UsageError for a bad file. */
export function loadAnswers(source: string | undefined): Answers | undefined {
  if (source === undefined) {
    return undefined;
  }
  const fixed = decisions.find((decision) => decision === source);
  if (fixed !== undefined) {
    return () => fixed;
  }
  const rules = readLines(source, 'answers').map((line, index) => parseRule(line, index));
  return (approval) => rules.find((rule) => matches(rule, approval))?.decision;
}

/** The non-empty lines of a file, each parsed as JSON. */
export function readLines(file: string, what: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`Cannot read the ${what} file: ${file}`);
  }
  return text
    .split('\n')
    .filter((line) => line.trim().length > 0)
    .map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        throw new UsageError(`Line ${String(index + 1)} of the ${what} file is no JSON.`);
      }
    });
}

function parseRule(value: unknown, index: number): Rule {
  const decision = isRecord(value) ? decisions.find((known) => known === value['decision']) : undefined;
  if (!isRecord(value) || decision === undefined) {
    throw new UsageError(`Line ${String(index + 1)} of the answers file has no decision of ${decisions.join(', ')}.`);
  }
  const match = value['match'] ?? {};
  if (!isRecord(match) || Object.entries(match).some(([key, wanted]) => !isKey(key) || typeof wanted !== 'string')) {
    // A rule with a mistyped condition would match everything.
    throw new UsageError(`Line ${String(index + 1)} of the answers file may match path, command and toolCallId only.`);
  }
  return { decision, ...text(match, 'path'), ...text(match, 'command'), ...text(match, 'toolCallId') };
}

function isKey(key: string): boolean {
  return key === 'path' || key === 'command' || key === 'toolCallId';
}

function text(match: Record<string, unknown>, key: 'path' | 'command' | 'toolCallId'): Partial<Rule> {
  const value = match[key];
  return typeof value === 'string' ? { [key]: value } : {};
}

function matches(rule: Rule, approval: Approval): boolean {
  return (
    (rule.path === undefined ||
      approval.paths.some((path) => path === rule.path || path.endsWith(`/${rule.path ?? ''}`))) &&
    (rule.command === undefined || approval.command === rule.command) &&
    (rule.toolCallId === undefined || approval.toolCallId === rule.toolCallId)
  );
}
