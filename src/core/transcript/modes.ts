/**
 * The one control for the mode of a session. Agents offer a list of modes, an option for the mode, or both for the same
 * thing; a person sees one, and it shows what the agent confirmed last, wherever it said so. Where both exist the
 * option is what is set: https://agentclientprotocol.com/protocol/session-config-options
 */
import type { ConfigOption, Mode, Transcript } from './model.js';

type Select = Extract<ConfigOption, { type: 'select' }>;
type Offered = Pick<Transcript, 'modes' | 'options'>;

export type ModeControl = {
  /** The option that sets it, or null: `session/set_mode` does. */
  readonly optionId: string | null;
  readonly current: Mode;
  readonly choices: readonly Mode[];
};

/** The control, or null where the agent offers no modes. */
export function modeControl(t: Offered): ModeControl | null {
  const option = modeOption(t);
  const currentId = option?.value ?? t.modes?.currentModeId;
  if (currentId === undefined) {
    return null;
  }
  const offered =
    option?.choices.map(({ value, name, description }) => ({
      id: value,
      name,
      ...(description === undefined ? {} : { description }),
    })) ??
    t.modes?.availableModes ??
    [];
  const choices = offered.map((mode) => (mode.name === mode.id ? { ...mode, name: shortName(mode.id) } : mode));
  const current = choices.find(({ id }) => id === currentId) ?? { id: currentId, name: shortName(currentId) };
  return { optionId: option?.id ?? null, current, choices };
}

/** The name of a mode by its id, whether the agent lists it or not. */
export function modeNameOf(t: Offered, modeId: string): string {
  return modeControl(t)?.choices.find(({ id }) => id === modeId)?.name ?? shortName(modeId);
}

/** The option that sets the mode: by its category, its id, or because it has exactly the modes as its choices. */
export function modeOption({ modes, options }: Offered): Select | undefined {
  const selects = options.filter((option): option is Select => option.type === 'select');
  const ids = (modes?.availableModes ?? []).map(({ id }) => id);
  return (
    selects.find(({ category }) => category === 'mode') ??
    selects.find(({ id, category }) => id === 'mode' && category === undefined) ??
    selects.find(
      ({ choices }) =>
        ids.length > 0 && choices.length === ids.length && choices.every(({ value }) => ids.includes(value)),
    )
  );
}

/** The agent says that this is the mode now. The option follows, where it has such a choice. */
export function withMode(t: Transcript, modeId: string): Transcript {
  const option = modeOption(t);
  const follows = option !== undefined && option.choices.some(({ value }) => value === modeId);
  return confirmed(t, {
    ...t,
    modes: t.modes === null ? null : { ...t.modes, currentModeId: modeId },
    options: follows ? t.options.map((each) => (each === option ? { ...option, value: modeId } : each)) : t.options,
  });
}

/** The agent sends its options. The list of modes follows, where it has the mode that they name. */
export function withOptions(t: Transcript, options: readonly ConfigOption[]): Transcript {
  return confirmed(t, inStep({ ...t, options }));
}

/** Modes and options that name different modes: the option counts. */
export function inStep(t: Transcript): Transcript {
  const { modes } = t;
  const value = modeOption(t)?.value;
  return modes === null || value === undefined || !modes.availableModes.some(({ id }) => id === value)
    ? t
    : { ...t, modes: { ...modes, currentModeId: value } };
}

/** A mode that was just confirmed is not pending, and what was seen under the one before says nothing of it. */
function confirmed(before: Transcript, after: Transcript): Transcript {
  const [was, is] = [modeControl(before)?.current.id, modeControl(after)?.current.id];
  const { pendingMode, seenInMode, ...rest } = after;
  return {
    ...rest,
    ...(pendingMode === undefined || pendingMode === is ? {} : { pendingMode }),
    ...(seenInMode === undefined || was !== is ? {} : { seenInMode }),
  };
}

/** Counts what was seen under the current mode. */
export function noteSeen(t: Transcript, { asked = 0, unasked = 0 }: { asked?: number; unasked?: number }): Transcript {
  const before = t.seenInMode ?? { asked: 0, unasked: 0 };
  return asked + unasked === 0
    ? t
    : { ...t, seenInMode: { asked: before.asked + asked, unasked: before.unasked + unasked } };
}

/** Why a mode is marked: by what the agent says of it, or by what was seen while it was on. */
export type AsksNothing = 'said' | 'seen';

/**
 * Whether nothing is asked in the current mode, as far as this can be known. A mode's own words are a hint; a command
 * that ran without a question, where none was asked at all, shows it. A mode that is not known is called neither
 * dangerous nor safe, and a level of thinking is no mode of permission.
 */
export function asksNothing(t: Pick<Transcript, 'modes' | 'options' | 'seenInMode'>): AsksNothing | null {
  const current = modeControl(t)?.current;
  if (current === undefined) {
    return null;
  }
  if (saysItAsksNothing(current) || t.options.some(allowsAll)) {
    return 'said';
  }
  const { asked = 0, unasked = 0 } = t.seenInMode ?? {};
  return unasked > 0 && asked === 0 && !saysItAsks(current) && !isLevel(current) ? 'seen' : null;
}

/** Does what a mode says of itself mean that it asks nothing? */
export function saysItAsksNothing({ id, name, description = '' }: Mode): boolean {
  return (
    /bypass|yolo|dont-?ask|full-?access|never-?ask|auto-?approve-?(all|everything)|allow-?all/i.test(id) ||
    /yolo|full access|bypass|never ask|don.t ask/i.test(name) ||
    /(approves?|allows?|accepts?) (all|every)(thing| tools?| actions?)?\W*$|without asking|never asks|(handles|makes|decides) (the |all )?permission|approves .*\bblocks\b/i.test(
      description,
    )
  );
}

function saysItAsks({ id, name, description = '' }: Mode): boolean {
  return /\b(ask|asks|manual|prompts?|confirm|require|requires|approvals?)\b/i.test(`${id} ${name} ${description}`);
}

function isLevel({ id, name }: Mode): boolean {
  return /thinking|effort|reasoning/i.test(name) || /^(off|none|minimal|low|medium|high|xhigh|max)$/i.test(id);
}

/** A switch of its own, beside the modes: what is on asks nothing in any of them. */
function allowsAll(option: ConfigOption): boolean {
  const isOn = option.type === 'boolean' ? option.value : /^(on|true|enabled|yes)$/i.test(option.value);
  return isOn && /^(allow|approve)[_-]?all$|^auto[_-]?approve|^yolo$/i.test(option.id);
}

/** Some ids are addresses: the part that tells them apart stands behind the last `#` or `/`. */
function shortName(id: string): string {
  return /^[a-z]+:\/\//i.test(id) ? (id.split(/[#/]/).findLast((part) => part !== '') ?? id) : id;
}
