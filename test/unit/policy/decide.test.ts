import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { decide } from '../../../src/core/policy/decide.js';
import type { DecidePolicy, PathJudgement, Subject, Verdict } from '../../../src/core/policy/decide.js';
import { toolKinds } from '../../../src/core/transcript/model.js';

const plain: PathJudgement = { inRoot: true, klass: 'ok', linked: false };
const sensitive: PathJudgement = { ...plain, klass: 'sensitive' };
const secret: PathJudgement = { ...plain, klass: 'secret' };
const banned: PathJudgement = { ...plain, klass: 'denied' };
const git: PathJudgement = { ...plain, klass: 'git' };
const outside: PathJudgement = { ...plain, inRoot: false };
const linked: PathJudgement = { ...plain, linked: true };
const asking: DecidePolicy = { read: true, write: 'ask', terminal: 'ask', acknowledged: false };
const open: DecidePolicy = { read: true, write: 'allow', terminal: 'allow', acknowledged: true };
const claimed: DecidePolicy = { ...open, acknowledged: false };
const off: DecidePolicy = { read: false, write: 'off', terminal: 'off', acknowledged: true };
const ctx = { interactive: true, trusted: true };

const write = (path: PathJudgement, stale = false): Subject => ({ by: 'host', act: 'write', path, stale });
const read = (path: PathJudgement): Subject => ({ by: 'host', act: 'read', path });
const agent = (
  kind: Extract<Subject, { by: 'agent' }>['kind'],
  paths: readonly PathJudgement[] = [plain],
): Subject => ({
  by: 'agent',
  kind,
  kindChanged: false,
  hasCommand: false,
  hasInput: false,
  isPlain: true,
  paths,
});

describe('4.5.1 decide: what the host itself would do', () => {
  const rows: [string, Subject, Verdict, Verdict, Verdict, Verdict][] = [
    // what, subject, asking, allowed and acknowledged, allowed only, off
    ['a write', write(plain), 'ask', 'allow', 'ask', 'deny'],
    ['a write to a sensitive file', write(sensitive), 'ask', 'ask', 'ask', 'deny'],
    ['a write to a secret', write(secret), 'deny', 'deny', 'deny', 'deny'],
    ['a write to Git', write(git), 'deny', 'deny', 'deny', 'deny'],
    ['a write outside', write(outside), 'deny', 'deny', 'deny', 'deny'],
    ['a write to a linked file', write(linked), 'ask', 'ask', 'ask', 'deny'],
    ['a write over a newer text', write(plain, true), 'ask', 'ask', 'ask', 'deny'],
    ['a read', read(plain), 'allow', 'allow', 'allow', 'deny'],
    ['a read of a sensitive file', read(sensitive), 'allow', 'allow', 'allow', 'deny'],
    ['a read of a secret', read(secret), 'deny', 'deny', 'deny', 'deny'],
    ['a read of a secret that the prompt names', read({ ...secret, mentioned: true }), 'ask', 'ask', 'ask', 'deny'],
    [
      'a write to a secret that the prompt names',
      write({ ...secret, mentioned: true }),
      'deny',
      'deny',
      'deny',
      'deny',
    ],
    ['a read of Git', read(git), 'deny', 'deny', 'deny', 'deny'],
    ['a read of Git that the prompt names', read({ ...git, mentioned: true }), 'deny', 'deny', 'deny', 'deny'],
    ['a read of what a setting denies', read({ ...banned, mentioned: true }), 'deny', 'deny', 'deny', 'deny'],
    ['a write of what a setting denies', write(banned), 'deny', 'deny', 'deny', 'deny'],
    ['a read in a folder that is the home', read({ ...plain, wide: true }), 'ask', 'ask', 'ask', 'deny'],
    ['a read of a linked file', read(linked), 'ask', 'ask', 'ask', 'deny'],
    ['a command', { by: 'host', act: 'terminal' }, 'ask', 'allow', 'ask', 'deny'],
  ];
  for (const [what, subject, ...expected] of rows) {
    it(`${what}: ${expected.join(' ')}`, () => {
      assert.deepEqual(
        [asking, open, claimed, off].map((policy) => decide(subject, policy, ctx).verdict),
        expected,
      );
    });
  }

  it('4.5.2 denies what would be asked where nobody can be, and everything in a folder that is not trusted', () => {
    assert.equal(decide(write(plain), asking, { ...ctx, interactive: false }).verdict, 'deny');
    assert.equal(decide(write(plain), open, { ...ctx, interactive: false }).verdict, 'allow');
    assert.equal(decide(read(plain), open, { ...ctx, trusted: false }).verdict, 'deny');
  });

  it('lets rules tighten and never loosen', () => {
    const rule = (verdict: Verdict): DecidePolicy => ({ ...open, rules: { edit: verdict, 'edit.sensitive': verdict } });
    assert.equal(decide(write(plain), rule('deny'), ctx).verdict, 'deny');
    assert.equal(decide(write(plain), rule('ask'), ctx).verdict, 'ask');
    assert.equal(decide(write(sensitive), rule('allow'), ctx).verdict, 'ask');
    assert.equal(decide(write(plain), { ...asking, rules: { edit: 'allow' } }, ctx).verdict, 'ask');
  });
});

describe('4.5.1 decide: what the agent says it would do', () => {
  const rows: [string, Subject, Verdict, Verdict][] = [
    // what, subject, asking, allowed and acknowledged
    ['read inside', agent('read'), 'allow', 'allow'],
    ['read of nothing named', agent('read', []), 'ask', 'ask'],
    ['read outside', agent('read', [outside]), 'ask', 'ask'],
    ['read of a secret', agent('read', [secret]), 'ask', 'ask'],
    ['read with a command', { ...agent('read'), hasCommand: true } as Subject, 'ask', 'allow'],
    ['search inside', agent('search'), 'allow', 'allow'],
    ['search of nothing named', agent('search', []), 'ask', 'ask'],
    ['search outside', agent('search', [outside]), 'ask', 'ask'],
    ['think', agent('think'), 'allow', 'allow'],
    ['think with input', { ...agent('think'), hasInput: true } as Subject, 'ask', 'ask'],
    ['edit', agent('edit'), 'ask', 'allow'],
    ['edit of nothing named', agent('edit', []), 'ask', 'ask'],
    ['edit that says more', { ...agent('edit'), isPlain: false } as Subject, 'ask', 'ask'],
    ['read that says more', { ...agent('read'), isPlain: false } as Subject, 'ask', 'ask'],
    ['search that says more', { ...agent('search'), isPlain: false } as Subject, 'ask', 'ask'],
    ['read that brings a change', { ...agent('read'), hasChange: true } as Subject, 'ask', 'allow'],
    ['think that brings a change of Git', { ...agent('think', [git]), hasChange: true } as Subject, 'deny', 'deny'],
    ['edit that was a read before', { ...agent('edit'), kindChanged: true } as Subject, 'ask', 'ask'],
    ['edit of a sensitive file', agent('edit', [plain, sensitive]), 'ask', 'ask'],
    ['edit of Git', agent('edit', [git]), 'deny', 'deny'],
    ['edit of what a setting denies', agent('edit', [banned]), 'deny', 'deny'],
    ['read of what a setting denies', agent('read', [banned]), 'ask', 'ask'],
    ['edit of a secret', agent('edit', [secret]), 'deny', 'deny'],
    ['edit outside', agent('edit', [outside]), 'ask', 'ask'],
    ['delete', agent('delete'), 'ask', 'ask'],
    ['move of a secret', agent('move', [plain, secret]), 'deny', 'deny'],
    ['execute', agent('execute', []), 'ask', 'allow'],
    ['fetch', agent('fetch'), 'ask', 'ask'],
    ['switch_mode', agent('switch_mode'), 'ask', 'ask'],
    ['other', agent('other'), 'ask', 'ask'],
    ['nothing known', agent('unknown', []), 'ask', 'ask'],
  ];
  for (const [what, subject, ...expected] of rows) {
    it(`${what}: ${expected.join(' ')}`, () => {
      assert.deepEqual(
        [asking, open].map((policy) => decide(subject, policy, ctx).verdict),
        expected,
      );
    });
  }
});

describe('decide: for every policy there is', () => {
  const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny');
  const choice = fc.constantFrom('off' as const, 'ask' as const, 'allow' as const);
  const policy: fc.Arbitrary<DecidePolicy> = fc.record({
    read: fc.boolean(),
    write: choice,
    terminal: choice,
    acknowledged: fc.boolean(),
    rules: fc.dictionary(
      fc.constantFrom('read', 'edit', 'edit.sensitive', 'edit.denied', 'delete', 'move', 'execute', 'other'),
      verdict,
    ),
  });
  const guarded = fc.constantFrom(
    secret,
    git,
    banned,
    outside,
    { ...git, mentioned: true },
    { ...banned, mentioned: true },
  );
  const named = { ...secret, mentioned: true };
  const any = fc.constantFrom(plain, linked, sensitive, secret, named, git, banned, outside);

  it('nothing that is denied is ever served', () => {
    fc.assert(
      fc.property(policy, guarded, fc.boolean(), fc.boolean(), (p, path, reading, interactive) => {
        const subject = reading ? read(path) : write(path);
        assert.equal(decide(subject, p, { interactive, trusted: true }).verdict, 'deny');
      }),
    );
  });

  it('a secret is read only by a person’s word, and only where the prompt names it', () => {
    fc.assert(
      fc.property(policy, fc.boolean(), (p, interactive) => {
        const { verdict } = decide(read(named), p, { interactive, trusted: true });
        assert.ok(interactive && p.read ? verdict !== 'allow' : verdict === 'deny');
        assert.equal(decide(write(named), p, { interactive, trusted: true }).verdict, 'deny');
      }),
    );
  });

  it('no sensitive file is written unasked, by the host or by the agent', () => {
    fc.assert(
      fc.property(policy, fc.array(any), fc.constantFrom('edit', 'delete', 'move'), (p, paths, kind) => {
        assert.notEqual(decide(write(sensitive), p, ctx).verdict, 'allow');
        assert.notEqual(decide(agent(kind, [...paths, sensitive]), p, ctx).verdict, 'allow');
      }),
    );
  });

  it('a rule never widens, whatever it says, and one that denies denies its category', () => {
    const rank: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };
    const subject: fc.Arbitrary<Subject> = fc.oneof(
      any.map(read),
      fc.tuple(any, fc.boolean()).map(([path, stale]) => write(path, stale)),
      fc.constant<Subject>({ by: 'host', act: 'terminal' }),
      fc.record({
        by: fc.constant('agent' as const),
        kind: fc.constantFrom(...toolKinds, 'unknown' as const),
        ...{ kindChanged: fc.boolean(), hasCommand: fc.boolean(), hasChange: fc.boolean(), hasInput: fc.boolean() },
        isPlain: fc.boolean(),
        paths: fc.array(any, { maxLength: 3 }),
      }),
    );
    const contexts = fc.record({ interactive: fc.boolean(), trusted: fc.boolean() });
    fc.assert(
      fc.property(policy, subject, contexts, verdict, (p, given, context, added) => {
        const { rules: _rules, ...bare } = p;
        const without = decide(given, bare, context);
        const rule = (what: Verdict): DecidePolicy => ({ ...p, rules: { ...p.rules, [without.category]: what } });
        assert.ok(rank[decide(given, rule(added), context).verdict] >= rank[without.verdict]);
        assert.ok(rank[decide(given, p, context).verdict] >= rank[without.verdict]);
        assert.equal(decide(given, rule('deny'), context).verdict, 'deny');
      }),
      { numRuns: 1_000 },
    );
  });

  it('an unknown kind, a mode switch and other are never allowed unasked', () => {
    fc.assert(
      fc.property(policy, fc.array(any), fc.constantFrom('unknown', 'other', 'switch_mode'), (p, paths, kind) => {
        assert.notEqual(decide(agent(kind, paths), p, ctx).verdict, 'allow');
      }),
    );
  });

  it('without the acknowledgement no edit and no command is allowed unasked', () => {
    fc.assert(
      fc.property(policy, fc.constantFrom(...toolKinds), (p, kind) => {
        const unacknowledged = { ...p, acknowledged: false };
        assert.notEqual(decide(write(plain), unacknowledged, ctx).verdict, 'allow');
        assert.notEqual(decide({ by: 'host', act: 'terminal' }, unacknowledged, ctx).verdict, 'allow');
        if (!['read', 'search', 'think'].includes(kind)) {
          assert.notEqual(decide(agent(kind), unacknowledged, ctx).verdict, 'allow');
        }
      }),
    );
  });
});
