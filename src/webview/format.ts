/** Times, counts and names as the panel words them. */

/** A running or finished time of a step: `0.1 s`, `8.2 s`, `42 s`, `2:14`. */
export function stepTime(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  return seconds < 60 ? `${Math.floor(seconds)} s` : clock(ms);
}

/** `0:42`, `2:14`, `1:02:03`. */
export function clock(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A time in a sentence, whole seconds: `6 s`, `3 min 2 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1000));
  if (all < 60) {
    return `${all} s`;
  }
  const minutes = Math.floor(all / 60);
  if (minutes < 60) {
    return all % 60 === 0 ? `${minutes} min` : `${minutes} min ${all % 60} s`;
  }
  return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `820`, `12.4k`, `1.2M`. */
export function shortCount(n: number): string {
  if (n < 1000) {
    return String(n);
  }
  return n < 1_000_000 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** `82,300`. */
export function longCount(n: number): string {
  return n.toLocaleString('en-US');
}

/** `$0.46`, `0.46 EUR`. */
export function money(cost: { readonly amount: number; readonly currency: string }): string {
  const amount = cost.amount.toFixed(2);
  return cost.currency === 'USD' ? `$${amount}` : `${amount} ${cost.currency}`;
}

/** `1 request`, `3 requests`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${longCount(n)} ${n === 1 ? one : many}`;
}

/** A path as name and the folder in front of it; both separators count. */
export function splitPath(path: string): { readonly name: string; readonly folder: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return at < 0 || at === path.length - 1
    ? { name: path, folder: '' }
    : { name: path.slice(at + 1), folder: path.slice(0, at) };
}
