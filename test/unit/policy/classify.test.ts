import { strict as assert } from 'node:assert';
import { classify, inPackageTree } from '../../../src/core/policy/classify.js';
import type { PathClass } from '../../../src/core/policy/classify.js';

/** Classifies a path below a root of one component. */
function klassOf(relative: string): PathClass {
  return classify([{ components: ['ws', ...relative.split('/')], rootDepth: 1 }]).klass;
}

const secrets = [
  '.env',
  '.env.local',
  '.env.production',
  '.env_old',
  '.env~',
  'prod.env',
  '.envrc',
  '.envrc.private',
  'sub/.env',
  '.ENV',
  '.env.',
  '.env ',
  '\uff0eenv',
  '.e\u200bnv',
  '.env:stream',
  'x:.env',
  '.env/bin/activate',
  'a.pem',
  'b.p12',
  'c.pfx',
  'd.jks',
  'e.keystore',
  'f.kdbx',
  'g.ppk',
  'h.asc',
  'i.gpg',
  'server.key',
  'server.key.bak',
  'server.pem~',
  'id_rsa',
  'id_ed25519',
  'id_ed25519.pub',
  'id_rsa_old',
  'id_ecdsa_sk',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.dockercfg',
  '.git-credentials',
  '.my.cnf',
  '.vault-token',
  '.yarnrc',
  '.yarnrc.yml',
  'credentials',
  'credentials.json',
  'credentials.toml',
  'credentials.db',
  'secrets.yml',
  'app-secret.json',
  'my-service-account-1.json',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'prod.tfvars',
  'prod.tfvars.json',
  '.bash_history',
  '.psql_history',
  'wp-config.php',
  'appsettings.Production.json',
  'local.settings.json',
  '.ssh/config',
  '.gnupg/x',
  '.aws/config',
  '.azure/x',
  '.kube/config',
  '.docker/config.json',
  '.password-store/a/b',
  '.terraform.d/x',
  '.config/gh/hosts.yml',
  '.config/gcloud/x',
  '.config/op/x',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.SSH/config',
];
const git = [
  '.git',
  '.git/config',
  '.git/hooks/pre-commit',
  'sub/.git',
  '.GIT/config',
  '.git./config',
  '.git /config',
  '.g\u200cit/config',
  '.git:s/config',
  'GIT~1/config',
  '\uff0egit/config',
];
const free = [
  'id_utils.ts',
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.schema',
  'monkey.txt',
  '.gitignore',
  'git/a.ts',
  'credentials.ts',
  'secrets.ts',
  'secret/index.ts',
  'src/credentials/index.ts',
  'environment.ts',
  'keys.ts',
  'keyboard.md',
  'history.ts',
  'src/env.ts',
  'a.env.ts',
  'appsettings.json',
  'settings.json',
  'README.md',
  'src/parse.ts',
  'github/a.ts',
  'awsome/config.ts',
  'p\u0430ckage.json',
];
const withoutYou = [
  '.vscode/settings.json',
  '.vscode/tasks.json',
  'sub/.vscode/launch.json',
  '.VSCODE/Settings.JSON',
  'x.code-workspace',
  '.mcp.json',
  '.cursor/rules/a.md',
  '.cursorrules',
  '.clinerules/a.md',
  '.kiro/hooks/a.json',
  '.nvim.lua',
  '.travis.yml',
  '.windsurf/x',
  '.zed/settings.json',
  '.idea/x.xml',
  '.gemini/settings.json',
  '.opencode/x',
  '.claude/agents/a.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.github/workflows/ci.yml',
  '.github/actions/x/action.yml',
  '.github/hooks/x',
  '.github/agents/a.md',
  'AGENTS.md',
  'sub/CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  'a.instructions.md',
  'skills/x/SKILL.md',
  '.husky/pre-commit',
  '.githooks/x',
  'lefthook.yml',
  '.pre-commit-config.yaml',
  '.lintstagedrc.json',
  '.gitmodules',
  '.gitconfig',
  '.gitattributes',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  '.buildkite/x',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'bitbucket-pipelines.yml',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
  '.bashrc',
  '.zshrc',
  '.profile',
  '.direnv/x',
  '.gdbinit',
  '.vimrc',
  '.exrc',
  '.dir-locals.el',
  'eslint.config.mjs',
  '.eslintrc.js',
  '.prettierrc.cjs',
  'prettier.config.mjs',
  'node_modules/.bin/tsc',
  'ruby_lsp/x/addon.rb',
  '.bashrc.',
  'ＡＧＥＮＴＳ.md',
];
const nextBuild = [
  'package.json',
  'sub/package.json',
  'PACKAGE.JSON',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  'Cargo.lock',
  'yarn.lock',
  'package-lock.json',
  'pnpm-lock.yaml',
  'Dockerfile',
  'Dockerfile.dev',
  'docker-compose.yml',
  'compose.override.yaml',
  'vite.config.ts',
  'vitest.config.ts',
  'jest.config.js',
  'playwright.config.ts',
  'webpack.config.js',
  'tsconfig.json',
  'tsconfig.base.json',
  'conftest.py',
  '.mocharc.cjs',
  'babel.config.js',
  '.babelrc.js',
  'karma.conf.js',
  'cypress.config.ts',
  'gulpfile.js',
  'justfile',
  '.yarn/releases/yarn.cjs',
  'binding.gyp',
  'deno.jsonc',
  'noxfile.py',
  'tox.ini',
  'setup.py',
  'pyproject.toml',
  'sitecustomize.py',
  'x.pth',
  'Makefile',
  'CMakeLists.txt',
  'Rakefile',
  'Gemfile',
  'Cargo.toml',
  'build.rs',
  '.cargo/config.toml',
  'rust-toolchain.toml',
  'build.gradle.kts',
  'gradle.properties',
  'gradle/wrapper/gradle-wrapper.properties',
  'mvnw',
  '.mvn/jvm.config',
  '.bazelrc',
  'WORKSPACE',
  'MODULE.bazel',
  'Directory.Build.props',
  'a.csproj',
  'go.work',
  'server.xml',
  'web.config',
];

describe('classify: secrets, Git and sensitive files', () => {
  for (const [klass, paths] of [
    ['secret', secrets],
    ['git', git],
    ['ok', free],
  ] as const) {
    for (const path of paths) {
      it(`${JSON.stringify(path)} is ${klass}`, () => {
        assert.equal(klassOf(path), klass);
      });
    }
  }
  for (const [tier, paths] of [
    ['without you', withoutYou],
    ['at the next build', nextBuild],
  ] as const) {
    for (const path of paths) {
      it(`${JSON.stringify(path)} runs ${tier}`, () => {
        const found = classify([{ components: ['ws', ...path.split('/')], rootDepth: 1 }]);
        assert.deepEqual([found.klass, found.tier], ['sensitive', tier]);
      });
    }
  }

  it('takes the more restrictive of the two names of a file', () => {
    const judge = (...names: string[]) => classify(names.map((name) => ({ components: ['ws', name], rootDepth: 1 })));
    assert.equal(judge('notes.txt', '.env').klass, 'secret');
    assert.equal(judge('.env', 'notes.txt').klass, 'secret');
    assert.equal(judge('package.json', '.git').klass, 'git');
    assert.deepEqual(judge('notes.txt', 'package.json').tier, 'at the next build');
  });

  it('judges names from the root down, key folders and Git everywhere', () => {
    const below = (path: string, rootDepth: number) => classify([{ components: path.split('/'), rootDepth }]).klass;
    assert.equal(below('home/u/.cursor/worktrees/x/src/a.ts', 5), 'ok');
    assert.equal(below('home/u/.cursor/mcp.json', 3), 'sensitive', 'the root itself is that folder');
    assert.equal(below('w/.github/workflows/ci.yml', 2), 'sensitive', 'a pattern may begin in the root');
    assert.equal(below('home/u/prod.env/src/a.ts', 3), 'ok');
    assert.equal(below('home/u/.ssh/keys/a.ts', 4), 'secret');
    assert.equal(below('w/.git/modules/x/a', 4), 'git');
  });

  it('knows the trees where hard links are ordinary', () => {
    assert.equal(inPackageTree(['ws', 'node_modules', 'a', 'index.js']), true);
    assert.equal(inPackageTree(['ws', 'bazel-out', 'x']), true);
    assert.equal(inPackageTree(['ws', 'src', 'a.ts']), false);
  });
});
