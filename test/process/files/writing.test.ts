import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { limits } from '../../../src/core/text/limits.js';
import { allowed, denied, leftovers, makeHarness, makeTree, reasonOf, wordsOf } from './tree.js';
import type { Harness, Tree } from './tree.js';

describe('files: writing', () => {
  let tree: Tree;
  let h: Harness;
  let path: string;
  beforeEach(async () => {
    tree = await makeTree();
    h = makeHarness([tree.ws]);
    path = await tree.write('ws/src/a.ts', 'one\ntwo\n');
  });
  afterEach(async () => {
    assert.deepEqual(await leftovers(tree.at()), []);
    await tree.dispose();
  });
  const onDisk = (): Promise<string> => readFile(path, 'utf8');

  it('asks with the host’s own diff and both answers, and writes when a person allows it', async () => {
    await h.service.write({ path, content: 'one\nTWO\n', signal: new AbortController().signal, toolCallId: 't1' });
    const [asked] = h.asked;
    assert.equal(asked?.title, 'Edit src/a.ts?');
    assert.equal(asked?.verb, 'edit');
    assert.equal(asked?.origin, 'host');
    assert.equal(asked?.toolCallId, 't1');
    assert.deepEqual(asked?.marks, []);
    assert.deepEqual(
      asked?.options.map(({ optionId, kind, name }) => [optionId, kind, name]),
      [
        ['allow_once', 'allow_once', 'Allow Once'],
        ['reject_once', 'reject_once', 'Deny'],
      ],
    );
    assert.deepEqual([asked?.diff?.added, asked?.diff?.removed, asked?.diff?.isNew], [1, 1, false]);
    assert.equal(await onDisk(), 'one\nTWO\n');
    assert.deepEqual(h.facts.at(-1), {
      operation: 'write',
      path,
      canonical: path,
      outcome: 'done',
      provenance: { by: 'person', outcome: 'allowed' },
    });
  });

  it('a denied write changes nothing and tells the agent the person’s words', async () => {
    h.answers = [() => denied];
    assert.match(await wordsOf(h.write(path, 'x')), /denied this edit: not this one/);
    assert.equal(await onDisk(), 'one\ntwo\n');
    assert.deepEqual(h.facts.at(-1)?.provenance, { by: 'person', outcome: 'denied', comment: 'not this one' });
    assert.equal(h.facts.at(-1)?.outcome, 'refused');
  });

  it('is off when it is switched off, also while the question is open', async () => {
    h.policy = { ...h.policy, write: 'off' };
    assert.equal(await reasonOf(h.write(path, 'x')), 'off');
    h.policy = { ...h.policy, write: 'ask' };
    h.answers = [
      () => {
        h.policy = { ...h.policy, write: 'off' };
        return allowed;
      },
    ];
    assert.equal(await reasonOf(h.write(path, 'x')), 'off');
    assert.equal(await onDisk(), 'one\ntwo\n');
  });

  it('`allow` needs the acknowledgement, and never covers a sensitive file', async () => {
    h.policy = { ...h.policy, write: 'allow' };
    await h.write(path, '1\n');
    assert.equal(h.asked.length, 1);
    h.policy = { ...h.policy, acknowledged: true };
    await h.write(path, '2\n');
    assert.equal(h.asked.length, 1);
    assert.deepEqual(h.facts.at(-1)?.provenance, { by: 'setting' });
    await h.write(tree.at('ws', 'package.json'), '{}');
    assert.deepEqual(h.asked.at(-1)?.marks, ['sensitive']);
  });

  it('marks characters that do not show, and takes an emoji for what it is', async () => {
    await h.write(path, 'one\n\u202etwo\n');
    await h.write(path, 'one\n👩‍💻 ⚠️ 1️⃣\r\n\tx\n');
    await h.write(tree.at('ws', 'a\u200b.ts'), 'x');
    assert.deepEqual(
      h.asked.map(({ marks }) => marks),
      [['hidden'], [], ['hidden']],
    );
  });

  it('writing what is there asks nothing and touches nothing', async () => {
    await h.write(path, 'one\ntwo\n');
    assert.equal(h.asked.length, 0);
    assert.equal(h.facts.at(-1)?.outcome, 'done');
  });

  it('one edit, one question: what was allowed above is written once without asking', async () => {
    h.expectations.add(path, 'allowed\n');
    await h.write(path, 'allowed\n');
    assert.equal(h.asked.length, 0);
    assert.deepEqual(h.facts.at(-1)?.provenance, { by: 'above' });
    await h.write(path, 'again\n');
    assert.equal(h.asked.length, 1);
  });

  it('one byte more than was allowed asks again and says so; a new turn remembers nothing', async () => {
    h.expectations.add(path, 'allowed\n');
    await h.write(path, 'allowed\n!');
    assert.deepEqual(h.asked[0]?.marks, ['differs']);
    h.expectations.add(path, 'next\n');
    h.service.endTurn();
    await h.write(path, 'next\n');
    assert.deepEqual(h.asked[1]?.marks, []);
  });

  it('a difference is asked even where writes are allowed', async () => {
    h.policy = { ...h.policy, write: 'allow', acknowledged: true };
    h.expectations.add(path, 'allowed\n');
    await h.write(path, 'other\n');
    assert.deepEqual(h.asked[0]?.marks, ['differs']);
  });

  it('an allowance above never covers a sensitive file', async () => {
    const file = await tree.write('ws/package.json', '{}');
    h.expectations.add(file, '{"a":1}');
    await h.write(file, '{"a":1}');
    assert.deepEqual(h.asked[0]?.marks, ['sensitive']);
  });

  it('asks again about the text that is there when the person has answered, and gives up after three', async () => {
    let edits = 0;
    h.answers = [
      async () => {
        await writeFile(path, `edit ${++edits}\n`);
        return allowed;
      },
      () => allowed,
    ];
    await h.write(path, 'agent\n');
    assert.deepEqual(
      h.asked
        .map(({ diff }) => diff?.lines.find(({ sign }) => sign === '-'))
        .map((line) => line && 'text' in line && line.text),
      ['one', 'edit 1'],
    );
    assert.equal(await onDisk(), 'agent\n');
    h.answers = [
      async () => {
        await writeFile(path, `edit ${++edits}\n`);
        return allowed;
      },
    ];
    h.asked.length = 0;
    assert.equal(await reasonOf(h.write(path, 'agent 2\n')), 'conflict');
    assert.equal(h.asked.length, limits.writeQuestions);
    assert.equal(await onDisk(), `edit ${edits}\n`);
  });

  it('a file that changes between the last look and the replacing is kept', async () => {
    let left = 1;
    const racing = makeHarness([tree.ws], {
      hooks: {
        written: async () => {
          if (left-- > 0) {
            await writeFile(path, 'saved by the person\n');
          }
        },
      },
    });
    racing.answers = [() => allowed, () => denied];
    assert.equal(await reasonOf(racing.write(path, 'agent\n')), 'refused');
    assert.equal(racing.asked.length, 2);
    assert.equal(await onDisk(), 'saved by the person\n');
  });

  it('3.4 a file that changed since the agent read it is marked, and asked even where writes are allowed', async () => {
    h.policy = { ...h.policy, write: 'allow', acknowledged: true };
    await h.read(path);
    await h.write(path, 'mine\n');
    await h.write(path, 'mine again\n');
    assert.equal(h.asked.length, 0);
    await writeFile(path, 'theirs, longer\n');
    await h.write(path, 'over it\n');
    assert.deepEqual(h.asked[0]?.marks, ['stale']);
  });

  it('B87 writes through the document where the agent has read its unsaved text', async () => {
    h.editor.documents.set(path, { text: 'one\nperson\ntwo\n', dirty: true });
    const seen = await h.read(path);
    await h.write(path, seen.replace('two', 'TWO'));
    assert.deepEqual(h.editor.writes, [{ canonical: path, text: 'one\nperson\nTWO\n', base: 'one\nperson\ntwo\n' }]);
    assert.deepEqual(h.asked[0]?.marks, []);
    assert.equal(await onDisk(), 'one\ntwo\n', 'the editor saves, not the jail');
  });

  it('B87 keeps the person’s lines where the agent has not seen them, and says so', async () => {
    const base = Array.from({ length: 12 }, (_, i) => `line ${i}\n`).join('');
    await writeFile(path, base);
    await h.read(path);
    h.editor.documents.set(path, { text: base.replace('line 2', 'person'), dirty: true });
    await h.write(path, base.replace('line 9', 'agent'));
    assert.deepEqual(h.asked[0]?.marks, ['conflict']);
    assert.deepEqual([h.asked[0]?.diff?.added, h.asked[0]?.diff?.removed], [1, 1]);
    assert.equal(h.editor.writes[0]?.text, base.replace('line 2', 'person').replace('line 9', 'agent'));
  });

  it('B87 refuses where nothing of the edit fits, and the buffer stays', async () => {
    h.editor.documents.set(path, { text: 'one\nperson\n', dirty: true });
    assert.equal(await reasonOf(h.write(path, 'one\nagent\n')), 'conflict');
    assert.deepEqual(h.editor.writes, []);
    assert.equal(h.editor.openText(path)?.text, 'one\nperson\n');
  });

  it('B87 types while the question is open: asked again, with the new line kept', async () => {
    h.editor.documents.set(path, { text: 'one\ntwo\n', dirty: true });
    await h.read(path);
    h.answers = [
      () => {
        h.editor.documents.set(path, { text: 'one\ntwo\nthree\nfour\nfive\ntyped\n', dirty: true });
        return allowed;
      },
      () => allowed,
    ];
    await h.write(path, 'ONE\ntwo\n').catch(() => undefined);
    assert.ok(h.editor.openText(path)?.text.includes('typed'));
  });

  it('a document that is closed meanwhile is written by the jail, one that saved as something else is read anew', async () => {
    h.editor.documents.set(path, { text: 'one\ntwo\n', dirty: true });
    await h.read(path);
    h.editor.next = { outcome: 'notOpen' };
    h.answers = [() => allowed];
    const write = h.editor.write.bind(h.editor);
    h.editor.write = (...args) => {
      const answer = write(...args);
      h.editor.documents.delete(path);
      return answer;
    };
    await h.write(path, 'closed\n');
    assert.equal(await onDisk(), 'closed\n');
    h.editor.write = write;
    h.editor.format = (text) => `${text}// formatted\n`;
    h.editor.documents.set(path, { text: 'x\n', dirty: true });
    await h.read(path);
    await h.write(path, 'y\n');
    assert.equal(h.editor.openText(path)?.text, 'y\n// formatted\n');
  });

  it('CRLF of an open document is kept, and an allowance above fits it', async () => {
    h.editor.documents.set(path, { text: 'a\r\nb\r\n', dirty: true });
    await h.read(path);
    h.expectations.add(path, 'a\nc\n');
    await h.write(path, 'a\nc\n');
    assert.equal(h.editor.writes[0]?.text, 'a\r\nc\r\n');
    assert.equal(h.asked.length, 0);
  });

  it('B95 calls for one file keep their order; other files and reads do not wait for a person', async () => {
    await writeFile(path, 'v0');
    const release = new AbortController();
    const asking = new AbortController();
    h.answers = [
      async () => {
        asking.abort();
        await aborted(release.signal);
        return allowed;
      },
      () => allowed,
    ];
    const other = await tree.write('ws/other', 'other');
    const first = h.write(path, 'v1'.repeat(1_000_000));
    const second = h.write(path, 'v2');
    const read = h.read(path);
    assert.equal(await h.read(other), 'other');
    await aborted(asking.signal);
    release.abort();
    await Promise.all([first, second]);
    assert.equal(await read, 'v2');
    assert.equal(await onDisk(), 'v2');
  });

  it('two names of one file are written one after the other', async () => {
    await symlink('a.ts', tree.at('ws', 'src', 'b.ts'));
    let open = 0;
    h.answers = [
      async () => {
        assert.equal(++open, 1);
        await mkdir(tree.at('ws', `d${h.asked.length}`));
        open--;
        return allowed;
      },
    ];
    await Promise.all([h.write(path, 'x'), h.write(tree.at('ws', 'src', 'b.ts'), 'y')]);
    assert.equal(h.asked.length, 2);
  });

  it('a cancelled question and a cancelled request write nothing', async () => {
    h.answers = [() => ({ outcome: 'cancelled', by: 'cancel' })];
    assert.equal(await reasonOf(h.write(path, 'x')), 'cancelled');
    const controller = new AbortController();
    h.answers = [
      () => {
        controller.abort();
        return allowed;
      },
    ];
    assert.equal(await reasonOf(h.write(path, 'x', controller.signal)), 'cancelled');
    assert.equal(await onDisk(), 'one\ntwo\n');
  });

  it('refuses content that cannot be written as it is', async () => {
    assert.equal(await reasonOf(h.write(path, 'half \ud800')), 'badParams');
    assert.equal(await reasonOf(h.write(path, 'x'.repeat(limits.writeBytes + 1))), 'tooLarge');
    assert.equal(h.asked.length, 0);
  });

  it('3.4 removes what a killed write left an hour ago, once, and nothing else', async () => {
    const old = new Date(Date.now() - 2 * 3_600_000);
    const names = ['.a.acp-0123456789abcdef', '.a.acp-fedcba9876543210', '.a.acp-0123', 'a.acp-0123456789abcdef', '.x'];
    for (const name of names) {
      await tree.write(`ws/sub/${name}`, 'x');
      await utimes(tree.at('ws/sub', name), old, old);
    }
    await utimes(tree.at('ws/sub', '.a.acp-fedcba9876543210'), new Date(), new Date());
    await mkdir(tree.at('ws/sub/.d.acp-0123456789abcdef'));
    await utimes(tree.at('ws/sub/.d.acp-0123456789abcdef'), old, old);
    await h.write(tree.at('ws/sub/new'), 'x');
    assert.deepEqual((await readdir(tree.at('ws/sub'))).sort(), [
      '.a.acp-0123',
      '.a.acp-fedcba9876543210',
      '.d.acp-0123456789abcdef',
      '.x',
      'a.acp-0123456789abcdef',
      'new',
    ]);
    await rm(tree.at('ws/sub'), { recursive: true });
  });
});

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}
