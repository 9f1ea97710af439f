import type { PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk';
import { suggestEdit } from './project.js';
import type { Edit } from './project.js';
import { shownAsDiff } from './texts.js';
import type { Turn } from './turn.js';
import { TurnCancelled } from './turn.js';

const OPTIONS: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow this edit', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Allow edits in this chat', kind: 'allow_always' },
  { optionId: 'reject', name: 'Do not edit', kind: 'reject_once' },
];

/** How an edit is made: at once, after asking, or after asking but with one byte more than was shown. */
export type Manner = 'write' | 'ask' | 'differ';

/** Suggests one edit and makes it, as far as the person lets it; says how it went. */
export async function edit(turn: Turn, manner: Manner): Promise<void> {
  const suggested = await readForEdit(turn);
  if (suggested === undefined) {
    await turn.say('I could not read the file that I want to edit, so I leave it alone.\n\n');
    return;
  }
  if (turn.session.mode === 'plan') {
    await turn.say(`I am in *Plan only* mode, so I change nothing. ${shownAsDiff(suggested)}`);
    return;
  }
  if (turn.can.fs?.writeTextFile !== true) {
    await turn.say(`This editor does not let me write files, so I change nothing. ${shownAsDiff(suggested)}`);
    return;
  }
  const toolCallId = await turn.tool({
    title: `Edit ${suggested.name}`,
    kind: 'edit',
    status: 'pending',
    locations: [{ path: suggested.path }],
    content: [diffOf(suggested)],
  });
  await turn.pause(200);
  if (manner !== 'write' && !(await allowed(turn, toolCallId, suggested))) {
    await turn.changeTool(toolCallId, { status: 'failed' });
    await turn.say(`All right, I leave \`${suggested.name}\` as it is.\n\n`);
    return;
  }
  await write(turn, toolCallId, manner === 'differ' ? oneByteMore(suggested) : suggested);
}

/** An edit is built on the text that is there; without it there is none. */
async function readForEdit(turn: Turn): Promise<Edit | undefined> {
  try {
    return await suggestEdit(turn);
  } catch (error) {
    if (error instanceof TurnCancelled) {
      throw error;
    }
    return undefined;
  }
}

/** Asks first. A question that was closed without an answer counts as a no. */
async function allowed(turn: Turn, toolCallId: string, suggested: Edit): Promise<boolean> {
  const { outcome } = await turn.until(
    turn.client.request('session/request_permission', {
      sessionId: turn.session.id,
      toolCall: {
        toolCallId,
        title: `Edit ${suggested.name}`,
        kind: 'edit',
        locations: [{ path: suggested.path }],
        content: [diffOf(suggested)],
      },
      options: OPTIONS,
    }),
  );
  return outcome.outcome === 'selected' && outcome.optionId.startsWith('allow');
}

async function write(turn: Turn, toolCallId: string, { path, name, newText }: Edit): Promise<void> {
  await turn.changeTool(toolCallId, { status: 'in_progress' });
  try {
    await turn.until(turn.client.request('fs/write_text_file', { sessionId: turn.session.id, path, content: newText }));
  } catch (error) {
    if (error instanceof TurnCancelled) {
      throw error;
    }
    await turn.changeTool(toolCallId, { status: 'failed' });
    await turn.say(`That edit was not made, so \`${name}\` stays as it is. No harm done: I go on without it.\n\n`);
    return;
  }
  await turn.changeTool(toolCallId, { status: 'completed' });
  await turn.say(`Done: \`${name}\` has its new line. Undo in the editor takes it back.\n\n`);
}

function diffOf({ path, oldText, newText }: Edit): ToolCallContent {
  return { type: 'diff', path, oldText, newText };
}

function oneByteMore(suggested: Edit): Edit {
  return { ...suggested, newText: suggested.newText.replace(/(\r?\n)$/, '!$1') };
}
