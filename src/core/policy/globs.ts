/**
 * Tables of names and paths, compiled to one expression each. The patterns are few and written by us, so that `*`,
 * `?`, `{a,b}` and `[ab]` within one component are all that is needed.
 */

/** One row: folded patterns, and the words that tell a person why they matter. */
export type Row<T> = { readonly patterns: readonly string[]; readonly tag: T };

export type PathTable<T> = (components: readonly string[], from: number) => T | undefined;

/**
 * A matcher for folded components. A pattern may span components (`.github/workflows`), ends in `/**` where everything
 * below belongs to it, and else must end at the last component. A match counts only if it ends at or below component
 * number `from` - 1, the root's own name: where the folder itself lies is no property of a file in it.
 */
export function pathTable<T>(rows: readonly Row<T>[]): PathTable<T> {
  const compiled = rows.map(({ patterns, tag }) => ({
    tag,
    expression: new RegExp(patterns.map(source).join('|'), 'y'),
  }));
  return (components, from) => {
    const joined = components.join('/');
    const starts: number[] = [];
    let length = 0;
    let least = 0;
    for (const [index, component] of components.entries()) {
      starts.push(length);
      length += component.length + 1;
      least = index === from - 1 ? length - 1 : least;
    }
    for (const { tag, expression } of compiled) {
      for (const start of starts) {
        expression.lastIndex = start;
        if (expression.test(joined) && expression.lastIndex >= least) {
          return tag;
        }
      }
    }
    return undefined;
  };
}

function source(pattern: string): string {
  const below = pattern.endsWith('/**');
  const body = (below ? pattern.slice(0, -3) : pattern).replace(/[\\^$.|+()*?{},]/g, (char) => {
    switch (char) {
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        return '(?:';
      case '}':
        return ')';
      case ',':
        return '|';
      default:
        return `\\${char}`;
    }
  });
  return `(?:${body}${below ? '(?=/|$)' : '$'})`;
}
