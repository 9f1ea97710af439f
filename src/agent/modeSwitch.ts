/** A request to change the mode: which mode each of its answers leads to, as far as the request says. */
import { cut, limits } from '../core/text/limits.js';
import type { ApprovalOption, Mode, Transcript } from '../core/transcript/model.js';
import { modeControl, saysItAsksNothing } from '../core/transcript/modes.js';

/**
 * The modes that the allowing answers lead to, in the order of the options, each once. An answer names a mode where its
 * id is the mode's, ends with it (`exit-plan-default`), or where its words hold the mode's name.
 */
export function switchTargets(options: readonly ApprovalOption[], transcript: Transcript): readonly Mode[] {
  const choices = modeControl(transcript)?.choices ?? [];
  const targets = options
    .filter(({ kind }) => kind === 'allow_once' || kind === 'allow_always')
    .flatMap((option) => targetOf(option, choices) ?? []);
  return [...new Set(targets)];
}

/** The question, where exactly one mode is meant by the plain answer. */
export function switchQuestion(options: readonly ApprovalOption[], transcript: Transcript): string | undefined {
  const once = options.filter(({ kind }) => kind === 'allow_once');
  const [target] = switchTargets(once.length > 0 ? once : options, transcript);
  return target === undefined ? undefined : `Switch to mode ${cut(target.name, 100)}?`;
}

/** A mode as the card lists it. */
export function switchWords(mode: Mode): string {
  return `${cut(mode.name, limits.word)}${saysItAsksNothing(mode) ? ', asks nothing' : ''}`;
}

function targetOf({ optionId, name }: ApprovalOption, choices: readonly Mode[]): Mode | undefined {
  const id = optionId.toLowerCase();
  const byId = choices.find((mode) => {
    const modeId = mode.id.toLowerCase();
    return id === modeId || id.endsWith(`-${modeId}`) || id.endsWith(`_${modeId}`);
  });
  const words = ` ${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return byId ?? choices.find((mode) => words.includes(` ${mode.name.toLowerCase()} `));
}
