// An agent floods the real panel: from Enter in the composer to the last chunk in sight.
import type { CDPSession, Frame } from 'playwright-core';
import { fakeAgent } from '../../test/support/fakeAgent.js';
import { text } from '../../test/support/fakeAgentSteps.js';
import { findFrame } from '../vscode/page.js';
import type { Measures } from './results.js';
import { showChat } from './showChat.js';
import { inWindow, within } from './window.js';

/** Characters of one chunk. */
const CHARS = 40;
/** Longest wait for the last chunk. */
const FLOOD_MS = 120_000;
/** Longest wait for VS Code to finish its own start. */
const REST_MS = 60_000;
/** The last chunk, exactly as long as the others. */
const SENTINEL = 'the last words of this answer';
const LAST_CHUNK = `\n\n${SENTINEL}`.padEnd(CHARS, '.');

type Answer = {
  readonly enterToLastChunkMs: number;
  readonly longestTaskMs: number;
  readonly longTasksMs: number;
  readonly longTasks: number;
  readonly ownLongestTaskMs: number;
  /** Between the last words and the window's rest. */
  readonly afterwardsLongestTaskMs: number;
  /** From Enter until the view had all of it: the share of agent and extension host. */
  readonly lastMessageMs: number;
  readonly messages: number;
  readonly snapshots: number;
  readonly postedBytes: number;
  readonly characters: number;
};

/**
 * One run in a fresh window. The agent is started by a prompt before, so that its start is not in the figure. Throws
 * unless every character that the agent sent was posted to the view and its last words were drawn.
 */
export async function streamRun(extension: string, chunks: number): Promise<Measures> {
  const agent = fakeAgent({
    prompts: [
      { match: 'warm up', steps: [text('Ready and waiting.')] },
      { match: 'flood', steps: [{ do: 'flood', count: chunks - 1, chars: CHARS }, text(LAST_CHUNK)] },
    ],
  });
  const { command, args } = agent;
  const settings = {
    'acpHost.agents': { flood: { command, args } },
    'acpHost.defaultAgent': 'flood',
    'acpHost.fs.write': 'off',
    'acpHost.terminal': 'off',
  };
  try {
    return await inWindow({ extension, settings }, async ({ page, cdp }) => {
      await showChat(page);
      const frame = await findFrame(page, '[data-testid="composer-input"]');
      await ask(frame, 'warm up', 'Ready and waiting.');
      await within(REST_MS, frame.evaluate('acpBench.rest()'));
      const before = await counters(cdp);
      const answer = await ask(frame, 'flood', SENTINEL);
      const after = await counters(cdp);
      const { characters, snapshots, ...figures } = answer;
      if (characters !== chunks * CHARS || snapshots > 0) {
        throw new Error(`The view got ${characters} of ${chunks * CHARS} characters and ${snapshots} snapshots.`);
      }
      return {
        ...figures,
        bytesPerStreamedByte: answer.postedBytes / (chunks * CHARS),
        heapGrowthMB: after.heapMB - before.heapMB,
        cpuMs: after.cpuMs - before.cpuMs,
        scriptMs: after.scriptMs - before.scriptMs,
        layoutMs: after.layoutMs - before.layoutMs,
      };
    });
  } finally {
    await agent.dispose();
  }
}

/** Types a prompt, presses Enter and measures in the view until `lastWords` stand there and the turn has ended. */
async function ask(frame: Frame, prompt: string, lastWords: string): Promise<Answer> {
  const composer = frame.locator('[data-testid="composer-input"]');
  await composer.fill(prompt);
  const measured = frame.evaluate<Answer>(`acpBench.answer(${JSON.stringify(lastWords)})`);
  // Seen again below; without this a failure before then would end the process.
  measured.catch(() => undefined);
  await composer.press('Enter');
  const answer = await within(FLOOD_MS, measured);
  await frame.locator('[data-testid="turn-state"][data-state="idle"]').waitFor({ state: 'attached', timeout: 10_000 });
  return answer;
}

type Counters = {
  readonly heapMB: number;
  readonly cpuMs: number;
  readonly scriptMs: number;
  readonly layoutMs: number;
};

/** Live heap and CPU time so far, of the one process that runs window and webview. */
async function counters(cdp: CDPSession): Promise<Counters> {
  // The thread's own clock: what other processes took of the machine does not count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () =>
    Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  // Times first: a forced collection is work too, and not the panel's.
  const times = await read();
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const ms = (name: string): number => (times[name] ?? NaN) * 1000;
  return {
    heapMB: usedSize / 1e6,
    cpuMs: ms('TaskDuration'),
    scriptMs: ms('ScriptDuration'),
    layoutMs: ms('LayoutDuration') + ms('RecalcStyleDuration'),
  };
}
