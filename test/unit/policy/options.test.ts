import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { answerFor, checkOptions, hasPlainAnswers, isChooser, isMisnamed } from '../../../src/core/policy/options.js';
import type { ApprovalOption, ApprovalOptionKind } from '../../../src/core/transcript/model.js';

const option = (optionId: string, kind: ApprovalOptionKind, name: string = optionId): ApprovalOption => ({
  optionId,
  kind,
  name,
});
const allow = option('yes', 'allow_once');
const always = option('always', 'allow_always');
const reject = option('no', 'reject_once');
const never = option('never', 'reject_always');

describe('options: which option answers a plain decision', () => {
  it('allows with the one option that allows once', () => {
    assert.deepEqual(answerFor('allow_once', [always, allow, reject]), { outcome: 'selected', optionId: 'yes' });
  });

  it('4.5.3 4.5.4 never allows with a persistent option, an unknown one, or one of several', () => {
    for (const list of [
      [always, reject],
      [option('x', 'unknown')],
      [allow, option('y', 'allow_once')],
      [allow, always, option('z', 'allow_always')],
    ]) {
      assert.equal(answerFor('allow_once', list).outcome, 'none');
    }
  });

  it('denies with the one that rejects once, else cancels', () => {
    assert.deepEqual(answerFor('reject_once', [allow, never, reject]), { outcome: 'selected', optionId: 'no' });
    assert.deepEqual(answerFor('reject_once', [allow, never]), { outcome: 'cancelled' });
    assert.deepEqual(answerFor('reject_once', [reject, option('n', 'reject_once')]), { outcome: 'cancelled' });
  });

  it('4.5.5 4.5.18 answers a malformed list with cancelled and nothing else', () => {
    const twice = [option('same', 'allow_once'), option('same', 'reject_once')];
    for (const list of [
      [],
      twice,
      [option('', 'allow_once')],
      [option('ä'.repeat(513), 'allow_once')],
      Array.from({ length: 17 }, (_, i) => option(String(i), i === 0 ? 'allow_once' : 'reject_always')),
    ]) {
      assert.equal(checkOptions(list).valid, false);
      assert.deepEqual(answerFor('allow_once', list), { outcome: 'cancelled' });
      assert.deepEqual(answerFor('reject_once', list), { outcome: 'cancelled' });
    }
  });

  it('sees a question with several answers, and where two buttons say it all', () => {
    assert.equal(isChooser([allow, option('b', 'allow_once'), reject]), true);
    assert.equal(isChooser([allow, always, reject]), false);
    assert.equal(hasPlainAnswers([allow, reject]), true);
    assert.equal(hasPlainAnswers([allow]), true);
    assert.equal(hasPlainAnswers([allow, reject, option('r', 'reject_once')]), false);
    assert.equal(hasPlainAnswers([always, reject]), false);
  });

  it('4.5.6 sees a name that says the opposite of its kind', () => {
    assert.equal(isMisnamed(option('1', 'allow_once', 'No, cancel')), true);
    assert.equal(isMisnamed(option('1', 'reject_once', 'Yes, proceed')), true);
    assert.equal(isMisnamed(option('1', 'allow_once', 'Allow')), false);
    assert.equal(isMisnamed(option('1', 'reject_once', "Don't allow")), false);
    assert.equal(isMisnamed(option('1', 'unknown', 'Yes')), false);
  });

  it('selects only an id that was offered, under its own kind, and only if no other has it', () => {
    const kinds = fc.constantFrom<ApprovalOptionKind>(
      'allow_once',
      'allow_always',
      'reject_once',
      'reject_always',
      'unknown',
    );
    const list = fc.array(fc.record({ optionId: fc.string({ maxLength: 2 }), name: fc.string(), kind: kinds }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(list, fc.constantFrom('allow_once' as const, 'reject_once' as const), (options, decision) => {
        const answer = answerFor(decision, options);
        if (answer.outcome === 'selected') {
          const holders = options.filter(({ optionId }) => optionId === answer.optionId);
          assert.deepEqual(
            holders.map(({ kind }) => kind),
            [decision],
          );
          assert.equal(options.filter(({ kind }) => kind === decision).length, 1);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
