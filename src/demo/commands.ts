import { RequestError } from '@agentclientprotocol/sdk';
import type { AvailableCommand } from '@agentclientprotocol/sdk';
import { edit } from './edits.js';
import { runCheck } from './terminal.js';
import { isTestPrompt, testTurn } from './testTurn.js';
import { LONG_ANSWER, LONG_THOUGHT, MARKDOWN } from './texts.js';
import { planOnly, tour } from './tour.js';
import type { Turn } from './turn.js';

/** What the agent does in one turn. */
export type Script = (turn: Turn, text: string) => Promise<void>;

type Command = { readonly name: string; readonly description: string; readonly run: Script };

const COMMANDS: readonly Command[] = [
  { name: 'help', description: 'Lists what this agent can show', run: (turn) => turn.say(helpText()) },
  { name: 'plan', description: 'Publishes a plan and works through it', run: planOnly },
  { name: 'edit', description: 'Makes one small edit', run: (turn) => edit(turn, 'write') },
  { name: 'ask', description: 'Asks first, then makes exactly the edit it showed', run: (turn) => edit(turn, 'ask') },
  {
    name: 'differ',
    description: 'Asks first, then writes one byte more than it showed',
    run: (turn) => edit(turn, 'differ'),
  },
  { name: 'run', description: 'Runs a harmless command in a terminal', run: runCheck },
  { name: 'options', description: 'Asks a question with many answers', run: options },
  { name: 'think', description: 'Thinks for a while, then answers', run: think },
  { name: 'markdown', description: 'Shows every kind of Markdown', run: (turn) => turn.say(MARKDOWN) },
  { name: 'long', description: 'Gives a long answer', run: (turn) => turn.say(LONG_ANSWER, 160) },
  { name: 'fail', description: 'Ends the turn with an error', run: failTurn },
  { name: 'crash', description: 'Ends the agent process with status 134', run: crash },
  { name: 'hang', description: 'Never ends, and does not react to Stop', run: hangForEver },
];

/** The commands as the host offers them. */
export const availableCommands: AvailableCommand[] = COMMANDS.map(({ name, description }) => ({ name, description }));

/** The script for a prompt: the one of its slash command, a probe's test turn, else the tour. */
export function scriptFor(text: string): Script {
  const name = /^\/([a-z]+)(\s|$)/.exec(text)?.[1];
  if (name === undefined) {
    return isTestPrompt(text) ? testTurn : tour;
  }
  return COMMANDS.find((command) => command.name === name)?.run ?? unknownCommand;
}

function helpText(): string {
  const lines = COMMANDS.map(({ name, description }) => `- \`/${name}\`: ${description}`);
  return `I am the demo agent. I need no key and no network. Any text starts a short tour; these commands show one thing each:

${lines.join('\n')}
`;
}

async function unknownCommand(turn: Turn, text: string): Promise<void> {
  await turn.say(`I do not know \`${text.split(/\s/)[0] ?? text}\`.\n\n${helpText()}`);
}

async function think(turn: Turn): Promise<void> {
  await turn.think(LONG_THOUGHT);
  await turn.say('I thought about it: the plain way is the better one.\n');
}

async function options(turn: Turn): Promise<void> {
  const toolCallId = await turn.tool({ title: 'Choose how to go on', kind: 'other', status: 'pending' });
  const { outcome } = await turn.until(
    turn.client.request('session/request_permission', {
      sessionId: turn.session.id,
      toolCall: { toolCallId, title: 'Choose how to go on', kind: 'other' },
      options: [
        { optionId: 'a', name: 'Plan A: small steps', kind: 'allow_once' },
        { optionId: 'b', name: 'Plan B: one big step', kind: 'allow_once' },
        { optionId: 'c', name: 'Plan C: only look', kind: 'allow_once' },
        { optionId: 'a-always', name: 'Always plan A', kind: 'allow_always' },
        { optionId: 'none', name: 'None of these', kind: 'reject_once' },
        { optionId: 'never', name: 'Never ask about plans', kind: 'reject_always' },
      ],
    }),
  );
  await turn.changeTool(toolCallId, { status: 'completed' });
  await turn.say(
    outcome.outcome === 'selected'
      ? `You chose \`${outcome.optionId}\`.\n`
      : 'You closed the question; I decide nothing.\n',
  );
}

async function failTurn(turn: Turn): Promise<void> {
  await turn.say('This turn ends with an error, on purpose.\n');
  throw new RequestError(-32603, 'Internal error', { details: 'Quota used up until 14:00 (a demo of an error)' });
}

async function crash(turn: Turn): Promise<void> {
  await turn.say('This process ends now, on purpose.\n');
  const words = 'demo agent: something went very wrong\ndemo agent: leaving with status 134 (on purpose)\n';
  await new Promise((resolve) => process.stderr.write(words, resolve));
  process.exit(134);
}

async function hangForEver(turn: Turn): Promise<void> {
  await turn.say('From now on I do nothing, and I do not react to Stop.\n');
  await new Promise(() => undefined);
}
