/**
 * The one place that says whether something may happen: a pure function of what was found, what the person set, and
 * whether somebody can be asked. Answers compose as deny > ask > allow, and each carries its reasons. Two things no
 * setting reaches: what is denied stays denied, and a sensitive file is changed only by a person's word.
 */
import type { ToolKind } from '../transcript/model.js';
import type { PathClass } from './classify.js';

export type Verdict = 'allow' | 'ask' | 'deny';

export type Category =
  | 'read'
  | 'search'
  | 'think'
  | 'edit'
  | 'edit.sensitive'
  | 'edit.denied'
  | 'delete'
  | 'move'
  | 'execute'
  | 'fetch'
  | 'switch_mode'
  | 'other';

/** What is known of one path. */
export type PathJudgement = {
  readonly inRoot: boolean;
  readonly klass: PathClass;
  /** Another name leads to the same file, outside a tree of packages. */
  readonly linked: boolean;
  /** The person's prompt of this turn names the file. */
  readonly mentioned?: boolean;
  /** The folder is the person's home, or above it. */
  readonly wide?: boolean;
};

export type Subject =
  /** The host itself would read, write or run, on arguments that it holds. */
  | { readonly by: 'host'; readonly act: 'read' | 'write'; readonly path: PathJudgement; readonly stale?: boolean }
  | { readonly by: 'host'; readonly act: 'terminal' }
  /** The agent would act; everything here is its own word, merged over all it said of the call. */
  | {
      readonly by: 'agent';
      readonly kind: ToolKind | 'unknown';
      /** Two messages about the call named different kinds. */
      readonly kindChanged: boolean;
      readonly hasCommand: boolean;
      /** It carries a change of a file, whatever kind it names. */
      readonly hasChange?: boolean;
      readonly hasInput: boolean;
      /** Its input is known in full and names nothing but `paths`, and nothing of the call was left out. */
      readonly isPlain: boolean;
      readonly paths: readonly PathJudgement[];
    };

/** How the person wants the host to serve. `rules` may tighten a category further. */
export type DecidePolicy = {
  readonly read: boolean;
  readonly write: 'off' | 'ask' | 'allow';
  readonly terminal: 'off' | 'ask' | 'allow';
  /** Without it `allow` behaves as `ask`. */
  readonly acknowledged: boolean;
  readonly rules?: Readonly<Partial<Record<Category, Verdict>>>;
};

export type DecideContext = {
  /** Somebody can be asked and the answer read back. */
  readonly interactive: boolean;
  readonly trusted: boolean;
};

export type Decided = { readonly verdict: Verdict; readonly category: Category; readonly why: readonly string[] };

/** The categories that `allow` reaches once it is acknowledged. The others ask, or allow by their own default. */
const grantable: ReadonlySet<Category> = new Set(['edit', 'execute']);

/** Decides one request. Total: no policy or subject throws, and what is missing counts as the risky case. */
export function decide(subject: Subject, policy: DecidePolicy, context: DecideContext): Decided {
  const category = categoryOf(subject);
  const found: { verdict: Verdict; why: string }[] = [byDefault(subject, category, policy)];
  if (!context.trusted) {
    found.push({ verdict: 'deny', why: 'the folder is not trusted' });
  }
  found.push(...byPath(subject, category));
  const rule = policy.rules?.[category];
  if (rule !== undefined) {
    found.push({ verdict: rule, why: 'a setting says so' });
  }
  const verdict = strictest(found.map((entry) => entry.verdict));
  const why = found.filter((entry) => entry.verdict === verdict && entry.why !== '').map((entry) => entry.why);
  if (verdict === 'ask' && !context.interactive) {
    return { verdict: 'deny', category, why: ['nobody can be asked', ...why] };
  }
  return { verdict, category, why };
}

/** The category of a request: the riskiest reading of what is known. */
function categoryOf(subject: Subject): Category {
  if (subject.by === 'host') {
    return subject.act === 'terminal' ? 'execute' : subject.act === 'read' ? 'read' : editCategory([subject.path]);
  }
  const kind = subject.kind;
  const harmless = kind === 'read' || kind === 'search' || kind === 'think';
  if (harmless && subject.hasCommand) {
    return 'execute';
  }
  if (harmless && subject.hasChange === true) {
    return editCategory(subject.paths);
  }
  switch (kind) {
    case 'edit':
      return editCategory(subject.paths);
    case 'delete':
    case 'move': {
      // A guarded file stays guarded when it is removed or renamed.
      const category = editCategory(subject.paths);
      return category === 'edit' ? kind : category;
    }
    case 'unknown':
      return 'other';
    default:
      return kind;
  }
}

function editCategory(paths: readonly PathJudgement[]): Category {
  if (paths.some(({ klass, inRoot }) => isGuarded(klass) || !inRoot)) {
    return 'edit.denied';
  }
  return paths.some(({ klass }) => klass === 'sensitive') ? 'edit.sensitive' : 'edit';
}

function byDefault(subject: Subject, category: Category, policy: DecidePolicy): { verdict: Verdict; why: string } {
  if (subject.by === 'host') {
    const set = subject.act === 'read' ? (policy.read ? 'allow' : 'off') : policy[subject.act];
    if (set === 'off') {
      return { verdict: 'deny', why: 'it is switched off' };
    }
    if (subject.act === 'read') {
      return { verdict: 'allow', why: '' };
    }
    const granted = set === 'allow' && policy.acknowledged && grantable.has(category);
    return granted ? { verdict: 'allow', why: '' } : { verdict: 'ask', why: '' };
  }
  switch (category) {
    case 'read':
    case 'search':
      return unclear(subject, category === 'read' ? 'read' : 'searched') ?? { verdict: 'allow', why: '' };
    case 'think':
      // Sub-agents and to-do tools come under this kind.
      return subject.hasInput ? { verdict: 'ask', why: '' } : { verdict: 'allow', why: '' };
    case 'edit':
      return policy.write === 'allow' && policy.acknowledged
        ? (unclear(subject, 'edited') ?? { verdict: 'allow', why: '' })
        : { verdict: 'ask', why: '' };
    case 'execute':
      return { verdict: policy.terminal === 'allow' && policy.acknowledged ? 'allow' : 'ask', why: '' };
    default:
      return { verdict: 'ask', why: '' };
  }
}

/** An agent's word for what it does says nothing where the place is missing, or where it says more than that. */
function unclear(
  subject: Extract<Subject, { by: 'agent' }>,
  done: string,
): { verdict: Verdict; why: string } | undefined {
  if (subject.paths.length === 0) {
    return { verdict: 'ask', why: `it does not say what is ${done}` };
  }
  return subject.isPlain ? undefined : { verdict: 'ask', why: `its input says more than what is ${done}` };
}

function byPath(subject: Subject, category: Category): { verdict: Verdict; why: string }[] {
  const found: { verdict: Verdict; why: string }[] = [];
  if (subject.by === 'host') {
    if (subject.act === 'terminal') {
      return found;
    }
    const { klass, inRoot, linked, mentioned, wide } = subject.path;
    if (!inRoot) {
      found.push({ verdict: 'deny', why: 'it lies outside the folder' });
    }
    if (isGuarded(klass)) {
      const mayAsk = klass === 'secret' && subject.act === 'read' && mentioned === true;
      found.push({ verdict: mayAsk ? 'ask' : 'deny', why: guarded(klass) });
    }
    if (wide === true && subject.act === 'read') {
      found.push({ verdict: 'ask', why: 'the folder is your home or above it' });
    }
    if (linked) {
      found.push({ verdict: 'ask', why: 'another name leads to the same file' });
    }
    if (subject.stale === true) {
      found.push({ verdict: 'ask', why: 'it changed since the agent read it' });
    }
  } else {
    if (subject.kindChanged) {
      found.push({ verdict: 'ask', why: 'the agent changed what it calls this' });
    }
    if (subject.paths.some(({ inRoot }) => !inRoot)) {
      found.push({ verdict: 'ask', why: 'it reaches outside the folder' });
    }
    for (const { klass } of subject.paths) {
      if (isGuarded(klass)) {
        // A read by the agent itself cannot be prevented here, so that a person at least learns of it.
        found.push({ verdict: category === 'edit.denied' ? 'deny' : 'ask', why: guarded(klass) });
      }
    }
  }
  if (category === 'edit.sensitive') {
    found.push({ verdict: 'ask', why: 'the file is run by something else than you' });
  }
  return found;
}

/** Whether a file of this class is not opened for agents; a secret may be read where a person says so. */
export function isGuarded(klass: PathClass): klass is 'secret' | 'git' | 'denied' {
  return klass === 'secret' || klass === 'git' || klass === 'denied';
}

function guarded(klass: 'secret' | 'git' | 'denied'): string {
  switch (klass) {
    case 'git':
      return "it is Git's own data";
    case 'secret':
      return 'it may hold secrets';
    case 'denied':
      return 'a setting denies it';
  }
}

function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.includes('deny') ? 'deny' : verdicts.includes('ask') ? 'ask' : 'allow';
}
