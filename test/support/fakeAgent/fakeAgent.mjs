#!/usr/bin/env node
// @ts-check
/**
 * The scripted fake agent of all test rings: speaks newline-delimited JSON-RPC on stdio, without any library, so that
 * it can send anything, also what no library would.
 *
 *     node fakeAgent.mjs script.json
 *     node fakeAgent.mjs --script '{"prompts":[{"steps":[{"do":"hang"}]}]}'
 *     FAKE_AGENT_SCRIPT='{…}' node fakeAgent.mjs
 *     … --record FILE          one JSON line per message received and per event, written before anything is done with it
 *
 * Without a script it is a polite agent: `initialize` (version 1, no sign-in), sessions S1, S2, …, each prompt answered
 * with one chunk "ok" and `end_turn`; `session/cancel` makes the stop reason `cancelled`. What a script adds:
 *
 *     {
 *       "start":   [steps before anything is read],
 *       "on":      { "session/new": [steps; the default answer follows unless they answered] },
 *       "prompts": [ { "steps": [first prompt] }, { "steps": [second] }, { "match": "/edit", "steps": […] } ],
 *       "end":     [steps at the end of stdin]
 *     }
 *
 * Steps run one after the other; messages are served side by side. A step is `{"do": NAME, …}`. All steps, their
 * fields, templates (`{{sessionId}}`) and the format of the record stand in ../fakeAgentScript.ts; tests use the
 * builder in ../fakeAgent.ts. A fault in the script ends the process with status 70 and a line on stderr.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lineSplitter, Recorder } from './output.mjs';
import { State } from './state.mjs';

const { values, positionals } = parseArgs({
  options: { script: { type: 'string' }, record: { type: 'string' } },
  allowPositionals: true,
});
const [path] = positionals;
const source = values.script ?? (path === undefined ? process.env['FAKE_AGENT_SCRIPT'] : readFileSync(path, 'utf8'));
/** @type {unknown} */
const parsed = JSON.parse(source ?? '{}');
const script = /** @type {import('../fakeAgentScript.js').FakeAgentScript} */ (parsed);

const record = new Recorder(values.record);
record.write('started', {
  pid: process.pid,
  cwd: process.cwd(),
  args: process.argv.slice(2),
  envNames: Object.keys(process.env).sort(),
  env: Object.fromEntries((script.recordEnv ?? []).map((name) => [name, process.env[name]])),
});

const state = new State(script, record);
await state.start();
process.stdin.on('error', () => {});
process.stdin.on(
  'data',
  lineSplitter((line) => state.receive(line)),
);
process.stdin.on('end', () => void state.end());
