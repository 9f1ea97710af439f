import { join } from 'node:path';
import { edit } from './edits.js';
import { fileToRead, readText, size } from './project.js';
import { runCheck } from './terminal.js';
import { explanation, SUMMARY } from './texts.js';
import { TurnCancelled } from './turn.js';
import type { Turn } from './turn.js';

/** What a prompt without a command gets: a thought, a plan, a file read, an answer, an edit, a command, a summary. */
export async function tour(turn: Turn, text: string): Promise<void> {
  await turn.think(thoughtAbout(text));
  const check = turn.can.terminal === true ? [{ content: 'Run a quick check', priority: 'medium' as const }] : [];
  const plan = await turn.plan([
    { content: 'Look at the project', priority: 'high' },
    { content: 'Explain how this works', priority: 'medium' },
    { content: 'Suggest one small edit', priority: 'high' },
    ...check,
    { content: 'Sum up', priority: 'low' },
  ]);
  await plan.advance();
  const read = await look(turn);
  await plan.advance();
  await turn.say(explanation(read));
  await plan.advance();
  await edit(turn, 'write');
  if (check.length > 0) {
    await plan.advance();
    await runCheck(turn);
  }
  await plan.advance();
  await turn.say(SUMMARY);
  await plan.advance();
}

/** A plan that is worked through with nothing behind it. */
export async function planOnly(turn: Turn): Promise<void> {
  const steps = ['Read the task', 'Find the files', 'Write the change', 'Check it', 'Report'];
  const priorities = ['high', 'medium', 'high', 'medium', 'low'] as const;
  const plan = await turn.plan(
    steps.map((content, index) => ({ content, priority: priorities[index % priorities.length] ?? 'medium' })),
  );
  await plan.advance();
  for (const step of steps) {
    await turn.say(`${step}… `);
    await turn.pause(500);
    await plan.advance();
  }
  await turn.say('all steps are done.\n');
}

/** Reads one file and shows that in a tool card. Returns a sentence about it. */
async function look(turn: Turn): Promise<string | undefined> {
  const name = await fileToRead(turn.session.cwd);
  if (name === undefined) {
    return undefined;
  }
  const path = join(turn.session.cwd, name);
  const toolCallId = await turn.tool({
    title: `Read ${name}`,
    kind: 'read',
    status: 'in_progress',
    locations: [{ path }],
  });
  await turn.pause(200);
  try {
    const content = await readText(turn, path);
    await turn.changeTool(toolCallId, { status: content === null ? 'failed' : 'completed' });
    return content === null ? undefined : `I read \`${name}\` (${size(content)}).`;
  } catch (error) {
    if (error instanceof TurnCancelled) {
      throw error;
    }
    await turn.changeTool(toolCallId, { status: 'failed' });
    return `I was not allowed to read \`${name}\`.`;
  }
}

function thoughtAbout(text: string): string {
  const asked = Array.from(text.replaceAll(/\s+/g, ' ')).slice(0, 80).join('');
  return `The prompt is “${asked}”. I make a plan first, look at one file, and then suggest one small edit that is easy to undo.`;
}
