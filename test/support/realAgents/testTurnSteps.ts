import type { Step } from '../mockModel/types.js';

/** What a model does that follows the prompt of the probe's test turn; undefined for every other text. */
export function testTurnSteps(prompt: string): readonly Step[] | undefined {
  const [, read] = /1\. Read the file (\S+)\.\n/.exec(prompt) ?? [];
  const [, edit, before, after] = /2\. In the file (\S+) change the line "(.*)" to "(.*)"\./.exec(prompt) ?? [];
  const [, command] = /3\. Run this shell command: (.*)/.exec(prompt) ?? [];
  if (read === undefined || edit === undefined || command === undefined) {
    return undefined;
  }
  return [
    { do: 'read', path: read },
    { do: 'read', path: edit },
    { do: 'edit', path: edit, old: before, new: after },
    { do: 'shell', command },
    { text: 'I have done all three.' },
  ];
}
