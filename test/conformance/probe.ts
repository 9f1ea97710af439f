/** Runs the probe's command, as bundled, against a scripted agent. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fakeAgent, waitUntilGone } from '../support/fakeAgent.js';
import type { FakeAgentScript, Frame } from '../support/fakeAgentScript.js';

export type Probed = {
  readonly status: number | null;
  readonly report: Record<string, unknown>;
  readonly sent: readonly Frame[];
};

/** Fails where a process of the agent is alive 2 s after the command. */
export async function probeAgent(script: FakeAgentScript, options: readonly string[] = []): Promise<Probed> {
  const agent = fakeAgent(script);
  try {
    const args = ['dist/probe.cjs', '--json', ...options, '--', agent.command, ...agent.args];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    const [status] = (await once(child, 'close')) as [number | null];
    await waitUntilGone(await agent.agentPids(), 2_000);
    return { status, report: JSON.parse(stdout) as Record<string, unknown>, sent: await agent.record() };
  } finally {
    await agent.dispose();
  }
}
