/**
 * Which paths hold secrets, and which run code when they are written. Patterns are in folded form (`fold` in paths.ts):
 * lower case, composed. Sources: the lists of VS Code's own agent mode and the advisories behind it (CVE-2025-53773,
 * CVE-2026-21523, CVE-2026-70335), widened by what editors, shells, hooks and builds run on their own.
 */
import type { Row } from './globs.js';

/** When a sensitive file's content is run. */
export type SensitiveTier = 'without you' | 'at the next build';

/** Folders whose every file is a secret, wherever they lie. */
export const secretFolders: readonly Row<string>[] = [
  { tag: 'a folder of keys', patterns: ['.ssh/**', '.gnupg/**', '.password-store/**'] },
  {
    tag: 'a folder of credentials',
    patterns: [
      '.{aws,azure,kube,docker,terraform.d,huggingface,kaggle}/**',
      '.config/{gh,gcloud,op,github-copilot}/**',
      '.cache/huggingface/**',
      '.m2/settings*.xml',
    ],
  },
  {
    tag: "an agent's sign-in",
    patterns: [
      '.claude/.credentials*/**',
      '.codex/auth.json/**',
      '.gemini/oauth_creds.json/**',
      'opencode/auth.json/**',
    ],
  },
];

/** Names that mean a secret, as file or folder. */
export const secretNames: readonly Row<string>[] = [
  {
    tag: 'an environment file',
    patterns: ['.env/**', '.env[._~-]*/**', '*.env/**', '.envrc*/**', '#*.env#', '.dev.vars*'],
  },
  {
    tag: 'a key or certificate file',
    patterns: [
      '*.{pem,p8,p12,pfx,jks,keystore,kdbx,ppk,asc,gpg,key,ovpn}/**',
      '*.{pem,p8,p12,pfx,jks,keystore,kdbx,ppk,asc,gpg,key,ovpn}{.bak,~,.bak~,.old,.orig}/**',
      'wg[0-9]*.conf',
      '*[._-]id_{rsa,dsa,ecdsa,ed25519,xmss}',
      'id_{rsa,dsa,ecdsa,ed25519,xmss}',
      'id_{rsa,dsa,ecdsa,ed25519,xmss}[._~-]*',
      'id_*_sk',
      'id_*_sk[._~-]*',
    ],
  },
  {
    tag: 'a file of sign-ins',
    patterns: [
      '[._]{netrc,npmrc,pypirc,pgpass,htpasswd,dockercfg,git-credentials,my.cnf,vault-token}/**',
      '[._]{netrc,npmrc,pypirc,pgpass,htpasswd,dockercfg,git-credentials,my.cnf,vault-token}{.bak,~,.old,.orig}/**',
      '.yarnrc',
      '.yarnrc.yml',
      '.{s3cfg,boto,ftpconfig,dockerconfigjson,secret,secrets}',
      '{kaggle,sftp}.json',
      'kubeconfig*',
      'credentials',
      'credentials.{json,toml,ini,yml,yaml,db}',
      '*{secret,secrets}.{yml,yaml,json,toml,ini}',
      '*service-account*.json',
      'wp-config.php',
      'appsettings.*.json',
      'local.settings.json',
    ],
  },
  {
    tag: 'infrastructure state or variables',
    patterns: ['*.tfstate', '*.tfstate.backup', '*.tfvars', '*.tfvars.json'],
  },
  { tag: 'a history of commands', patterns: ['.*_history', '*_history'] },
];

/** Names that the rows above would take for a secret, and that are not. */
export const secretExempt: readonly Row<true>[] = [
  { tag: true, patterns: ['.env.{example,sample,template,dist,defaults,schema}'] },
];

const withoutYou: readonly string[] = [
  // Editors and agents.
  '.vscode/*.json',
  '*.code-workspace',
  '.mcp.json',
  '.{cursor,windsurf,zed,idea,gemini,opencode,cline,clinerules,roo,kiro,continue,amazonq,qwen,kimi}/**',
  '.{kilocode,junie,trae,crush,pi,augment,theia,vs,fleet,run}/**',
  '.{cursorrules,windsurfrules,clinerules,roorules,roomodes,kilocodemodes}',
  '{opencode,crush,.crush}.json{,c}',
  '.nvim.lua',
  '.claude/agents/**',
  '.claude/{commands,hooks,skills}/**',
  '.claude/settings*.json',
  '.codex/agents/**',
  '.codex/{config.toml,hooks.json}',
  '.github/{agents,hooks,workflows,actions,instructions,prompts,chatmodes,skills}/**',
  '{agents,claude,gemini,qwen}.md',
  '{agents,claude,gemini,qwen}.{local,override}.md',
  '.github/copilot-instructions.md',
  '*.instructions.md',
  'skill.md',
  // Hooks and Git's own settings.
  '.{husky,githooks}/**',
  'lefthook*.{yml,yaml,json,toml}',
  '.lefthook*',
  '.pre-commit-config.yaml',
  '{.lintstagedrc,lint-staged.config,.huskyrc,.simple-git-hooks,simple-git-hooks,.commitlintrc,commitlint.config}*',
  '.git{modules,config,attributes}',
  '{pre,post}-{commit,checkout,merge,merge-commit,push,rebase,receive,rewrite,applypatch,update,index-change,auto-gc}',
  '{commit-msg,prepare-commit-msg,applypatch-msg,reference-transaction,push-to-checkout,fsmonitor-watchman}',
  // Parts of a repository by another name than .git.
  '{head,commondir,config.worktree}',
  '.{hg,jj,svn,bzr}/**',
  // Continuous integration.
  '.gitlab-ci.yml',
  '.{gitea,forgejo}/{workflows,actions}/**',
  '.{circleci,buildkite}/**',
  'azure-pipelines*.yml',
  'jenkinsfile*',
  'bitbucket-pipelines.yml',
  '.{travis,drone,appveyor}.yml',
  'appveyor.yml',
  '.woodpecker{,.yml,.yaml}/**',
  // Containers and shells.
  '.devcontainer/**',
  '.devcontainer.json',
  '.gitpod*',
  '.{envrc,tool-versions}',
  '{.mise,mise}*.toml',
  '{.mise,mise}/**',
  '.{bashrc,bash_profile,bash_login,bash_logout,zshrc,zshenv,zprofile,zlogin,profile,inputrc}',
  '.direnv/**',
  '.{gdbinit,lldbinit,vimrc,exrc,nvimrc,dir-locals.el}',
  // Configuration that extensions run when a file is opened.
  '*eslint.config.*',
  '.eslintrc*',
  '.{prettierrc,stylelintrc}*',
  '{prettier,stylelint}.config.*',
  '.luarc.json{,c}',
  '.pnp.*',
  // What an editor's extension or a shell starts by itself.
  '{.venv,venv}/**',
  'pyvenv.cfg',
  'ruby_lsp/*/addon/**',
  'ruby_lsp/*/addon*',
  'node_modules/.bin/**',
];

const nextBuild: readonly string[] = [
  'package.json',
  '.pnpmfile.{js,cjs,mjs}',
  'pnpm-workspace.yaml',
  '*.lock',
  '*-lock.{yaml,json}',
  'dockerfile*',
  '*.dockerfile',
  'docker-compose*.y*ml',
  'compose*.y*ml',
  '{vite*,vitest*,jest,playwright,webpack,rollup,babel,postcss,tailwind,next,nuxt,svelte,astro}.config.*',
  'vitest.*',
  '{tsconfig,jsconfig}*.json',
  '*.config.{js,cjs,mjs,jsx,ts,cts,mts,tsx}',
  '.storybook/**',
  'node_modules/**',
  'composer.json',
  '.mocharc.*',
  '.babelrc*',
  '.swcrc',
  '{karma,wdio,cypress,rspack,esbuild,tsup,metro}.conf{,ig}.*',
  '{gulpfile,gruntfile}.*',
  '{deno,nx,turbo,lerna}.json{,c}',
  'bunfig.toml',
  '.yarn/**',
  'binding.gyp',
  '{just,task,vagrant,proc}file*',
  '.justfile',
  'noxfile.py',
  'tox.ini',
  'conftest.py',
  'setup.{py,cfg}',
  'pytest.ini',
  '.rspec',
  'pyproject.toml',
  '{sitecustomize,usercustomize}.py',
  '*.pth',
  '{makefile,gnumakefile}*',
  '*.mk',
  'cmakelists.txt',
  'cmakepresets.json',
  '{rakefile,gemfile}*',
  '*.gemspec',
  'cargo.toml',
  'build.rs',
  '.cargo/config{,.toml}',
  'rust-toolchain*',
  '*.{gradle,gradle.kts}',
  'gradle.properties',
  'gradle/wrapper/**',
  'gradlew*',
  'mvnw*',
  '.mvn/**',
  'pom.xml',
  '.bazelrc',
  'build{,.bazel}',
  'configure{,.ac,.in}',
  'meson{.build,_options.txt}',
  '*.nix',
  'workspace{,.bazel,.bzlmod}',
  'module.bazel',
  '*.{csproj,fsproj,vbproj,vcxproj,proj,targets,props}',
  'directory.build.*',
  'go.work',
  'server.xml',
  'web.config',
];

/** Files that are run by something else than the person, and when. */
export const sensitiveFiles: readonly Row<SensitiveTier>[] = [
  { tag: 'without you', patterns: withoutYou },
  { tag: 'at the next build', patterns: nextBuild },
];

/** Folders in which hard links are the ordinary way to keep a package. */
export const packageFolders: readonly Row<true>[] = [
  { tag: true, patterns: ['{node_modules,.venv,venv,site-packages,target,.pnpm-store}/**', 'bazel-*/**'] },
];
