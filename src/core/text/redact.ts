/**
 * Takes secrets out of text that leaves the machine's private places: logs, notices, traffic, diagnostics. It errs
 * towards redacting where a name says "secret", and towards leaving alone what has no name: hashes and paths are what
 * a log is read for.
 */
import { cut, limits } from './limits.js';

const mark = '[redacted]';

/** Secrets that were handed to agents, and how many are remembered. */
const handedOn = new Set<string>();
const mostHandedOn = 1_000;
let handedOnPattern: RegExp | undefined;

/**
 * From here on `redact` takes these exact values out of every text. For what is handed to an agent, which may come back
 * on any channel. Short values are ignored, as in `redact`.
 */
export function neverShow(values: readonly string[]): void {
  const fresh = values.filter((value) => value.length >= shortest && !handedOn.has(value));
  for (const value of fresh.slice(0, Math.max(0, mostHandedOn - handedOn.size))) {
    handedOn.add(value);
  }
  handedOnPattern = fresh.length === 0 ? handedOnPattern : patternOf([...handedOn]);
}

/**
 * The text with everything that looks like a secret replaced by `[redacted]`. Redacting twice changes nothing more.
 *
 * @param secrets exact values to take out wherever they stand, also in their base64 and URL forms; those of fewer than
 *   four characters are not looked for, since they would hit ordinary words
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  return redactWhole(text.length <= limits.redact ? text : `${cut(text, limits.redact)}\n(cut)`, secrets);
}

/** As `redact`, and the text is not cut, however long it is: for what has to stay whole, such as a line of JSON. */
export function redactWhole(text: string, secrets: readonly string[] = []): string {
  let result = text;
  // What is taken out changes what stands beside it: `KEY=abc\\password://` looks like a path until the second name in
  // it has lost its value, and like a key afterwards.
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = withoutPatterns(withoutValues(result, secrets));
    if (next === result) {
      return result;
    }
    result = next;
  }
  return withoutUnsettled(result, secrets);
}

/** As `redactWhole` for a value that stands under a name, as in JSON: the name may say that all of it is a secret. */
export function redactNamed(name: string, value: string): string {
  const words = wordsOfName(name.slice(0, 100));
  const isHeader = /^(?:proxy_)?authorization$|^(?:set_)?cookie$/.test(words);
  const isSecret = isHeader || (secretName.test(words) && !isHarmless(value, spoken.test(words)));
  return isSecret && value.trim() !== '' ? mark : redactWhole(value);
}

/** Three settle all but text made to need more. */
const mostPasses = 6;

/** Lines on which every pass still finds something go as a whole. */
function withoutUnsettled(text: string, secrets: readonly string[]): string {
  const lines = text.split('\n').map((line) => {
    const next = withoutPatterns(withoutValues(line, secrets));
    return next === line ? line : mark;
  });
  return lines.join('\n');
}

function withoutValues(text: string, secrets: readonly string[]): string {
  return [patternOf(secrets), handedOnPattern].reduce<string>((out, pattern) => {
    // A mark that already stands there is no place to look for secrets.
    const parts = pattern === undefined ? [out] : out.split(mark).map((part) => part.replace(pattern, mark));
    return parts.join(mark);
  }, text);
}

/** Values of fewer characters would hit ordinary words. */
const shortest = 4;

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const values = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf);
  // The longest first: a secret may contain another one.
  values.sort((a, b) => b.length - a.length);
  return values.length === 0
    ? undefined
    : new RegExp(values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

/** A secret as it is, percent-encoded, JSON-escaped, and in both base64 alphabets. */
function formsOf(secret: string): string[] {
  const wellFormed = secret.replace(/[\ud800-\udfff]/gu, '\ufffd');
  const encoded = base64(wellFormed);
  const url = encoded.replaceAll('+', '-').replaceAll('/', '_');
  return [...new Set([secret, encodeURIComponent(wellFormed), JSON.stringify(secret).slice(1, -1), encoded, url])];
}

/** Base64 of the UTF-8 bytes, without padding. Core has neither Node's Buffer nor the DOM's btoa. */
function base64(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytes = (encodeURIComponent(text).match(/%[0-9A-F]{2}|[^%]/g) ?? []).map((unit) =>
    unit.length === 3 ? parseInt(unit.slice(1), 16) : unit.charCodeAt(0),
  );
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,6}/g) ?? []).map((six) => alphabet[parseInt(six.padEnd(6, '0'), 2)]).join('');
}

/** Names of fields and variables whose value is a secret, after `wordsOfName`. */
const secretName =
  /(?:^|_)(?:api_?key|access_?key(?:_?id)?|account_?key|private_?key|secret_?key|signing_?key|encryption_?key|token|secret|password|passwd|passphrase|pwd|credentials?)$|[a-z0-9]_pass$/;
const spoken = /(?:^|_)(?:password|passwd|passphrase|pwd)$/;

/** The part before the value in `name = value`, `name: value`, `"name": "value"`, `--name value`. */
const named = /(?<![\w.-])(?:--)?([\w.-]{1,80})(\\?["']?)(?:\s{0,8}[:=]\s{0,8}|(?<=--[\w.-]{1,80})[ ])/g;
/** Without a bound here: it is tried only where a name promises a secret, and no two values overlap. */
const valued = /\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|[^\s,;&"'})]+/y;

/**
 * Where a token may begin: not within a word, and after what belongs to no word although it ends in a letter: the code
 * of a colour, as it is or in JSON, and an escaped line end.
 */
const edge = (word: string): string => String.raw`(?<![${word}])|(?<=(?:\u001b|\\u001b)\[[0-9;]{0,20}m|\\[nrt])`;
const expression = (word: string, rest: string, flags = 'g'): RegExp => new RegExp(`(?:${edge(word)})${rest}`, flags);

const privateKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;
const header = expression(
  'A-Za-z0-9',
  String.raw`((?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?|(?:set-)?cookie\\?["']?\s{0,8}:\s{0,8}\\?["']?)[^\r\n"'\\]{1,8192}`,
  'gi',
);
const userOfUrl = expression('A-Za-z0-9+.-', String.raw`([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/?#"'<>]{1,512})@`, 'gi');
/** Tokens by the prefix that their makers gave them. */
const tokens = expression(
  String.raw`\w-`,
  `(?:${[
    String.raw`sk-(?=[\w-]{0,200}\d)[\w-]{16,}`,
    String.raw`sk-[\w-]{0,200}T3BlbkFJ[\w-]{8,}`,
    String.raw`(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|gsk_|xai-)[\w-]{16,}`,
    String.raw`AIza[\w-]{30,}|ya29\.[\w-]{16,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}`,
    String.raw`shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}`,
    String.raw`SG\.[\w-]{16,}\.[\w-]{32,}|ops_eyJ[\w+/=-]{90,}`,
    String.raw`eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*`,
  ].join('|')})`,
);
const hooks = /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{10,200}/gi;
const keyId = expression('A-Za-z0-9', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])');
const bearer = expression('A-Za-z0-9', String.raw`(Bearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,}`, 'gi');

function withoutPatterns(text: string): string {
  return text
    .replace(privateKey, mark)
    .replace(header, `$1${mark}`)
    .replace(userOfUrl, withoutUser)
    .split('\n')
    .map(withoutNamed)
    .join('\n')
    .replace(tokens, mark)
    .replace(hooks, `$1${mark}`)
    .replace(keyId, mark)
    .replace(bearer, `$1${mark}`);
}

function withoutUser(whole: string, scheme: string, user: string): string {
  // A bare name, as in ssh://git@host, is no secret.
  return user.includes(':') || user.length >= 16 ? `${scheme}${mark}@` : whole;
}

function withoutNamed(line: string): string {
  let result = '';
  let done = 0;
  for (const match of line.matchAll(named)) {
    const [head, name = '', quote = ''] = match;
    const start = match.index + head.length;
    const words = wordsOfName(name);
    if (match.index < done || !secretName.test(words)) {
      continue;
    }
    valued.lastIndex = start;
    const value = valued.exec(line)?.[0] ?? '';
    if (isHarmless(value, spoken.test(words))) {
      continue;
    }
    const open = /^\\?["']/.exec(value)?.[0] ?? '';
    // People put spaces into passwords, so the rest of the line belongs to one that stands unquoted after a colon.
    const isPhrase = spoken.test(words) && quote === '' && open === '' && head.includes(':');
    result += line.slice(done, start) + open + mark + open;
    done = isPhrase ? line.length : start + value.length;
  }
  return result + line.slice(done);
}

/** `OPENAI_API_KEY`, `x-api-key`, `authToken` in one form: lower case, words joined by `_`. */
function wordsOfName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toLowerCase();
}

/** Counts, words of a language and paths are not secrets, unless a password is what the name promises. */
function isHarmless(value: string, isPassword: boolean): boolean {
  const bare = value.replace(/^\\?["']|\\?["']$/g, '');
  if (bare === '' || /^(?:null|undefined|true|false|none)$/i.test(bare)) {
    return true;
  }
  return !isPassword && (/^\d{1,7}$/.test(bare) || isPath(bare));
}

/** A slash makes a path, unless the whole is base64 or a part of it looks like a key. */
function isPath(value: string): boolean {
  return value.includes('/') && !isKey(value) && !value.split(/[\\/]/).some(isKey);
}

function isKey(value: string): boolean {
  return (
    value.length >= 20 &&
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d/.test(value)
  );
}
