import type { TerminalHandle } from '@agentclientprotocol/sdk';
import type { Turn } from './turn.js';
import { TurnCancelled } from './turn.js';

const COMMAND = { command: 'node', args: ['-e', "console.log('tests pass')"] };
const TITLE = `node -e "console.log('tests pass')"`;

/** Runs one harmless command and says how it ended. */
export async function runCheck(turn: Turn): Promise<void> {
  if (turn.can.terminal !== true) {
    await turn.say(
      'The editor does not let me run commands, so I skip the check. To see one asked for, choose *Commands: through VS Code* under the shield at the top of the panel and send `/run` again.\n\n',
    );
    return;
  }
  const output = await runCommand(turn, COMMAND, TITLE);
  if (output === undefined) {
    await turn.say('The command was not run, so I go on without the check.\n\n');
  } else {
    await turn.say(
      output.well ? `The check ran and printed \`${output.text}\`.\n\n` : 'The check ran, but it failed.\n\n',
    );
  }
}

/** Runs a command in a terminal of the editor, shown in its tool card; undefined where the editor did not run it. */
export async function runCommand(
  turn: Turn,
  run: { command: string; args: string[] },
  title: string,
): Promise<{ readonly well: boolean; readonly text: string } | undefined> {
  const toolCallId = await turn.tool({ title, kind: 'execute', status: 'pending', rawInput: run });
  let terminal: TerminalHandle | undefined;
  try {
    const created = turn.client.createTerminal({ sessionId: turn.session.id, cwd: turn.session.cwd, ...run });
    // Also one that is created after a cancel must not stay.
    void created.then((late) => (turn.signal.aborted ? late.release() : undefined)).catch(() => undefined);
    terminal = await turn.until(created);
    await turn.changeTool(toolCallId, {
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId: terminal.id }],
    });
    const ended = await turn.until(terminal.waitForExit());
    const { output } = await turn.until(terminal.currentOutput());
    const well = ended.exitCode === 0;
    await turn.changeTool(toolCallId, { status: well ? 'completed' : 'failed', rawOutput: { output, ...ended } });
    return { well, text: output.trim() };
  } catch (error) {
    if (error instanceof TurnCancelled) {
      throw error;
    }
    await turn.changeTool(toolCallId, { status: 'failed' });
    return undefined;
  } finally {
    // Releasing also ends what still runs. Nobody waits for it: after a cancel the turn ends at once.
    terminal?.release().catch(() => undefined);
  }
}
