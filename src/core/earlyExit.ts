/** What the stderr of an agent that ended at once gives away, so that a person gets a cause and not an exit code. */
import { plainLine } from './text/quote.js';

export type EarlyExitWords = { readonly what: string; readonly why: string; readonly nextStep: string };

// Syntax and modules that an old Node does not know, npm's refusal of an engine, and what launchers print themselves.
const tooOld = [
  /Unsupported engine|EBADENGINE|engine ["“]?node["”]? is incompatible/i,
  /SyntaxError: (Unexpected (token|identifier|reserved word)|Invalid regular expression flags|.* does not provide an export named)/,
  /ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:/,
  /(requires?|needs?) (at least )?Node(\.js)?\b/i,
  /\bNode(\.js)? (version )?[^\n]{0,40}\b(is )?(too old|not supported|unsupported)/i,
];
const notLoggedIn =
  /\bnot logged in\b|\bplease (run \/?login|log ?in|sign in)\b|\b(login|sign-in|authentication) (is )?required\b|\bnot authenticated\b/i;

/** The known causes among the last lines of stderr, or undefined. `agent` is the name to use. */
export function describeEarlyExit(stderrTail: readonly string[], agent: string): EarlyExitWords | undefined {
  const text = stderrTail.join('\n');
  if (tooOld.some((pattern) => pattern.test(text))) {
    const running = /\bNode\.js v(\d+\.\d+\.\d+)|\bcurrent:? *\{? *(?:"?node"?: *)?["'`]?v?(\d+\.\d+\.\d+)/i.exec(text);
    const needed =
      /\brequired:? *\{? *(?:"?node"?: *)?["'`]([^"'`]{1,30})|(?:requires?|needs?) (?:at least )?Node(?:\.js)?(?: version)? *([>=^~v]*\s*\d+(?:\.\d+)*)/i.exec(
        text,
      );
    const have = running?.[1] ?? running?.[2];
    const want = needed?.[1] ?? needed?.[2];
    return {
      what: `Node.js is too old for ${agent}`,
      why: `${agent} needs a newer Node.js${have === undefined ? '' : ` than ${have}`}.`,
      nextStep: `Install Node.js ${want === undefined ? '22 or newer' : plainLine(want, 30)}, then try again.`,
    };
  }
  if (notLoggedIn.test(text)) {
    return {
      what: `Sign in to ${agent}`,
      why: `${agent} says that nobody is signed in.`,
      nextStep: `Sign in with the command line of ${agent}, then try again.`,
    };
  }
  return undefined;
}
