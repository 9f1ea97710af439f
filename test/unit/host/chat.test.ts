import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../../../src/agent/agent.js';
import { Approvals } from '../../../src/agent/approvals.js';
import { Supervisor } from '../../../src/agent/supervisor.js';
import type { EditsChoice } from '../../../src/core/messages.js';
import { entriesOf } from '../../../src/core/transcript/model.js';
import { AgentList } from '../../../src/host/agentList.js';
import { Chat, type ViewNudge } from '../../../src/host/chat.js';
import { settled } from './parts.js';

const folder = { name: 'csv-kit', path: '/ws/csv-kit', more: [] };
const demo: AgentSpec = { name: 'Demo Agent', command: '/nowhere/demo', args: [], env: {} };

/** A chat whose agents are never started, with a memory that outlives it. */
class Window {
  readonly storage = mkdtempSync(join(tmpdir(), 'acp-host-chat-'));
  readonly memory = new Map<string, unknown>();
  configured: AgentSpec[] = [{ name: 'Claude', command: '/nowhere/claude', args: [], env: {} }];
  defaultAgent: string | undefined = 'Claude';
  edits: EditsChoice = 'ask';
  trusted = false;
  written: { choice: EditsChoice; done: () => void }[] = [];
  #now = Date.UTC(2026, 10, 28, 16, 40);

  open(): Chat {
    const log = { info: () => undefined, warn: () => undefined };
    const approvals = new Approvals();
    const supervisor = new Supervisor({
      approvals,
      log,
      editor: { openText: () => undefined, write: () => Promise.resolve({ outcome: 'notOpen' }) },
      clientVersion: '0',
      policy: () => ({ read: true, write: 'ask', terminal: 'off', acknowledged: false }),
      passEnvironment: () => [],
      handshakeTimeoutMs: () => 1000,
      isTrusted: () => this.trusted,
    });
    return new Chat({
      supervisor,
      approvals,
      log,
      agents: new AgentList(demo, { configured: () => this.configured, pass: () => [] }),
      memory: { get: (key) => this.memory.get(key), set: (key, value) => void this.memory.set(key, value) },
      sessionsFolder: join(this.storage, 'sessions'),
      folder: () => folder,
      edits: () => this.edits,
      writeEdits: (choice) =>
        new Promise((resolve) => {
          this.written.push({
            choice,
            done: () => {
              this.edits = choice;
              resolve();
            },
          });
        }),
      defaultAgent: () => this.defaultAgent,
      isTrusted: () => true,
      oldDialog: () => false,
      now: () => this.#now++,
    });
  }
}

describe('chat', () => {
  let window: Window;
  beforeEach(() => {
    window = new Window();
  });
  afterEach(() => rmSync(window.storage, { recursive: true, force: true }));

  const say = (chat: Chat, text: string, ended = true): void => {
    chat.session?.emit({ type: 'promptSent', at: 1, text, attachments: [] });
    chat.session?.emit({
      type: 'messageChunk',
      at: 2,
      role: 'assistant',
      content: { type: 'text', text: `about ${text}` },
    });
    if (ended) {
      chat.session?.emit({ type: 'turnEnded', at: 3, stopReason: 'end_turn' });
    }
  };

  it('begins with the default agent, and always offers the demo agent', () => {
    const chat = window.open();
    equal(chat.agentName, 'Claude');
    deepEqual(
      chat.panel('sidebar').agents.map(({ name }) => name),
      ['Claude', 'Demo Agent'],
    );
  });

  it('begins with the first agent there is where none was chosen', () => {
    window.defaultAgent = undefined;
    equal(window.open().agentName, 'Claude');
    window.configured = [];
    equal(window.open().agentName, 'Demo Agent');
  });

  it('B79 shows the transcript again after a reload in the middle of a turn, and goes on in a new session', () => {
    const before = window.open();
    say(before, 'one');
    say(before, 'two', false);
    before.session?.emit({ type: 'promptQueued', at: 4, promptId: 'p1', text: 'three' });
    before.dispose();

    const after = window.open();
    const texts = entriesOf(after.transcript).map((entry) =>
      entry.kind === 'notice' ? entry.notice.what : 'text' in entry ? entry.text : '',
    );
    deepEqual(texts.slice(0, 4), ['one', 'about one', 'two', 'about two']);
    match(texts.at(-1) ?? '', /^Saved on this computer, \d+ \w+, \d\d:\d\d$/);
    equal(after.chat, before.chat);
    equal(after.transcript.turn.state, 'failed');
    equal(after.session?.sessionId, null);
    equal(after.panel('sidebar').draft, 'three');
    equal(after.lastPrompt, 'two');
    after.dispose();

    const third = window.open();
    equal(entriesOf(third.transcript).length, entriesOf(after.transcript).length);
  });

  it('shows nothing old after New Session', () => {
    const before = window.open();
    say(before, 'one');
    const { chat } = before;
    before.newSession();
    ok(before.chat > chat);
    equal(before.transcript.count, 0);
    before.dispose();
    equal(window.open().transcript.count, 0);
  });

  it('shows what an agent said that is no longer configured', () => {
    const before = window.open();
    say(before, 'one');
    before.dispose();
    window.configured = [];
    const after = window.open();
    equal(after.agentName, 'Claude');
    ok(after.transcript.count > 2);
  });

  it('keeps a prompt that cannot be sent yet', () => {
    window.edits = 'unset';
    const chat = window.open();
    const nudges: ViewNudge[] = [];
    chat.onNudge((nudge) => nudges.push(nudge));
    chat.sendPrompt('hello');
    deepEqual(nudges, [{ type: 'setComposer', text: 'hello' }]);
    equal(chat.transcript.count, 0);
  });

  it('shows a choice at once, and sends a prompt only when it is written', async () => {
    window.edits = 'unset';
    const chat = window.open();
    chat.chooseEdits('ask');
    equal(chat.panel('sidebar').edits, 'ask');
    chat.sendPrompt('hello');
    await settled();
    equal(chat.transcript.count, 0);
    window.written[0]?.done();
    await settled();
    const [first] = entriesOf(chat.transcript);
    equal(first?.kind === 'user' && first.text, 'hello');
    chat.dispose();
  });

  it('takes up a changed command with the conversation that there is', () => {
    const chat = window.open();
    say(chat, 'one');
    const count = chat.transcript.count;
    window.configured = [{ name: 'Claude', command: '/elsewhere/claude', args: [], env: {} }];
    chat.refresh();
    equal(chat.agent?.spec.command, '/nowhere/claude');
    chat.sendPrompt('two');
    equal(chat.agent?.spec.command, '/elsewhere/claude');
    equal(entriesOf(chat.transcript).filter(({ kind }) => kind === 'user').length, 2);
    ok(chat.transcript.count > count);
    chat.dispose();
  });

  it('moves to a newly configured default while nothing was said', () => {
    const chat = window.open();
    window.defaultAgent = 'Demo Agent';
    chat.refresh();
    equal(chat.agentName, 'Demo Agent');
    say(chat, 'one');
    window.defaultAgent = 'Claude';
    chat.refresh();
    equal(chat.agentName, 'Demo Agent');
  });
});
