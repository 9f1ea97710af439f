import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/transcript/events.js';
import { emptyTranscript, type ToolEntry, type Transcript } from '../../../src/core/transcript/model.js';
import { reduce } from '../../../src/core/transcript/reduce.js';
import { didNotAsk } from '../../../src/core/transcript/tools.js';
import { clock, duration, money, shortCount, stepTime } from '../../../src/webview/format.js';
import { stateNumbers, stateWords } from '../../../src/webview/panel/stateWords.js';
import { editsTrust, modeTrust } from '../../../src/webview/panel/trustWords.js';
import { lastLines } from '../../../src/webview/tools/ansi.js';
import { commandOf, relativePath, toolWords } from '../../../src/webview/tools/words.js';

const fold = (...events: SessionEvent[]): Transcript => events.reduce(reduce, emptyTranscript);
const sent: SessionEvent = { type: 'promptSent', at: 1_000, text: 'go', attachments: [] };
const tool = (part: Partial<ToolEntry>): ToolEntry => ({
  kind: 'tool',
  id: 'e1',
  at: 0,
  turn: 1,
  toolCallId: 't',
  title: '',
  toolKind: 'other',
  status: 'completed',
  content: [],
  locations: [],
  asked: false,
  ...part,
});

describe('the words of the panel', () => {
  it('times and counts', () => {
    assert.deepEqual([100, 8_240, 42_900, 134_000].map(stepTime), ['0.1 s', '8.2 s', '42 s', '2:14']);
    assert.deepEqual([0, 42_000, 3_723_000].map(clock), ['0:00', '0:42', '1:02:03']);
    assert.deepEqual([6_000, 182_000, 120_000, 7_500_000].map(duration), ['6 s', '3 min 2 s', '2 min', '2 h 5 min']);
    assert.deepEqual([820, 12_400, 1_200_000].map(shortCount), ['820', '12.4k', '1.2M']);
    assert.equal(money({ amount: 0.456, currency: 'USD' }), '$0.46');
  });

  it('the state line follows the turn', () => {
    const say = (t: Transcript, now: number): string => stateWords(t, 'Claude', { state: 'ready' }, 'kit', now).text;
    const running = fold(sent);
    assert.equal(say(emptyTranscript, 0), '');
    assert.equal(say(running, 2_000), 'Working');
    const chunk: SessionEvent = {
      type: 'messageChunk',
      at: 2_000,
      role: 'assistant',
      content: { type: 'text', text: 'x' },
    };
    assert.equal(say(fold(sent, chunk), 3_000), 'Writing');
    assert.equal(say(fold(sent, { ...chunk, role: 'thought' }), 3_000), 'Thinking');
    assert.equal(say(fold(sent, chunk), 200_000), 'Still working, no update for 3 min');
    const run: SessionEvent = {
      type: 'toolChanged',
      at: 2_000,
      patch: { toolCallId: 't', title: '`npm test`', toolKind: 'execute', status: 'in_progress' },
    };
    assert.equal(say(fold(sent, run), 3_000), 'Running npm test');
    const cancelled = fold(sent, { type: 'cancelRequested', at: 4_000 });
    assert.equal(say(cancelled, 5_000), 'Stopping…');
    assert.equal(say(cancelled, 9_500), 'Stopping… Press Stop again to end it here');
    assert.equal(
      say(fold(sent, run, { type: 'turnEnded', at: 183_000, stopReason: 'end_turn' }), 0),
      'Done · 3 min 2 s · 1 tool',
    );
    assert.equal(
      say(
        fold(sent, { type: 'cancelRequested', at: 2_000 }, { type: 'turnEnded', at: 3_000, stopReason: 'cancelled' }),
        0,
      ),
      'You stopped this turn',
    );
    assert.equal(
      stateWords(running, 'Claude', { state: 'starting', phase: 'process', since: 0 }, 'kit', 4_000).text,
      'Starting Claude',
    );
    const used = fold({
      type: 'usageChanged',
      at: 1,
      usage: { used: 18_200, cost: { amount: 0.12, currency: 'USD' } },
    });
    assert.equal(stateNumbers(used, 0), '18.2k tokens · $0.12');
  });

  it('the trust line shows what was observed, not what was chosen', () => {
    const none = { brokered: 0, direct: 0 };
    assert.equal(editsTrust('ask', none, 'Claude').text, 'Edits: ask each time');
    assert.equal(editsTrust('unset', none, 'Claude').text, 'Edits: not chosen yet');
    assert.equal(editsTrust('off', none, 'Claude').text, 'Edits: Claude itself');
    assert.equal(editsTrust('allow', none, 'Claude').text, 'Edits: not asked');
    const seen = editsTrust('ask', { brokered: 1, direct: 2 }, 'Claude');
    assert.equal(seen.text, 'Edits: Claude itself');
    assert.match(seen.tooltip, /^2 of 3 edits did not come through VS Code/);
  });

  it('oddity 17: the trust line shows the mode that was confirmed, and why it is marked', () => {
    const named = (id: string, description?: string): Transcript => ({
      ...emptyTranscript,
      modes: {
        currentModeId: id,
        availableModes: [{ id, name: id, ...(description !== undefined && { description }) }],
      },
    });
    const text = (t: Transcript): string | undefined => modeTrust(t, 'Claude')?.text;
    assert.equal(modeTrust(emptyTranscript, 'Claude'), null);
    assert.equal(text(named('default')), 'Mode: default');
    for (const id of ['bypassPermissions', 'yolo', 'agent-full-access', 'dontAsk']) {
      assert.equal(text(named(id)), `Mode: ${id}, asks nothing`);
    }
    for (const description of [
      'Claude handles permission decisions',
      'Automatically approve all tools',
      'LLM classifier auto-approves safe actions, blocks risky ones',
      'Auto-approve everything.',
    ]) {
      assert.equal(text(named('auto', description)), 'Mode: auto, asks nothing', description);
    }
    for (const description of [
      'Always ask before making changes',
      'Automatically accept all file edits',
      'Manual approvals; tools execute normally.',
      'Auto-approve safe operations.',
      'Only ask for actions detected as potentially unsafe',
      'Executes tools based on configured permissions.',
    ]) {
      assert.equal(text(named('m', description)), 'Mode: m', description);
    }
    const seen = { ...named('agent'), seenInMode: { asked: 0, unasked: 2 } };
    assert.match(modeTrust(seen, 'Claude')?.tooltip ?? '', /^In mode agent Claude ran commands, and asked for none/);
    assert.equal(text({ ...seen, seenInMode: { asked: 1, unasked: 2 } }), 'Mode: agent');
    assert.equal(text({ ...named('m', 'Always ask'), seenInMode: { asked: 0, unasked: 2 } }), 'Mode: m');
    assert.match(
      modeTrust({ ...named('a'), pendingMode: 'b' }, 'Claude')?.tooltip ?? '',
      /as Claude confirmed it\. Claude was asked for b\./,
    );
  });

  it('oddity 18: a silent turn says how long it is silent; oddity 19: who stopped one', () => {
    const running = fold(sent);
    assert.equal(stateWords(running, 'Claude', undefined, 'kit', 1_000 + 119_000).text, 'Working');
    assert.equal(
      stateWords(running, 'Claude', undefined, 'kit', 1_000 + 305_000).text,
      'Still working, no update for 5 min',
    );
    const ended: SessionEvent = { type: 'turnEnded', at: 2_000, stopReason: 'cancelled' };
    assert.equal(stateWords(fold(sent, ended), 'Claude', undefined, 'kit', 3_000).text, 'This turn was stopped');
    const stopped = fold(sent, { type: 'cancelRequested', at: 1_500 }, ended);
    assert.equal(stateWords(stopped, 'Claude', undefined, 'kit', 3_000).text, 'You stopped this turn');
  });

  it('a call is verb and object', () => {
    const path = '/home/me/kit/src/a.ts';
    assert.deepEqual(toolWords(tool({ toolKind: 'read', title: 'Read a.ts', locations: [{ path, line: 3 }] }), 'kit'), {
      verb: 'Read',
      object: 'src/a.ts:3',
    });
    assert.deepEqual(toolWords(tool({ toolKind: 'edit', title: 'Edit `a.ts`' }), 'kit'), {
      verb: 'Edited',
      object: 'a.ts',
    });
    assert.deepEqual(toolWords(tool({ toolKind: 'fetch', title: 'Fetch e.com', status: 'failed' }), 'kit'), {
      verb: 'Fetch',
      object: 'e.com',
    });
    assert.deepEqual(toolWords(tool({ title: 'Something' }), 'kit'), { verb: 'Something', object: '' });
    assert.equal(commandOf(tool({ title: '`npm test`' })), 'npm test');
    assert.equal(relativePath('/etc/passwd', 'kit'), '/etc/passwd');
    assert.equal(relativePath('C:\\w\\kit\\a.ts', 'kit'), 'a.ts');
  });

  it('a change without a question is marked, one that was allowed is not', () => {
    assert.equal(didNotAsk(tool({ toolKind: 'execute' })), true);
    assert.equal(didNotAsk(tool({ toolKind: 'execute', asked: true })), false);
    assert.equal(didNotAsk(tool({ toolKind: 'edit', provenance: { by: 'setting' } })), false);
    assert.equal(didNotAsk(tool({ toolKind: 'read' })), false);
    assert.equal(didNotAsk(tool({ toolKind: 'edit', status: 'failed' })), false);
  });

  it('a carriage return starts a line of output over', () => {
    assert.deepEqual(lastLines('a\r\n10 %\r20 %\r100 %\nb\n', 2), ['100 %', 'b']);
  });
});
