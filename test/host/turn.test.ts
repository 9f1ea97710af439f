import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseTraffic } from '../../src/agent/wire/traffic.js';
import { entriesOf } from '../../src/core/transcript/model.js';
import { commandIds } from '../../src/host/ids.js';
import type { PlanItem } from '../../src/host/planItems.js';
import { access, nextEvent, set } from './access.js';

describe('a turn of the demo agent', function () {
  // A start, a restart and an end of a process, on a machine that may be busy.
  this.timeout(80_000);
  before(async () => {
    await access();
    await set('approvals.dialog', false);
    await set('fs.write', 'ask');
  });
  after(async () => {
    const { chat } = await access();
    chat.newSession();
    await chat.agent?.stop(true);
    await set('fs.write', undefined);
    await set('approvals.dialog', undefined);
  });

  it('fills the plan tree, replaced in place', async () => {
    const { chat, plan } = await access();
    chat.selectAgent('Demo Agent');
    const ids = new Set<string>();
    const icons = new Set<string>();
    const watching = chat.onEvent(({ type }) => {
      if (type === 'planChanged') {
        for (const item of plan.items as readonly PlanItem[]) {
          ids.add(item.id);
          icons.add(item.icon);
        }
      }
    });
    chat.sendPrompt('/plan');
    await nextEvent(chat, ({ type }) => type === 'turnEnded');
    watching.dispose();
    const steps = entriesOf(chat.transcript).find((entry) => entry.kind === 'plan')?.entries ?? chat.transcript.plan;
    assert.ok(steps.length > 1);
    assert.equal(ids.size, steps.length);
    assert.ok(icons.has('loading~spin') && icons.has('pass'));
  });

  it('writes an edit that was allowed on its card, and nothing before', async () => {
    const { chat } = await access();
    chat.sendPrompt('/edit');
    await nextEvent(chat, ({ type }) => type === 'approvalRequested');
    const [pending] = chat.approvals.pending;
    assert.ok(pending);
    const written = nextEvent(chat, ({ type }) => type === 'fileWritten');
    const ended = nextEvent(chat, ({ type }) => type === 'turnEnded');
    assert.ok(chat.approvals.decide(pending.approval.approvalId, 'allow_once'));
    const fact = await written;
    assert.equal(fact.type === 'fileWritten' && fact.outcome, 'done');
    await ended;
  });

  it('is told of a changed capability after it ended: the agent restarts with a line across the conversation', async () => {
    const { chat } = await access();
    const pid = chat.agent?.process?.pid;
    assert.ok(chat.agent?.editsAdvertised);
    const seam = nextEvent(chat, (event) => event.type === 'noticeShown' && event.notice.code === 'seam');
    await set('fs.write', 'off');
    const event = await seam;
    assert.match(event.type === 'noticeShown' ? event.notice.what : '', /^Demo Agent edits by itself from here on/);
    chat.sendPrompt('/plan');
    await nextEvent(chat, ({ type }) => type === 'turnEnded');
    assert.equal(chat.agent?.editsAdvertised, false);
    assert.notEqual(chat.agent?.process?.pid, pid);
  });

  it('is kept as traffic from the start of the agent on, and saved where a person says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'traffic-'));
    const target = vscode.Uri.file(join(folder, 'saved.ndjson'));
    try {
      await vscode.commands.executeCommand(commandIds.exportTraffic, target);
      const lines = parseTraffic(await readFile(target.fsPath, 'utf8'));
      const methods = new Set(lines.flatMap((line) => ('msg' in line ? [line.msg['method']] : [])));
      for (const method of ['initialize', 'session/new', 'session/prompt', 'session/update', 'fs/write_text_file']) {
        assert.ok(methods.has(method), method);
      }
      assert.equal((await stat(target.fsPath)).mode & 0o777, 0o600);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
