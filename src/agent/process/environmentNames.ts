/** Names of environment variables: what an agent may inherit, and what nothing may hand on. Trailing `*` = any rest. */

/** SSH_AUTH_SOCK is not here on purpose: it lets a process use the person's keys, so it takes a name in the setting. */
export const posixNames: readonly string[] = [
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
  // By name, and not by their prefixes: anything may stand behind a prefix, a token too.
  ...['LC_ALL', 'LC_CTYPE', 'LC_COLLATE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME', 'LC_ADDRESS'],
  ...['LC_IDENTIFICATION', 'LC_MEASUREMENT', 'LC_NAME', 'LC_PAPER', 'LC_TELEPHONE'],
  ...['TERM', 'TERMINFO', 'TERMINFO_DIRS', 'COLORTERM', 'DBUS_SESSION_BUS_ADDRESS', '__CF_USER_TEXT_ENCODING'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_DIRS'],
  'XDG_DATA_DIRS',
];

/** In the spelling that is handed on: Windows itself does not tell cases apart. */
export const windowsNames: readonly string[] = [
  ...['Path', 'PATHEXT', 'COMSPEC', 'SystemRoot', 'windir', 'SystemDrive', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
  ...['USERNAME', 'USERDOMAIN', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ALLUSERSPROFILE', 'ProgramFiles'],
  ...['ProgramFiles(x86)', 'ProgramW6432', 'CommonProgramFiles', 'PUBLIC', 'TEMP', 'TMP', 'OS', 'NUMBER_OF_PROCESSORS'],
  ...['PROCESSOR_ARCHITECTURE', 'PSModulePath'],
];

/** Networks behind proxies and own certificates, toolchains that put shims into PATH, and WSL. */
export const commonNames: readonly string[] = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  ...['NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA'],
  ...['NVM_DIR', 'VOLTA_HOME', 'FNM_DIR', 'FNM_MULTISHELL_PATH', 'ASDF_DIR', 'ASDF_DATA_DIR', 'PNPM_HOME'],
  ...['MISE_SHELL', 'MISE_DATA_DIR', 'MISE_CONFIG_DIR', 'MISE_CACHE_DIR', 'MISE_STATE_DIR'],
  ...['BUN_INSTALL', 'DENO_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT'],
  ...['JAVA_HOME', 'SDKMAN_DIR', 'CONDA_PREFIX', 'VIRTUAL_ENV'],
  ...['NIX_PATH', 'NIX_PROFILES', 'NIX_SSL_CERT_FILE', 'NIX_STATE_DIR', 'NIX_STORE_DIR', 'NIX_REMOTE'],
  ...['WSL_DISTRO_NAME', 'WSL_INTEROP', 'WSLENV'],
];

/** Never inherited, whatever the settings name: the editor's own, code that loads itself, and other agents' marks. */
export const deniedNames: readonly string[] = [
  ...['ELECTRON_*', 'VSCODE_*', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_INSPECT*', 'NODE_CHANNEL_*', 'NODE_UNIQUE_ID'],
  ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT', 'LD_PRELOAD', 'LD_AUDIT', 'DYLD_*'],
  ...['SNAP*', 'GDK_PIXBUF_*', 'GTK_PATH', 'GIO_MODULE_DIR', 'BASH_FUNC_*', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND'],
  ...['PYTHONSTARTUP', 'PERL5OPT', 'GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_ASKPASS', 'SSH_ASKPASS'],
  ...['npm_*', 'ACP_HOST_*'],
];

/** Whether a name is in a list; `fold` compares as Windows does. */
export function nameMatcher(patterns: readonly string[], fold: boolean): (name: string) => boolean {
  const key = (name: string): string => (fold ? name.toUpperCase() : name);
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')).map(key));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => key(pattern.slice(0, -1)));
  return (name) => exact.has(key(name)) || prefixes.some((prefix) => key(name).startsWith(prefix));
}
