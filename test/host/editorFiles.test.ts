import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Expectations } from '../../src/agent/files/expectations.js';
import { createFileService, type FileService } from '../../src/agent/files/fileService.js';
import type { FileFact } from '../../src/agent/ports.js';
import { WindowFiles } from '../../src/host/editorFiles.js';
import { folderPath, until } from './access.js';

describe('files of the editor', function () {
  // The first editor of a window brings its language's extensions with it.
  this.timeout(80_000);
  const editor = new WindowFiles();
  const signal = new AbortController().signal;
  let folder: string;
  let path: string;
  let facts: FileFact[];
  let files: FileService;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(folderPath(), 'editor-')));
    path = join(folder, 'a.ts');
    await writeFile(path, 'old\n');
    facts = [];
    files = createFileService({
      roots: [folder],
      folderName: 'sample',
      editor,
      policy: () => ({ read: true, write: 'allow', terminal: 'off', acknowledged: true }),
      gate: { ask: () => Promise.resolve({ outcome: 'denied', by: 'person' }) },
      expectations: new Expectations(),
      onFact: (fact) => facts.push(fact),
    });
    files.startTurn();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (text?: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(path);
    const shown = await vscode.window.showTextDocument(document);
    if (text !== undefined) {
      const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
      await shown.edit((edit) => edit.replace(all, text));
      assert.equal(document.isDirty, true);
    }
    return document;
  };
  const changed = (document: vscode.TextDocument, text: string): Promise<void> =>
    until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);

  it('B86 unsaved text wins on read, also through a link', async () => {
    await open('new\n');
    await symlink(path, join(folder, 'link.ts'));
    assert.equal(await files.read({ path, signal }), 'new\n');
    assert.equal(await files.read({ path: join(folder, 'link.ts'), signal }), 'new\n');
    assert.deepEqual(editor.openText(path), { text: 'new\n', dirty: true });
    assert.equal(await readFile(path, 'utf8'), 'old\n');
  });

  it('knows nothing of a file that is not open', () => {
    assert.equal(editor.openText(path), undefined);
  });

  it('one Undo brings the old text back after a write to an open file', async () => {
    const document = await open();
    assert.equal(await files.read({ path, signal }), 'old\n');
    await files.write({ path, content: 'from the agent\n', signal });
    await changed(document, 'from the agent\n');
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    await changed(document, 'old\n');
  });

  it('one Undo brings the old text back after a write to a file that was not open', async () => {
    assert.equal(await files.read({ path, signal }), 'old\n');
    await files.write({ path, content: 'from the agent\n', signal });
    assert.equal(editor.openText(path), undefined, 'what nobody opened is not handed to an agent');
    const document = await vscode.workspace.openTextDocument(path);
    await changed(document, 'from the agent\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await changed(document, 'old\n');
    assert.deepEqual(editor.openText(path), { text: 'old\n', dirty: true });
  });

  it('writes through the editor what was built on unsaved text, and saves it', async () => {
    const document = await open('mine\nrest\n');
    assert.equal(await files.read({ path, signal }), 'mine\nrest\n');
    await files.write({ path, content: 'mine\nrest\nadded\n', signal });
    assert.equal(document.getText(), 'mine\nrest\nadded\n');
    assert.equal(document.isDirty, false);
    assert.equal(await readFile(path, 'utf8'), 'mine\nrest\nadded\n');
    await vscode.commands.executeCommand('undo');
    await changed(document, 'mine\nrest\n');
  });

  it('B87 keeps unsaved text that the agent did not know', async () => {
    const document = await open('mine\n');
    assert.deepEqual(await editor.write(path, 'theirs\n', 'old\n'), { outcome: 'conflict' });
    assert.equal(document.getText(), 'mine\n');
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(path, 'utf8'), 'old\n');
  });

  it('leaves a file that was closed meanwhile to the jail', async () => {
    assert.deepEqual(await editor.write(path, 'x', 'old\n'), { outcome: 'notOpen' });
  });

  it('sees a document by its real path after a folder above it was renamed away and linked', async () => {
    await open('new\n');
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    await symlink(moved, folder);
    try {
      assert.equal(editor.openText(join(moved, 'a.ts'))?.text, 'new\n');
      assert.equal(editor.openText(path), undefined);
    } finally {
      await rm(folder);
      await rename(moved, folder);
    }
  });
});
