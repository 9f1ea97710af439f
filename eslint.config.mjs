// The layer rules below are one of three nets; the others are each layer's tsconfig and test/unit/layers.test.ts.
import { defineConfig } from 'eslint/config';
import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';

const SDK = '@agentclientprotocol/sdk';
const NODE = `^(node:|(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$)`;

/** @param {...string} layers */
const noLayers = (...layers) => ({
  regex: `^(\\.\\./)+(src/)?(${layers.join('|')})/`,
  message: `This layer must not import ${layers.join(', ')} (webview -> core <- agent <- host).`,
});
const noVscode = { regex: '^vscode$', message: 'Only src/host imports vscode.' };
const noNode = { regex: NODE, message: 'This layer has no Node.' };
/** @param {string} allowed */
const onlyPackages = (allowed) => ({
  regex: `^(?!\\.{1,2}/|(${allowed})(/|$))`,
  message: 'This package is not in the list of this layer.',
});
const sdkTypesOnly = {
  regex: `^${SDK}`,
  allowTypeImports: true,
  message: 'The SDK is imported at run time only by src/agent/wire/connection.ts; use import type.',
};

const bannedProperties = [
  ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySetInnerHTML'].map((property) => ({
    property,
    message: 'No HTML strings: build nodes.',
  })),
  { object: 'Math', property: 'random', message: 'Use crypto, or take a source of randomness as a parameter.' },
];
const noEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only src/agent/process/environment.ts reads the environment.',
};
const bannedSyntax = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'No HTML strings: build nodes.' },
  { selector: "Property[key.name='dangerouslySetInnerHTML']", message: 'No HTML strings: build nodes.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that defines it.' },
];
const noSdkAtRunTime = {
  selector: `ImportExpression[source.value=/^${SDK.replace('/', '\\u002F')}/]`,
  message: 'The SDK is loaded only by src/agent/wire/connection.ts.',
};

/**
 * @param {string} name
 * @param {object[]} patterns
 */
const layer = (name, patterns) => ({
  files: [`src/${name}/**/*.{ts,tsx}`],
  rules: { '@typescript-eslint/no-restricted-imports': /** @type {['error', object]} */ (['error', { patterns }]) },
});

export default defineConfig(
  { ignores: ['dist/', 'test-results/', 'samples/', '**/fixtures/', '**/*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      curly: 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'max-lines': ['error', 400],
      'no-restricted-properties': ['error', ...bannedProperties],
      'no-restricted-syntax': ['error', ...bannedSyntax],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowConstructorOnly: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/agent/process/environment.ts'],
    rules: { 'no-restricted-properties': ['error', ...bannedProperties, noEnvironment] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/agent/wire/connection.ts', 'src/demo/**'],
    rules: { 'no-restricted-syntax': ['error', ...bannedSyntax, noSdkAtRunTime] },
  },
  layer('core', [
    noVscode,
    noNode,
    noLayers('agent', 'host', 'webview', 'demo'),
    sdkTypesOnly,
    onlyPackages(`picomatch|diff|zod/mini|${SDK}`),
  ]),
  layer('agent', [noVscode, noLayers('host', 'webview', 'demo'), sdkTypesOnly]),
  layer('host', [noLayers('webview', 'demo'), sdkTypesOnly]),
  layer('webview', [
    noVscode,
    noNode,
    noLayers('agent', 'host', 'demo'),
    sdkTypesOnly,
    onlyPackages(`preact|@lezer/[a-z]+|lowlight|highlight\\.js|anser|diff|${SDK}`),
  ]),
  layer('demo', [noVscode, noLayers('core', 'agent', 'host', 'webview')]),
  {
    files: ['src/agent/wire/connection.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [noVscode, noLayers('host', 'webview', 'demo')] },
      ],
    },
  },
  {
    files: ['*.mjs', 'scripts/**', 'test/**'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  { files: ['*.mjs', 'scripts/**'], rules: { 'no-restricted-syntax': 'off' } },
);
