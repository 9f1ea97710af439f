/** Splits comma-separated text into rows of fields. */
export function parse(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line) => line.split(','));
}
