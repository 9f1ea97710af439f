/** What is said: text, thoughts, plans, and prompts one after the other. */
import assert from 'node:assert/strict';
import { parseDirective } from '../../mockModel/directives.js';
import { kept, needsModel, questions, stopReasons, type Scenario } from '../subject.js';

const MARKDOWN = parseDirective('[[mock:markdown]]')[0]?.text ?? '';

/** No word twice: an agent that sees a loop ends the turn. */
const FIRST = 'Long before the second prompt is answered, all of this stands here';

type PlanLine = { readonly content: string; readonly status: string };

export const texts: readonly Scenario[] = [
  {
    row: 'text',
    run: async (subject) => {
      const run = await subject.prompt('[[mock:markdown]]');
      const text = kept(run, 'assistant');
      if (subject.traits.noModel === undefined) {
        assert.equal(text.split(MARKDOWN).length, 2, `the answer stands in the transcript once: ${text}`);
      }
      assert.ok(run.events('messageChunk').length > 2, 'it comes in pieces');
      assert.deepEqual(stopReasons(run), ['end_turn']);
      const more = subject.traits.noModel === undefined && text !== MARKDOWN ? ', with words of its own around it' : '';
      return `streams, \`end_turn\`${more}`;
    },
  },
  {
    row: 'thought',
    lacks: needsModel,
    run: async (subject) => {
      const run = await subject.prompt('[[mock:thought]]');
      assert.match(kept(run, 'thought'), /Let me think about it\. Two and two is four\./);
      assert.match(kept(run, 'assistant'), /The answer is 4\./);
      const kinds = run.entries.map(({ kind }) => kind);
      const thoughts = kinds.filter((kind) => kind === 'thought').length;
      const place = kinds.indexOf('thought') < kinds.lastIndexOf('assistant') ? 'before' : 'behind';
      return `${thoughts === 1 ? 'an entry of its own' : `${thoughts} entries of their own`} ${place} the answer`;
    },
  },
  {
    row: 'plan',
    lacks: (traits) => traits.noModel ?? traits.noPlan,
    run: async (subject) => {
      const run = await subject.prompt('[[mock:plan]]', ['--answers', 'allow_once']);
      const plans = run
        .events('planChanged')
        .map(({ entries }) => (entries as PlanLine[]).map(({ content, status }) => `${content}: ${status}`));
      const steps = ['Look at the code: completed', 'Change it: in_progress', 'Test it: pending'];
      assert.deepEqual(plans.at(-1), steps);
      assert.deepEqual(
        (run.transcript['plan'] as PlanLine[]).map(({ content, status }) => `${content}: ${status}`),
        steps,
      );
      return `${plans.length > 1 ? 'published and replaced in place' : 'published once'}, ${questions(run)}`;
    },
  },
  {
    row: 'two prompts at once',
    run: async (subject) => {
      const run = await subject.drive([
        { do: 'prompt', text: `[[mock:${JSON.stringify({ steps: [{ text: FIRST, chunk: 8, delay: 20 }] })}]]` },
        { do: 'prompt', text: '[[mock:text]]' },
      ]);
      assert.deepEqual(stopReasons(run), ['end_turn', 'end_turn']);
      const order = run.lines.filter(({ event }) => event === 'promptSent' || event === 'turnEnded');
      assert.deepEqual(
        order.map(({ event }) => event),
        ['promptSent', 'turnEnded', 'promptSent', 'turnEnded'],
        'one prompt is in flight',
      );
      if (subject.traits.noModel === undefined) {
        assert.match(kept(run, 'assistant'), new RegExp(`${FIRST}[^]*Hello from the mock model\\.`));
      }
      return 'the second waits for the first';
    },
  },
];
