/** For a name in which `mixesAlphabets` found more than one. */
export const lookalikeNote = 'A name here mixes alphabets, so it may be another than the one it looks like.';

/** Alphabets with letters that look like those of another one. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Whether one component of a path has letters of two alphabets that can be taken for one another. */
export function mixesAlphabets(path: string): boolean {
  return path.split(/[\\/]/).some((component) => component.split(/[^\p{L}\p{M}]+/u).some(isMixed));
}

function isMixed(word: string): boolean {
  return alphabets.filter((alphabet) => alphabet.test(word)).length > 1;
}
