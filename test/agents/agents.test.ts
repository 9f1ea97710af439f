/** Real agents under the headless host and the probe: one table of scenarios for all of them. */
import assert from 'node:assert/strict';
import { say } from '../../scripts/say.js';
import { agentNames, type AgentName } from '../support/realAgents/install.js';
import { commands } from '../support/realAgents/scenarios/commands.js';
import { ends } from '../support/realAgents/scenarios/ends.js';
import { failures } from '../support/realAgents/scenarios/failures.js';
import { files } from '../support/realAgents/scenarios/files.js';
import { texts } from '../support/realAgents/scenarios/texts.js';
import { Subject, type Scenario } from '../support/realAgents/subject.js';
import { checkTable, documented, writesTable } from '../support/realAgents/table.js';
import { traits } from '../support/realAgents/traits.js';

const scenarios = [...texts, ...files, ...commands, ...failures, ...ends];

describe('real agents', () => {
  const seen = new Map(agentNames.map((name) => [name, new Map<string, string>()]));
  const runs = { wanted: 0, done: 0 };

  for (const name of agentNames) {
    describe(name, () => {
      const mine = { runs: 0, startedAt: 0 };
      before(() => {
        mine.startedAt = Date.now();
      });
      for (const scenario of scenarios) {
        const { row, lacks } = scenario;
        const why = lacks?.(traits[name]);
        if (why !== undefined) {
          seen.get(name)?.set(row, `not offered: ${why}`);
          continue;
        }
        runs.wanted++;
        it(row, async () => {
          mine.runs++;
          const shown = await show(name, scenario);
          seen.get(name)?.set(row, shown);
          if (!writesTable) {
            assert.equal(shown, documented(name, row), 'docs/agents.md; ACP_HOST_WRITE_DOCS=1 writes it anew');
          }
          runs.done++;
        });
      }
      after(() => {
        say(`  ${name}: ${mine.runs} scenarios in ${Math.round((Date.now() - mine.startedAt) / 1000)} s`);
      });
    });
  }

  // A part of the ring (--grep) has not seen everything, and a failed one is told already.
  after(async () => {
    if (runs.done === runs.wanted) {
      await checkTable(
        seen,
        scenarios.map(({ row }) => row),
      );
    }
  });
});

/** Times that a scenario runs again where an agent that races with itself shows something else than documented. */
const AGAIN = 2;

async function show(name: AgentName, scenario: Scenario): Promise<string> {
  for (let again = 0; ; again++) {
    const shown = await settledRun(name, scenario, again === AGAIN);
    const known = documented(name, scenario.row);
    if (shown === undefined) {
      continue;
    }
    if (writesTable || shown === known || again === AGAIN) {
      return shown;
    }
    console.error(`  again ${name} ${scenario.row}: this run saw "${shown}", documented is "${known ?? 'nothing'}"`);
  }
}

/** The same where an assertion failed: what is left running is no race, and fails at once. */
async function settledRun(name: AgentName, scenario: Scenario, last: boolean): Promise<string | undefined> {
  try {
    return await runOnce(name, scenario);
  } catch (error) {
    if (last || !(error instanceof assert.AssertionError)) {
      throw error;
    }
    console.error(`  again ${name} ${scenario.row}: ${error.message.split('\n', 1)[0] ?? ''}`);
    return undefined;
  }
}

async function runOnce(name: AgentName, { run, git }: Scenario): Promise<string> {
  const subject = await Subject.make(name, traits[name], git === true);
  try {
    return await run(subject);
  } finally {
    await subject.dispose();
  }
}
