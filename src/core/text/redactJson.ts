import { redactNamed, redactWhole } from './redact.js';

/**
 * JSON text with its secrets taken out, and still JSON: each string is looked at by itself, with the name that it stands
 * under. Text without a secret comes back to the letter. What is no JSON, or nested too deep, becomes a JSON object that
 * says so.
 */
export function redactJson(json: string): string {
  try {
    const found = { any: false };
    const value = walk(JSON.parse(json), '', found);
    return found.any ? JSON.stringify(value) : json;
  } catch {
    return '{"left out":"this could not be searched for secrets"}';
  }
}

function walk(value: unknown, name: string, found: { any: boolean }): unknown {
  if (typeof value === 'string') {
    const shown = redactNamed(name, value);
    found.any ||= shown !== value;
    return shown;
  }
  if (Array.isArray(value)) {
    return value.map((item) => walk(item, name, found));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  // An environment variable or a header is a pair of `name` and `value` in the protocol.
  const given = 'name' in value && typeof value.name === 'string' ? value.name : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const shown = redactWhole(key);
      found.any ||= shown !== key;
      return [shown, walk(item, key === 'value' && given !== '' ? given : key, found)];
    }),
  );
}
