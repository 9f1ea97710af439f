/** Agents as one-line programs, and what is left of them. For tests of starting and ending processes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent, type AgentProcess, type AgentStart } from '../../src/agent/process/process.js';
import { processTable } from '../../src/agent/process/processTable.js';

/** The command line of a Node program given as text. */
export function inlineAgent(code: string): Pick<AgentStart, 'command' | 'args'> {
  return { command: process.execPath, args: ['-e', code] };
}

/** Of everything that `started` started. */
export const markersOfStarted: string[] = [];

/** Starts it, and fails the test where it cannot be started. */
export async function started(
  start: Partial<AgentStart> & Pick<AgentStart, 'command' | 'args'>,
): Promise<AgentProcess> {
  const result = await startAgent({ agentEnv: {}, pass: [], cwd: process.cwd(), ...start });
  assert.ok(result.ok, JSON.stringify(result));
  markersOfStarted.push(result.process.marker);
  return result.process;
}

/** The first lines of its stdout, `count` of them: how a test knows that the agent is where it should be. */
export async function lines(agent: AgentProcess, count = 1): Promise<readonly string[]> {
  let text = '';
  agent.stdout.setEncoding('utf8');
  while (text.split('\n').length <= count) {
    const ended = once(agent.stdout, 'close').then(() => ['']);
    const [chunk] = (await Promise.race([once(agent.stdout, 'data'), ended])) as [string];
    assert.notEqual(chunk, '', `stdout ended after ${JSON.stringify(text)}: ${agent.stderrTail().join('\n')}`);
    text += chunk;
  }
  return text.split('\n').slice(0, count);
}

/** Pids of what carries the marker and runs. */
export function marked(marker: string): readonly number[] {
  return processTable.marked(marker).map(({ pid }) => pid);
}

/** Resolves when nothing that carries the marker runs any more; fails after `ms`. */
export async function noneMarked(marker: string, ms = 3_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (marked(marker).length > 0) {
    assert.ok(Date.now() < deadline, `still running: ${marked(marker).join(', ')}`);
    await sleep(10);
  }
}

/** Number of open file descriptors of this process. Linux. */
export function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

/** A Node program that says `ready` with its pid and stays; `extra` runs first. */
export function staying(extra = ''): string {
  return `${extra};setInterval(()=>{},1e6);console.log('ready '+process.pid)`;
}

/** Code that makes a program deaf to the end of stdin (it never reads it) and to SIGTERM. */
export const ignoresTerm = `process.on('SIGTERM',()=>{})`;

/** Code that starts a child in a session of its own, which ignores SIGTERM; the pid goes to stdout as `child PID`. */
export const spawnsDetached = `const c=require('child_process').spawn(process.execPath,['-e',"process.on('SIGTERM',()=>{});setInterval(()=>{},1e6);console.log('up')"],{detached:true,stdio:['ignore','pipe','ignore']});c.stdout.once('data',()=>console.log('child '+c.pid))`;
