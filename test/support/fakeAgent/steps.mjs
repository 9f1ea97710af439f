// @ts-check
/** Runs the steps of a script. What each step means stands in ../fakeAgentScript.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lines, pieces } from './filler.mjs';
import { fill, fillText } from './values.mjs';

/**
 * @typedef {import('../fakeAgentScript.js').Step} Step
 * @typedef {import('../fakeAgentScript.js').Cutting} Cutting
 * @typedef {import('./state.mjs').State} State
 * @typedef {import('./wire.mjs').Once} Once
 */

/** Chunks per write of a flood: a write per chunk would make the agent the slow side. */
const FLOOD_BATCH = 32;

/**
 * One run of a list of steps.
 * @typedef {object} Run
 * @property {Record<string, unknown>} variables own variables, before those that steps saved
 * @property {{ id: unknown, answered: boolean } | undefined} request the request that is handled, if any
 * @property {Once} cancelled
 * @property {Buffer[] | undefined} [together] collects the bytes of a `oneWrite`
 */

/**
 * @param {State} state
 * @param {Run} run
 */
const variablesOf = (state, run) => ({ pid: process.pid, ...state.saved, ...run.variables });

/**
 * @param {State} state
 * @param {Run} run
 * @param {Buffer} bytes
 * @param {Cutting} [cutting]
 * @returns {Promise<void>}
 */
async function emit(state, run, bytes, cutting) {
  if (run.together) {
    run.together.push(bytes);
  } else {
    await state.output.bytes(bytes, cutting);
  }
}

/**
 * Sends one JSON value as a line.
 * @param {State} state
 * @param {Run} run
 * @param {unknown} frame
 * @param {Cutting} [cutting]
 */
export function sendFrame(state, run, frame, cutting) {
  return emit(state, run, Buffer.from(`${JSON.stringify(frame)}\n`), cutting);
}

/**
 * @param {State} state
 * @param {Run} run
 * @param {unknown} update
 * @param {Cutting} [cutting]
 * @param {unknown} [sessionId]
 */
function sendUpdate(state, run, update, cutting, sessionId = run.variables['sessionId']) {
  return sendFrame(state, run, { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }, cutting);
}

/**
 * @param {Run} run
 * @param {number} ms
 */
async function pauseUnlessCancelled(run, ms) {
  if (run.cancelled.done) {
    return;
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  await Promise.race([run.cancelled.promise, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

/** Lets stdin speak: a loop of writes that the pipe always takes would never see a cancel. */
const breathe = () => new Promise((resolve) => setImmediate(resolve));

/**
 * @param {State} state
 * @param {Run} run
 * @param {Extract<Step, { do: 'flood' }>} step
 */
async function flood(state, run, step) {
  const next = pieces(step.text ?? 'markdown', step.chars);
  const sessionUpdate = step.update ?? 'agent_message_chunk';
  for (let sent = 0; sent < step.count; sent += FLOOD_BATCH) {
    if (run.cancelled.done && !step.ignoreCancel) {
      return;
    }
    const together = /** @type {Buffer[]} */ ([]);
    for (let number = sent; number < Math.min(sent + FLOOD_BATCH, step.count); number += 1) {
      await sendUpdate(state, { ...run, together }, { sessionUpdate, content: { type: 'text', text: next() } });
    }
    await emit(state, run, Buffer.concat(together));
    await breathe();
  }
}

/**
 * @param {State} state
 * @param {Run} run
 * @param {Extract<Step, { do: 'growTool' }>} step
 */
async function growTool(state, run, step) {
  let text = '';
  for (let number = 0; number < step.updates && !run.cancelled.done; number += 1) {
    text += lines(step.bytesEach);
    await sendUpdate(state, run, {
      sessionUpdate: 'tool_call_update',
      toolCallId: step.toolCallId,
      status: 'in_progress',
      content: [{ type: 'content', content: { type: 'text', text } }],
    });
    await breathe();
  }
}

/**
 * Starts the helper child and waits until it has set its signal handlers.
 * @param {State} state
 * @param {Extract<Step, { do: 'spawn' }>} step
 */
async function startHelper(state, step) {
  const flags = [step.ignoreEof ? 'ignoreEof' : '', step.ignoreTerm ? 'ignoreTerm' : ''].filter((flag) => flag !== '');
  const output = step.holdOutput ? 'inherit' : 'ignore';
  const child = spawn(process.execPath, [fileURLToPath(new URL('./helper.mjs', import.meta.url)), ...flags], {
    detached: step.detached ?? false,
    stdio: ['pipe', output, output, 'pipe'],
  });
  await once(/** @type {import('node:stream').Readable} */ (child.stdio[3]), 'data');
  // The child must not keep us alive; its stdin stays open until we are gone.
  child.unref();
  /** @type {import('node:net').Socket} */ (child.stdin).unref();
  if (step.pidFile !== undefined) {
    writeFileSync(step.pidFile, `${child.pid}\n`);
  }
  state.record.write('spawned', { pid: child.pid, name: step.name ?? 'helper' });
}

/**
 * @param {State} state
 * @param {Run} run
 * @param {Extract<Step, { do: 'request' }>} step
 */
async function request(state, run, step) {
  const variables = variablesOf(state, run);
  const id = step.id === undefined ? state.answers.nextId() : fill(step.id, variables);
  const params = fill(step.params, variables);
  const answer = step.wait === false ? undefined : state.answers.wait(id);
  state.record.write('asked', { id, method: step.method });
  await sendFrame(state, run, { jsonrpc: '2.0', id, method: step.method, params }, step);
  if (answer) {
    state.save(step.as, await answer);
  }
}

/**
 * @param {State} state
 * @param {Run} run
 * @param {Extract<Step, { do: 'respond' }>} step
 */
async function respond(state, run, step) {
  if (!run.request) {
    throw new Error('respond: these steps handle no request');
  }
  run.request.answered = true;
  const body = fill(
    step.error === undefined ? { result: step.result ?? {} } : { error: step.error },
    variablesOf(state, run),
  );
  await sendFrame(state, run, { jsonrpc: '2.0', id: run.request.id, .../** @type {object} */ (body) }, step);
}

/** @param {Extract<Step, { do: 'exit' }>} step */
async function leave(step) {
  if (step.signal === undefined) {
    process.exit(step.code ?? 0);
  }
  process.kill(process.pid, step.signal);
  await new Promise(() => {});
}

/**
 * Runs the steps one after the other.
 * @param {State} state
 * @param {Run} run
 * @param {readonly Step[]} steps
 * @returns {Promise<void>}
 */
export async function runSteps(state, run, steps) {
  for (const step of steps) {
    await runStep(state, run, step);
  }
}

/**
 * @param {State} state
 * @param {Run} run
 * @param {Step} step
 * @returns {Promise<void>}
 */
async function runStep(state, run, step) {
  const variables = variablesOf(state, run);
  switch (step.do) {
    case 'respond':
      return respond(state, run, step);
    case 'noResponse':
      if (run.request) {
        run.request.answered = true;
      }
      return;
    case 'update':
      return sendUpdate(state, run, fill(step.update, variables), step, fill(step.sessionId, variables));
    case 'notify':
      return sendFrame(state, run, { jsonrpc: '2.0', method: step.method, params: fill(step.params, variables) }, step);
    case 'request':
      return request(state, run, step);
    case 'waitResponse':
      state.save(step.as, await state.answers.wait(fill(step.id, variables)));
      return;
    case 'frame':
      return sendFrame(state, run, step.template === false ? step.frame : fill(step.frame, variables), step);
    case 'raw':
      return emit(
        state,
        run,
        step.base64 === undefined ? Buffer.from(step.text ?? '') : Buffer.from(step.base64, 'base64'),
        step,
      );
    case 'noise':
      return emit(state, run, Buffer.from(`${fillText(step.text, variables)}\n`));
    case 'stderr':
      return state.output.stderr(step.text === undefined ? lines(step.bytes ?? 0) : fillText(step.text, variables));
    case 'oneWrite': {
      const together = /** @type {Buffer[]} */ ([]);
      // `request` stays the same object, so that a respond inside counts.
      await runSteps(state, { ...run, together }, step.steps);
      return emit(state, run, Buffer.concat(together));
    }
    case 'wait':
      if (!step.uninterrupted) {
        return pauseUnlessCancelled(run, step.ms);
      }
      await new Promise((resolve) => setTimeout(resolve, step.ms));
      return;
    case 'waitFor':
      state.save(step.as, await state.arrivals.wait(step.method, step.count ?? 1));
      return;
    case 'hang':
      return step.until === 'never' ? new Promise(() => {}) : run.cancelled.promise;
    case 'flood':
      return flood(state, run, step);
    case 'growTool':
      return growTool(state, run, step);
    case 'spawn':
      return startHelper(state, step);
    case 'exit':
      return leave(step);
    case 'ignore':
      for (const what of step.what) {
        state.ignore(what);
      }
      return;
    case 'expectNone':
      state.forbidden.add(step.method);
      return;
    case 'count': {
      const count = state.arrivals.count(step.method);
      state.record.write('count', { method: step.method, count });
      state.save(step.as, count);
      return;
    }
    case 'stopReading':
      process.stdin.pause();
      return;
    case 'readOn':
      process.stdin.resume();
      return;
    case 'closeStdout':
      return state.output.close();
    case 'disk':
      writeFileSync(fillText(step.path, variables), fillText(step.text, variables));
      return;
    case 'note':
      state.record.write('note', { value: fill(step.value, variables) });
      return;
    case 'repeat':
      for (let i = 0; i < step.times; i += 1) {
        await runSteps(state, { ...run, variables: { ...run.variables, i } }, step.steps);
      }
      return;
    case 'if': {
      const same = JSON.stringify(fill(step.value, variables)) === JSON.stringify(step.equals);
      return runSteps(state, run, same ? step.then : (step.else ?? []));
    }
    default:
      throw new Error(`unknown step ${JSON.stringify(step)}`);
  }
}
