/**
 * Values of `env` that say where a secret is instead of what it is: `${secret:NAME}`. The settings then hold no key, and
 * may be shared; the secret itself is kept by the editor.
 */

type Env = Readonly<Record<string, string | null>>;

/** Answers with a stored secret, or undefined where there is none of that name. */
export type SecretLookup = (name: string) => Promise<string | undefined>;

/** The name in a value that is nothing but a reference, or undefined. */
export function secretReference(value: string | null): string | undefined {
  return value === null ? undefined : /^\$\{secret:([^{}\r\n]{1,200})\}$/.exec(value.trim())?.[1]?.trim();
}

/** The variables with their secrets in place and a list of these, or the name of the first one that is not stored. */
export async function resolveSecrets(
  env: Env,
  lookup: SecretLookup | undefined,
): Promise<{ readonly env: Env; readonly secrets: readonly string[] } | { readonly missing: string }> {
  const result: Record<string, string | null> = {};
  const secrets: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    const name = secretReference(value);
    const secret = name === undefined ? value : ((await lookup?.(name)) ?? '');
    if (name !== undefined && secret === '') {
      return { missing: name };
    }
    if (name !== undefined && secret !== null) {
      secrets.push(secret);
    }
    result[variable] = secret;
  }
  return { env: result, secrets };
}

/** The variables without those that refer to a secret. */
export function withoutReferences(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => secretReference(value) === undefined));
}
