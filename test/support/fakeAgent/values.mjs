// @ts-check
/** Templates: `{{path}}` in the strings of a script. The rules stand in ../fakeAgentScript.ts. */

/** @typedef {Record<string, unknown>} Variables */

/**
 * The value at a dotted path, or undefined.
 * @param {string} path
 * @param {Variables} variables
 * @returns {unknown}
 */
function lookup(path, variables) {
  /** @type {unknown} */
  let value = variables;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) {
      return undefined;
    }
    value = /** @type {Record<string, unknown>} */ (value)[part];
  }
  return value;
}

/**
 * @param {string} expression
 * @param {Variables} variables
 * @returns {unknown}
 */
function evaluate(expression, variables) {
  const trimmed = expression.trim();
  if (!trimmed.startsWith('json ')) {
    return lookup(trimmed, variables);
  }
  return JSON.stringify(lookup(trimmed.slice(5).trim(), variables)) ?? 'undefined';
}

/**
 * A copy of `value` with all templates replaced.
 * @param {unknown} value
 * @param {Variables} variables
 * @returns {unknown}
 */
export function fill(value, variables) {
  if (typeof value === 'string') {
    if (!value.includes('{{')) {
      return value;
    }
    const whole = /^\{\{([^{}]+)\}\}$/.exec(value);
    if (whole) {
      return evaluate(whole[1] ?? '', variables);
    }
    return value.replace(/\{\{([^{}]+)\}\}/g, (_all, expression) => {
      const found = evaluate(String(expression), variables);
      return typeof found === 'string' ? found : (JSON.stringify(found) ?? 'undefined');
    });
  }
  if (Array.isArray(value)) {
    return value.map((item) => fill(item, variables));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables)]));
  }
  return value;
}

/**
 * `fill` for a place that needs text.
 * @param {string} value
 * @param {Variables} variables
 * @returns {string}
 */
export function fillText(value, variables) {
  const filled = fill(value, variables);
  return typeof filled === 'string' ? filled : (JSON.stringify(filled) ?? 'undefined');
}
