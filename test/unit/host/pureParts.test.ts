import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { diffView } from '../../../src/core/text/diffView.js';
import { emptyTranscript } from '../../../src/core/transcript/model.js';
import { applyDiffView } from '../../../src/host/applyDiffView.js';
import { capabilityChange, servedBy } from '../../../src/host/capabilityWatch.js';
import { changedRange } from '../../../src/host/changedRange.js';
import { chatPage } from '../../../src/host/html.js';
import { OpenDialogMark } from '../../../src/host/openDialogMark.js';
import { parseAgents } from '../../../src/host/parseAgents.js';
import { statusText, type StatusFacts } from '../../../src/host/statusText.js';

describe('the setting acpHost.agents', () => {
  it('is read as it stands: arguments are data', () => {
    const { specs, complaints } = parseAgents({
      A: { command: 'a', args: ['--x; rm -rf /'], env: { K: 'v', P: null } },
    });
    deepEqual(specs, [{ name: 'A', command: 'a', args: ['--x; rm -rf /'], env: { K: 'v', P: null } }]);
    deepEqual(complaints, []);
  });

  it('loses an entry of the wrong shape, with a sentence that holds no value of its environment', () => {
    const { specs, complaints } = parseAgents({
      noCommand: {},
      numbers: { command: 'a', args: [1] },
      env: { command: 'a', env: { TOKEN: { secret: 'hush' } } },
      text: 'npx',
      good: { command: 'b' },
    });
    deepEqual(specs, [{ name: 'good', command: 'b', args: [], env: {} }]);
    equal(complaints.length, 4);
    doesNotMatch(complaints.join(), /hush/);
  });

  it('may be anything', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Array.isArray(parseAgents(value).specs)));
  });
});

describe('the smallest change of a document', () => {
  it('turns the one text into the other, whatever they are', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁', '\ud83d') });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { start, end, replacement } = changedRange(before, after);
        equal(before.slice(0, start) + replacement + before.slice(end), after);
      }),
    );
  });

  it('leaves what is the same alone, and no half of a character or line end', () => {
    deepEqual(changedRange('one two three', 'one 2 three'), { start: 4, end: 7, replacement: '2' });
    deepEqual(changedRange('a😀b', 'a😁b'), { start: 1, end: 3, replacement: '😁' });
    deepEqual(changedRange('a\r\nb', 'a\nb'), { start: 1, end: 3, replacement: '\n' });
  });
});

describe('the diff of a request', () => {
  it('leads to the text that would be written', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [old, next] = [before, after].map((each) => each.map((line) => `${line}\n`).join('')) as [string, string];
        equal(applyDiffView(old, diffView('a', old, next)), next);
      }),
    );
  });

  it('leads nowhere where the text changed meanwhile or lines are not listed', () => {
    const view = diffView('a', 'a\nb\n', 'a\nc\n');
    equal(applyDiffView('a\nx\n', view), undefined);
    equal(applyDiffView('a\nb\n', { ...view, omitted: 1 }), undefined);
  });
});

describe('the page of the chat', () => {
  const page = chatPage({ nonce: 'N0', cspSource: 'https://x.test', script: 's"<.js', styles: ['a.css'] });

  it('allows our script by its nonce, no other source and no HTML from text', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    match(policy, /default-src 'none'/);
    match(policy, /script-src 'nonce-N0'/);
    match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
    doesNotMatch(policy, /unsafe|connect-src|img-src[^;]*https:(?!\/\/x\.test)/);
  });

  it('escapes what it is given', () => match(page, /src="s&quot;&lt;\.js"/));
});

describe('the status bar item', () => {
  const facts: StatusFacts = {
    agent: 'Claude',
    version: '1.0',
    folder: 'csv-kit',
    state: { state: 'ready' },
    edits: 'ask',
    transcript: emptyTranscript,
    waiting: 0,
  };
  const step = (status: string) => ({ id: status, content: status, priority: 'medium', status });

  it('names the agent, what it does, and what it needs', () => {
    const running = { ...emptyTranscript, turn: { ...emptyTranscript.turn, state: 'running' as const } };
    const planned = { ...running, plan: [step('completed'), step('pending')] };
    equal(statusText(facts).text, '$(comment-discussion) Claude');
    equal(statusText({ ...facts, transcript: planned }).text, '$(loading~spin) Claude: 1/2');
    equal(statusText({ ...facts, waiting: 3 }).text, '$(shield) Claude: needs you (3)');
    equal(statusText({ ...facts, waiting: 3 }).background, 'statusBarItem.warningBackground');
    equal(statusText({ ...facts, state: { state: 'failed' } }).text, '$(error) Claude stopped');
    equal(statusText({ ...facts, edits: 'allow' }).text, '$(comment-discussion) Claude $(unlock)');
    match(statusText(facts).tooltip, /Claude 1\.0\nFolder: csv-kit\nEdits: ask each time/);
    equal(statusText({ ...facts, agent: null }).text, '$(comment-discussion) ACP');
  });
});

describe('a changed capability', () => {
  const policy = { read: true, write: 'off', terminal: 'off', acknowledged: false } as const;

  it('has a line of its own, and none where nothing that is advertised changed', () => {
    const off = servedBy(policy);
    const ask = servedBy({ ...policy, write: 'ask' });
    match(capabilityChange('Claude', off, ask) ?? '', /^Edits go through VS Code from here on$/);
    match(capabilityChange('Claude', ask, off) ?? '', /^Claude edits by itself from here on$/);
    equal(capabilityChange('Claude', ask, servedBy({ ...policy, write: 'allow' })), undefined);
    notEqual(capabilityChange('Claude', off, servedBy({ ...policy, terminal: 'ask' })), undefined);
  });
});

describe('the mark of an open dialog', () => {
  it('is left by a host that ended, within the same window only', () => {
    const kept = new Map<string, unknown>();
    const memory = { get: (key: string) => kept.get(key), set: (key: string, value: unknown) => kept.set(key, value) };
    new OpenDialogMark(memory, 'w1').set(true);
    const next = new OpenDialogMark(memory, 'w1');
    equal(next.leftOpen, true);
    next.set(true);
    equal(next.leftOpen, true);
    equal(new OpenDialogMark(memory, 'w2').leftOpen, false);
    next.set(false);
    equal(next.leftOpen, false);
    equal(new OpenDialogMark(memory, 'w1').leftOpen, false);
  });
});
