import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindAmong, type AnyFolder } from '../../../src/host/bindFolder.js';
import { commandIds, views } from '../../../src/host/ids.js';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
type Setting = { scope?: string; default?: unknown; enum?: string[]; enumDescriptions?: string[] };
type Manifest = {
  readonly activationEvents: string[];
  readonly extensionKind: string[];
  readonly capabilities: {
    readonly virtualWorkspaces: { readonly supported: boolean };
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: string[] };
  };
  readonly contributes: {
    readonly commands: { command: string; title: string; category: string }[];
    readonly configuration: { readonly properties: Record<string, Setting> };
    readonly views: Record<string, { id: string; icon: string }[]>;
    readonly viewsContainers: { readonly activitybar: { id: string; icon: string }[] };
    readonly menus: Record<string, { command: string }[]>;
    readonly keybindings: { command: string; when: string }[];
  };
};
const manifest = JSON.parse(read('package.json')) as Manifest;
const { contributes } = manifest;
const settings = contributes.configuration.properties;

describe('the manifest', () => {
  it('has exactly the commands that are registered, all in one category', () => {
    deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(commandIds).sort());
    deepEqual(new Set(contributes.commands.map(({ category }) => category)), new Set(['ACP']));
  });

  it('has the commands, views and settings that drivers rely on', () => {
    for (const id of [
      ...['probeAgent', 'addAgent', 'newSession', 'cancelTurn', 'restartAgent', 'selectAgent'],
      ...['focusChat', 'openInEditor', 'showLog', 'showTraffic'],
    ]) {
      ok(
        contributes.commands.some(({ command }) => command === `acpHost.${id}`),
        id,
      );
    }
    deepEqual(
      contributes.views['acpHost']?.map(({ id }) => id),
      [views.chat, views.plan],
    );
    const defaults = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));
    deepEqual(defaults, {
      'acpHost.agents': {},
      'acpHost.defaultAgent': '',
      'acpHost.fs.read': true,
      'acpHost.fs.write': 'unset',
      'acpHost.terminal': 'unset',
      'acpHost.acknowledgeUnrestricted': false,
      'acpHost.approvals.dialog': true,
      'acpHost.handshakeTimeout': 30,
      'acpHost.environment.pass': [],
      'acpHost.files.deny': [],
      'acpHost.files.allow': [],
    });
  });

  it('B140 4.5.16 lets no folder set what starts a program or permits something', () => {
    // What a folder says there is added to what the person says, and can only deny more.
    const open = 'acpHost.files.deny';
    const { [open]: adding, ...own } = settings;
    equal(adding?.scope, 'resource');
    for (const [name, { scope }] of Object.entries(own)) {
      equal(scope, 'machine', name);
    }
    deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, Object.keys(own));
    equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('B19 runs on the machine that has the files, and not in a virtual workspace', () => {
    deepEqual(manifest.extensionKind, ['workspace']);
    equal(manifest.capabilities.virtualWorkspaces.supported, false);
    const at = (scheme: string, fsPath: string): AnyFolder => ({ name: fsPath, uri: { scheme, fsPath } });
    const remote = at('file', '/home/u/p');
    equal(bindAmong([at('vscode-vfs', '/github/o/r')]), null);
    equal(bindAmong([at('vscode-remote', '/home/u/p')]), null);
    deepEqual(bindAmong([at('vscode-vfs', '/v'), remote, at('file', '/b')]), {
      ...{ name: '/home/u/p', path: '/home/u/p', more: ['/b'] },
    });
    deepEqual(bindAmong([remote, at('file', '/b')], '/b')?.path, '/b');
  });

  it('names everything with our prefix', () => {
    const names = [
      ...contributes.commands.map(({ command }) => command),
      ...Object.keys(settings),
      ...Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id)),
    ];
    for (const name of names) {
      match(name, /^acpHost\./);
    }
    const contexts = JSON.stringify([contributes.menus, contributes.keybindings]).match(/\bacp[\w]*\.\w+/g) ?? [];
    ok(
      contexts.every((name) => name.startsWith('acpHost.')),
      contexts.join(),
    );
  });

  it('is activated by what is used of it, and never at start-up', () => {
    ok(!manifest.activationEvents.some((event) => event === '*' || event === 'onStartupFinished'));
  });

  it('takes Escape only in its own view while a turn runs', () => {
    for (const { when } of contributes.keybindings) {
      match(when, /focusedView == 'acpHost\.chat' && acpHost\.turnRunning/);
    }
  });

  it('has a text for every key, and a key for every text', () => {
    const texts = Object.keys(JSON.parse(read('package.nls.json')) as object);
    const used = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    deepEqual([...new Set(used)].sort(), texts.sort());
  });

  it('describes every value of a setting, and its icons exist', () => {
    for (const setting of Object.values(settings)) {
      equal(setting.enum?.length, setting.enumDescriptions?.length);
    }
    for (const { icon } of contributes.viewsContainers.activitybar) {
      ok(existsSync(join(root, icon)), icon);
    }
    const menus = Object.values(contributes.menus).flat();
    ok(menus.every(({ command }) => contributes.commands.some((known) => known.command === command)));
  });
});
