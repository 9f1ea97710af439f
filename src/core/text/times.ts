/** Lengths of time as a person reads them beside a step or a call. Milliseconds in, never negative. */

/** `0:42`, `2:14`, `1:02:03`. */
export function clock(ms: number): string {
  const all = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** `0.1 s`, `8.2 s`, `42 s`, `2:14`. */
export function stepTime(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  return seconds < 60 ? `${Math.floor(seconds)} s` : clock(ms);
}
