/**
 * The environment of an agent: built from an allow-list and never the inherited one, because an editor's environment
 * holds tokens, debugger hooks and variables that break other Electron programs. This file alone reads `process.env`.
 */
import { commonNames, deniedNames, nameMatcher, posixNames, windowsNames } from './environmentNames.js';

/** The variable by which everything that descends from one agent can be found again. */
export const markerName = 'ACP_HOST_ID';

/** What inherited variables are chosen from: what a login shell gave, or undefined for this process's own environment. */
export type BaseEnvironment = Readonly<Record<string, string | undefined>> | undefined;

export type EnvironmentRequest = {
  readonly base?: BaseEnvironment;
  readonly platform?: NodeJS.Platform;
  /** `acpHost.environment.pass`: more names that may be inherited; a trailing `*` stands for any rest. */
  readonly pass: readonly string[];
  /** Names that this agent declares, as `CODEX_*`. */
  readonly agentNames?: readonly string[];
  /** What a person wrote down for this agent. `null` takes a variable away; `${env:PATH}` in PATH is the base's. */
  readonly agentEnv: Readonly<Record<string, string | null>>;
  /** Set by the host's own code, last. */
  readonly hostEnv?: Readonly<Record<string, string>>;
  /** Identifies the process tree. */
  readonly marker: string;
};

export type BuiltEnvironment = {
  readonly env: Readonly<Record<string, string>>;
  /** Names of what was handed on, sorted. Values are never told. */
  readonly passed: readonly string[];
  /** What was left out though it was allowed or asked for, one sentence each, without values. */
  readonly notes: readonly string[];
};

/** The environment of this process, for what has to search PATH or start the login shell. */
export function hostEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Filtered base, then the agent's own settings, then the marker. The deny-list holds against everything inherited,
 * also names that the settings pass on; a value that a person wrote down for one agent is theirs and stays.
 */
export function buildEnvironment(request: EnvironmentRequest): BuiltEnvironment {
  const windows = (request.platform ?? process.platform) === 'win32';
  const base = request.base ?? hostEnvironment();
  const own = windows ? windowsNames : posixNames;
  const allowed = nameMatcher([...own, ...commonNames, ...(request.agentNames ?? []), ...request.pass], windows);
  const denied = nameMatcher(deniedNames, windows);
  const spelling = new Map(own.map((name) => [name.toUpperCase(), name]));
  const result = new Map<string, { name: string; value: string }>();
  const notes: string[] = [];
  const key = (name: string): string => (windows ? name.toUpperCase() : name);

  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || !allowed(name) || denied(name) || value.trim() === '') {
      continue;
    }
    const fault = faultOf(name, value);
    if (fault !== undefined) {
      notes.push(`${JSON.stringify(name)} was left out: ${fault}.`);
    } else if (!result.has(key(name))) {
      result.set(key(name), { name: windows ? (spelling.get(key(name)) ?? name) : name, value });
    }
  }

  const inheritedPath = result.get('PATH')?.value ?? '';
  for (const [name, value] of Object.entries(request.agentEnv)) {
    const fault = value === null ? undefined : faultOf(name, value);
    if (fault !== undefined) {
      notes.push(`${JSON.stringify(name)} of the agent's settings was left out: ${fault}.`);
    } else if (value === null || value === '') {
      result.delete(key(name));
    } else {
      const full = key(name).toUpperCase() === 'PATH' ? value.replaceAll('${env:PATH}', inheritedPath) : value;
      result.set(key(name), { name: result.get(key(name))?.name ?? name, value: full });
    }
  }
  for (const [name, value] of Object.entries(request.hostEnv ?? {})) {
    result.set(key(name), { name, value });
  }
  result.delete(markerName);
  const passed = [...result.values()].map(({ name }) => name).sort();
  result.set(markerName, { name: markerName, value: request.marker });
  return { env: Object.fromEntries([...result.values()].map(({ name, value }) => [name, value])), passed, notes };
}

/**
 * The base with the proxy of the editor's settings, where it names none itself: a program that the editor starts should
 * reach the network as the editor does.
 */
export function withProxy(
  base: Readonly<Record<string, string | undefined>>,
  proxy: unknown,
  noProxy: unknown,
): Readonly<Record<string, string | undefined>> {
  const own = Object.keys(base).some((name) => /^(?:https?|all)_proxy$/i.test(name) && base[name]?.trim() !== '');
  if (own || typeof proxy !== 'string' || !/^(?:https?|socks[45]?):\/\/\S+$/i.test(proxy)) {
    return base;
  }
  const hosts = Array.isArray(noProxy) ? noProxy.filter((host): host is string => typeof host === 'string') : [];
  return {
    ...base,
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    ...(hosts.length === 0 || base['NO_PROXY'] !== undefined ? {} : { NO_PROXY: hosts.join(',') }),
  };
}

function faultOf(name: string, value: string): string | undefined {
  if (name === '' || name.includes('=') || name.includes('\0')) {
    return 'this is no name of a variable';
  }
  return /[\n\r\0]/.test(value) ? 'its value has more than one line' : undefined;
}

/** Looks a variable up as the platform does. */
export function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32') {
    return env[name];
  }
  const found = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

const secretName = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)(_|$)/i;

/**
 * Values that must not be shown, for the redactor's list of exact secrets: those of variables whose names say so, and
 * of what a person wrote down for the agent (`own`) whatever could be one. What an error is read for is none: a path,
 * a number, a plain word, an address, the name of a model.
 */
export function secretValues(
  env: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | null>> = {},
): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => {
      const isOwn = typeof own[name] === 'string' && !plainName.test(name);
      return value.length >= 8 && (secretName.test(name) || (isOwn && couldBeSecret(value)));
    })
    .map(([, value]) => value);
}

const plainName =
  /(?:^|_)(?:MODEL|NAME|REGION|LOCATION|VERSION|HOST|PORT|DIR|PATH|HOME|MODE|LEVEL|PROJECT|TIMEOUT|LOCALE|LANG|TZ)$/i;

function couldBeSecret(value: string): boolean {
  const isPath = /^[~.]{0,2}[/\\]|^[A-Za-z]:[/\\]/.test(value);
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\/[^@]*$/i.test(value);
  return /\d/.test(value) && /\D/.test(value) && !isPath && !isAddress;
}

/** A pager would wait for keys that nobody can press. */
export const quietPagers = { PAGER: 'cat', GIT_PAGER: 'cat' };
