import { runCommand } from './terminal.js';
import type { Turn } from './turn.js';

type Steps = {
  readonly read: string;
  readonly edit: string;
  readonly from: string;
  readonly to: string;
  readonly command: string;
};

/** The three steps of a probe's test turn, where that is what the prompt asks for. */
function testSteps(prompt: string): Steps | undefined {
  const [, read] = /^1\. Read the file (.+)\.$/m.exec(prompt) ?? [];
  const [, edit, from, to] = /^2\. In the file (.+) change the line "(.+)" to "(.+)"\.$/m.exec(prompt) ?? [];
  const [, command] = /^3\. Run this shell command: (.+)$/m.exec(prompt) ?? [];
  return read === undefined || edit === undefined || from === undefined || to === undefined || command === undefined
    ? undefined
    : { read, edit, from, to, command };
}

export function isTestPrompt(prompt: string): boolean {
  return testSteps(prompt) !== undefined;
}

/** Does what the prompt says, through the editor as far as that serves it. */
export async function testTurn(turn: Turn, prompt: string): Promise<void> {
  const steps = testSteps(prompt);
  if (steps === undefined) {
    return;
  }
  const { client, session, can } = turn;
  const read = async (path: string): Promise<string> => {
    const toolCallId = await turn.tool({ title: 'Read', kind: 'read', status: 'in_progress', locations: [{ path }] });
    const { content } = await turn.until(client.request('fs/read_text_file', { sessionId: session.id, path }));
    await turn.changeTool(toolCallId, { status: 'completed' });
    return content;
  };
  const word = can.fs?.readTextFile === true ? await read(steps.read) : 'unknown';
  if (can.fs?.readTextFile === true && can.fs.writeTextFile === true) {
    const path = steps.edit;
    const content = (await read(path)).replace(steps.from, steps.to);
    const toolCallId = await turn.tool({ title: 'Edit', kind: 'edit', status: 'in_progress', locations: [{ path }] });
    const written = turn.client.request('fs/write_text_file', { sessionId: session.id, path, content });
    const done = await turn.until(
      written.then(
        () => true,
        () => false,
      ),
    );
    await turn.changeTool(toolCallId, { status: done ? 'completed' : 'failed' });
  }
  const windows = process.platform === 'win32';
  await runCommand(
    turn,
    { command: windows ? 'cmd' : 'sh', args: [windows ? '/c' : '-c', steps.command] },
    steps.command,
  );
  await turn.say(`The word is ${word.trim()}.\n`);
}
