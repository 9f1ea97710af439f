/** For a command whose added variables are of `changesPrograms`. */
export const variablesNote =
  'The variables that it adds decide which programs and code run. Look at them before you allow it.';

/** Variables that load code, or decide which program a name stands for. */
const loads =
  /^(?:PATH|LD_\w+|DYLD_\w+|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PROMPT_COMMAND|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|_?JAVA_(?:TOOL_)?OPTIONS|CLASSPATH|GIT_(?:SSH|CONFIG|PROXY)\w*|GIT_(?:DIR|EXEC_PATH|EXTERNAL_DIFF|TEMPLATE_DIR)|IFS|npm_config_\w+)$/i;
/** Variables that name a helper; agents set them to a harmless one, so that nothing waits for a person. */
const helpers =
  /^(?:PAGER|(?:GIT|MAN|SYSTEMD)_?PAGER|EDITOR|VISUAL|GIT_(?:SEQUENCE_)?EDITOR|BROWSER|(?:SSH|GIT|SUDO)_ASKPASS)$/i;
const harmless = /^(?:|:|cat|more|less|true|false|\/bin\/(?:true|false|cat)|\/usr\/bin\/(?:true|false|cat))$/;
/** The shells of a system: Kimi names one with each command (`SHELL=/bin/bash`, measured with 2.1.0). */
const systemShell = /^(?:|(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?:ba|z|da|k|fi)?sh)$/;

/** Whether a variable (`NAME=value`) makes a harmless command run something else. */
export function changesPrograms(variable: string): boolean {
  const [name = '', ...rest] = variable.split('=');
  const value = rest.join('=');
  return (
    loads.test(name) ||
    (helpers.test(name) && !harmless.test(value)) ||
    (/^SHELL$/i.test(name) && !systemShell.test(value))
  );
}

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
