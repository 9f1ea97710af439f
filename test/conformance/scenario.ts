/**
 * One run of the headless host against a scripted agent in a workspace of its own, with everything that can be asserted
 * on: printed lines, the transcript, the frames that the host sent, the files afterwards, the exit status.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeAgent, waitUntilGone, type FakeAgent } from '../support/fakeAgent.js';
import type { FakeAgentScript, Frame, Json, Step } from '../support/fakeAgentScript.js';
import { writeFiles } from '../support/writeFiles.js';
import { runHeadless, type HeadlessRequest, type HeadlessRun, type Line } from '../support/headless.js';

export type Scenario = Omit<HeadlessRequest, 'agent' | 'cwd'> & {
  /** The agent's script, or the steps of its only prompt. Strings may say `{{cwd}}` for the workspace. */
  readonly agent?: FakeAgentScript | readonly Step[];
  /** Files of the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Called before the run with the workspace's path. */
  readonly setUp?: (cwd: string) => void;
  /** Opens another folder than the workspace: a link to it, for example. */
  readonly open?: (cwd: string) => string;
};

export type Result = HeadlessRun & {
  readonly cwd: string;
  /** All messages that the host sent, in order. */
  readonly sent: readonly Frame[];
  /** The host's requests and notifications of one method. */
  sentOf(method: string): readonly Frame[];
  /** The one answer to the agent's request with this id, type included. Fails where there is none or more than one. */
  answerTo(id: Json): Frame;
  file(name: string): string;
  bytes(name: string): Buffer;
  exists(name: string): boolean;
  readonly fake: FakeAgent;
};

const cleanups: (() => Promise<void>)[] = [];

/** Call it in each `describe`: ends and removes what the scenarios of a test made. */
export function cleanAfterEach(): void {
  afterEach(cleanNow);
}

/** The same for what a `before` hook made: call it in `after`. */
export async function cleanNow(): Promise<void> {
  for (const clean of cleanups.splice(0)) {
    await clean();
  }
}

/** A fresh folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')));
  cleanups.push(() => {
    rmSync(folder, { recursive: true, force: true });
    return Promise.resolve();
  });
  return folder;
}

/** Runs to the end of the host. Fails where a process of the agent is alive 2 s after it. */
export async function scenario(given: Scenario): Promise<Result> {
  const { agent, files, setUp, open, ...request } = given;
  const cwd = temporaryFolder();
  writeFiles(cwd, files ?? {});
  setUp?.(cwd);
  const fake = fakeAgent(agent ?? {});
  cleanups.push(() => fake.dispose());
  const run = await runHeadless({ ...request, agent: fake, cwd: open?.(cwd) ?? cwd });
  await waitUntilGone(await fake.agentPids(), 2_000);
  const sent = await fake.record();
  return {
    ...run,
    cwd,
    sent,
    fake,
    sentOf: (method) => sent.filter((frame) => frame.method === method),
    answerTo: (id) => answerTo(sent, id),
    file: (name) => readFileSync(join(cwd, name), 'utf8'),
    bytes: (name) => readFileSync(join(cwd, name)),
    exists: (name) => existsSync(join(cwd, name)),
  };
}

function answerTo(sent: readonly Frame[], id: Json): Frame {
  const answers = sent.filter((frame) => frame.method === undefined && frame.id === id);
  assert.equal(answers.length, 1, `${String(answers.length)} answers to ${JSON.stringify(id)}`);
  return answers[0] as Frame;
}

/** The texts of the agent's message entries, joined. */
export function assistantText(run: HeadlessRun): string {
  return run.entries.flatMap(({ kind, text }) => (kind === 'assistant' ? [text ?? ''] : [])).join('');
}

/** `kind:text-or-tool-id` of each entry, in order. */
export function outline(run: HeadlessRun): readonly string[] {
  return run.entries.map(
    ({ kind, text, toolCallId }) => `${kind}:${typeof toolCallId === 'string' ? toolCallId : (text ?? '')}`,
  );
}

/** Position of the first line that fits; fails where there is none. */
export function indexOf(run: HeadlessRun, event: string, fits: (line: Line) => boolean = () => true): number {
  const index = run.lines.findIndex((line) => line.event === event && fits(line));
  assert.ok(index >= 0, `no ${event} line that fits`);
  return index;
}

/** A write through the host, asked and answered by the script's own `answer` actions or by `--answers`. */
export const askToWrite = ['--write', 'ask'] as const;

export const selected = (optionId: string): Json => ({ outcome: { outcome: 'selected', optionId } });
export const cancelled: Json = { outcome: { outcome: 'cancelled' } };
