/** The words of the status bar item. Pure. */
import type { AgentState, EditsChoice } from '../core/messages.js';
import type { Transcript } from '../core/transcript/model.js';
import { asksNothing, modeControl } from '../core/transcript/modes.js';
import { doneCount } from './planItems.js';

export type StatusFacts = {
  readonly agent: string | null;
  readonly version: string | null;
  readonly folder: string | null;
  readonly state: AgentState;
  readonly edits: EditsChoice;
  readonly transcript: Transcript;
  readonly waiting: number;
};
export type StatusText = {
  readonly text: string;
  readonly tooltip: string;
  /** A theme colour for the background, where something needs a person. */
  readonly background?: 'statusBarItem.warningBackground' | 'statusBarItem.errorBackground';
  readonly accessibleName: string;
};

export function statusText(facts: StatusFacts): StatusText {
  const name = facts.agent ?? 'ACP';
  const { turn, plan } = facts.transcript;
  const unasked = facts.edits === 'allow' ? ' $(unlock)' : '';
  const tooltip = tooltipOf(facts);
  const busy = turn.state === 'running' || turn.state === 'cancelling' || facts.state.state === 'starting';
  if (facts.waiting > 0) {
    return {
      text: `$(shield) ${name}: needs you (${facts.waiting})${unasked}`,
      tooltip,
      background: 'statusBarItem.warningBackground',
      accessibleName: `${name} needs your answer`,
    };
  }
  if (facts.state.state === 'failed') {
    return {
      text: `$(error) ${name} stopped${unasked}`,
      tooltip,
      background: 'statusBarItem.errorBackground',
      accessibleName: `${name} stopped`,
    };
  }
  if (busy) {
    // A plan that an earlier turn left says nothing of this one.
    const isLeft = plan.some(({ status, endedAt }) => status === 'in_progress' && endedAt !== undefined);
    const steps = plan.length === 0 || isLeft ? '' : `: ${doneCount(plan)}/${plan.length}`;
    return { text: `$(loading~spin) ${name}${steps}${unasked}`, tooltip, accessibleName: `${name} is working` };
  }
  return { text: `$(comment-discussion) ${name}${unasked}`, tooltip, accessibleName: name };
}

/** How edits happen, as the panel's header says it. */
function editsWords(edits: EditsChoice, agent: string): string {
  switch (edits) {
    case 'unset':
      return 'not chosen yet';
    case 'ask':
      return 'ask each time';
    case 'off':
      return `${agent} itself`;
    case 'allow':
      return 'not asked';
  }
}

function tooltipOf({ agent, version, folder, edits, transcript }: StatusFacts): string {
  if (agent === null) {
    return 'No agent is chosen yet';
  }
  const mode = modeControl(transcript)?.current;
  const { used, size } = transcript.usage ?? {};
  return [
    version === null ? agent : `${agent} ${version}`,
    folder === null ? '' : `Folder: ${folder}`,
    `Edits: ${editsWords(edits, agent)}`,
    mode === undefined ? '' : `Mode: ${mode.name}${asksNothing(transcript) === null ? '' : ', asks nothing'}`,
    used === undefined || size === undefined
      ? ''
      : `Context: ${used.toLocaleString('en-US')} of ${size.toLocaleString('en-US')} tokens`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
