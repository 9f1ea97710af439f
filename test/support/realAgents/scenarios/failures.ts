/** Turns that the model fails: refused, limited, broken, cut off. Something is always told, and the next prompt works. */
import assert from 'node:assert/strict';
import { HELLO } from '../../mockModel/directives.js';
import type { HeadlessRun, PrintedEntry } from '../../headless.js';
import { kept, needsModel, type Scenario, type Subject } from '../subject.js';

/** Most that an agent may take to give up, ms, with few retries set. */
const GIVES_UP_MS = 40_000;
/** How the text of `[[mock:drop]]` begins. */
const BROKEN = 'I start ';

export const failures: readonly Scenario[] = [
  {
    row: 'bad key',
    lacks: needsModel,
    run: async (subject) => {
      const bad = subject.withKey('bad-key-12345678');
      return ended(await bad.drive([{ do: 'prompt', text: '[[mock:text]]' }], [], 'any'));
    },
  },
  failing('the model refuses (400)', '[[mock:error status=400]]', ended),
  failing('the model is at its limit (429)', '[[mock:error status=429]]', ended),
  failing('the model fails (500)', '[[mock:error status=500]]', ended),
  failing('the model drops the connection in a text', '[[mock:drop]]', (run) => {
    const times = firstTurn(run, 'assistant').split(BROKEN).length - 1;
    assert.ok(times > 0, 'what had come stays');
    return `${ended(run)}, what had come stands there ${times === 1 ? 'once' : `${times} times`}`;
  }),
];

/** A prompt that the model fails, and one that it answers. */
function failing(row: string, text: string, shown: (run: HeadlessRun) => string): Scenario {
  return {
    row,
    lacks: needsModel,
    run: async (subject) => {
      // Queued behind a turn that fails, the second would be held for the person.
      const run = await subject.drive([{ do: 'prompt', text: '[[mock:text]]' }], ['--prompt', text], 'any');
      const [sent, next] = run.events('promptSent');
      assert.ok(sent !== undefined && next !== undefined, 'both are sent');
      assert.ok(next.at - sent.at < GIVES_UP_MS, `it gave up after ${next.at - sent.at} ms`);
      assert.ok(asked(subject) < 10, `it asked the model ${asked(subject)} times`);
      assert.match(kept(run, 'assistant'), new RegExp(`${HELLO}$`), 'the next prompt is answered');
      return shown(run);
    },
  };
}

/** How often the model was asked for an answer. */
const asked = ({ model }: Subject): number => model.requests.filter(({ auxiliary }) => auxiliary === false).length;

/** How the first turn ended, and who tells why. */
function ended(run: HeadlessRun): string {
  const end = run.lines.find(({ event }) => event === 'turnFailed' || event === 'turnEnded');
  const words = firstTurn(run, 'assistant');
  if (end?.event === 'turnFailed') {
    const cause = String(end['message']).replace(/^Internal error: /, '');
    assert.ok(cause.length > 5, 'the cause is told');
    return `the turn fails: \`${String(end['reason'])}\`${words.includes(cause) ? ', told as text too' : ''}`;
  }
  const how = `\`${String(end?.['stopReason'])}\``;
  if (/error|failed|denied|invalid/i.test(words)) {
    return `${how}, told by the agent as text`;
  }
  if (firstTurn(run, 'notice').includes('sent no answer')) {
    return `${how}, the host says that nothing came`;
  }
  assert.ok(words !== '', 'it ends with nothing, and nothing is said');
  return `${how}, and nothing says that the text breaks off`;
}

/** The texts of one kind up to the second prompt. */
function firstTurn({ entries }: HeadlessRun, kind: PrintedEntry['kind']): string {
  const second = entries.findIndex((entry, index) => index > 0 && entry.kind === 'user');
  return entries
    .slice(0, second < 0 ? entries.length : second)
    .filter((entry) => entry.kind === kind)
    .map(({ text }) => text ?? '')
    .join('\n');
}
