/**
 * Whether a person's own words name a file. An agent that is asked for a guarded file by name may then ask to read it;
 * what the agent itself says never counts.
 */

/** Whether one of these names, or a path that ends with one, stands in the text as a word of its own. */
export function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const wanted = name.replaceAll('\\', '/');
    const searched = text.replaceAll('\\', '/');
    for (let at = searched.indexOf(wanted); at >= 0 && wanted !== ''; at = searched.indexOf(wanted, at + 1)) {
      const before = searched[at - 1] ?? ' ';
      const after = searched.slice(at + wanted.length, at + wanted.length + 2);
      if (!/[\p{L}\p{N}._~-]/u.test(before) && !/^(?:[\p{L}\p{N}_~/-]|[.][\p{L}\p{N}])/u.test(after)) {
        return true;
      }
    }
    return false;
  });
}
