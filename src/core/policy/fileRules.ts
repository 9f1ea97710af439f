/**
 * The patterns by which a person adjusts what is guarded: `deny` adds, `allow` names files that the built-in list of
 * secrets is wrong about. Patterns come also from a folder's settings, so matching takes time in proportion to pattern
 * times path, whatever either holds.
 */
import { foldWhole } from './paths.js';

export type FileRules = {
  /** Whether these folded components, from the root down, are denied. */
  denies(components: readonly string[]): boolean;
  allows(components: readonly string[]): boolean;
};

export type CompiledFileRules = { readonly rules: FileRules; readonly complaints: readonly string[] };

export const noFileRules: FileRules = { denies: () => false, allows: () => false };

/** Patterns of one list that are used, and characters of each. */
const mostPatterns = 200;
const longestPattern = 300;
/** Alternatives that `{a,b}` may make of one pattern. */
const mostAlternatives = 64;
/** Of all patterns of a list together, after braces: each is tried for every path. */
const mostTried = 500;

type Pattern = readonly string[];

/**
 * Rules of two settings as they stand there. As in .gitignore, a pattern without a slash names files and folders
 * anywhere, one with a slash counts from the root, and a folder's name covers all below it. `*`, `?`, `**` and `{a,b}`
 * are understood. What cannot be used is left out and told in `complaints`, one sentence each.
 */
export function compileFileRules(deny: unknown, allow: unknown): CompiledFileRules {
  const complaints: string[] = [];
  const denied = compile(deny, 'deny', complaints);
  const allowed = compile(allow, 'allow', complaints);
  return {
    rules: {
      denies: (components) => denied.some((pattern) => covers(pattern, components)),
      allows: (components) => allowed.some((pattern) => covers(pattern, components)),
    },
    complaints,
  };
}

function compile(value: unknown, name: string, complaints: string[]): readonly Pattern[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    complaints.push(`acpHost.files.${name} must be a list of patterns.`);
    return [];
  }
  if (value.length > mostPatterns) {
    complaints.push(`Only the first ${String(mostPatterns)} patterns of acpHost.files.${name} are used.`);
  }
  const patterns = value.slice(0, mostPatterns).flatMap((pattern: unknown): readonly Pattern[] => {
    const made = typeof pattern === 'string' && pattern.length <= longestPattern ? patternsOf(pattern) : undefined;
    if (made === undefined) {
      complaints.push(`A pattern of acpHost.files.${name} is left out: ${JSON.stringify(pattern).slice(0, 80)}.`);
    }
    return made ?? [];
  });
  if (patterns.length > mostTried) {
    complaints.push(
      `The braces of acpHost.files.${name} make more than ${String(mostTried)} patterns; the rest is left out.`,
    );
  }
  return patterns.slice(0, mostTried);
}

function patternsOf(text: string): readonly Pattern[] | undefined {
  const alternatives = expand(text.trim());
  return alternatives?.flatMap((one) => {
    const parts = one.split('/');
    const isAnywhere = parts.filter((part) => part !== '').length <= 1 && !one.startsWith('/');
    const components = parts
      .filter((part) => part !== '' && part !== '.')
      .map((part) => (part === '**' ? part : foldWhole(part)));
    // A folder covers what is below it, so that a tail of `**` adds nothing.
    while (components.at(-1) === '**' && components.length > 1) {
      components.pop();
    }
    return components.length === 0 ? [] : [isAnywhere ? ['**', ...components] : components];
  });
}

/** The texts that `{a,b}` stands for; undefined where braces do not match or make too many. */
function expand(text: string): readonly string[] | undefined {
  let done: string[] = [''];
  let group: string[] | undefined;
  for (const char of text) {
    if (char === '{' && group === undefined) {
      group = [''];
    } else if (char === '{' || (char === '}' && group === undefined)) {
      return undefined;
    } else if (char === '}' && group !== undefined) {
      const choices = group;
      done = done.flatMap((head) => choices.map((choice) => head + choice));
      group = undefined;
    } else if (char === ',' && group !== undefined) {
      group.push('');
    } else if (group !== undefined) {
      group[group.length - 1] = (group.at(-1) ?? '') + char;
    } else {
      done = done.map((head) => head + char);
    }
    if (done.length * (group?.length ?? 1) > mostAlternatives) {
      return undefined;
    }
  }
  return group === undefined ? done : undefined;
}

/** Whether a pattern matches these components or a folder above them. */
function covers(pattern: Pattern, components: readonly string[]): boolean {
  // reached[i]: the pattern up to the row's part has matched the first i components.
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === '**') {
        for (let i = at; i <= components.length; i++) {
          next.add(i);
        }
        break;
      }
      const component = components[at];
      if (component !== undefined && matches(part, component)) {
        next.add(at + 1);
      }
    }
    reached = next;
  }
  return [...reached].some((at) => at > 0);
}

/** `*` and `?` within one component, without going back further than the last star. */
function matches(part: string, component: string): boolean {
  let p = 0;
  let c = 0;
  let star = -1;
  let mark = 0;
  while (c < component.length) {
    if (p < part.length && (part[p] === '?' || (part[p] === component[c] && part[p] !== '*'))) {
      p += 1;
      c += 1;
    } else if (part[p] === '*') {
      star = p;
      mark = c;
      p += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      c = mark;
    } else {
      return false;
    }
  }
  while (part[p] === '*') {
    p += 1;
  }
  return p === part.length;
}
