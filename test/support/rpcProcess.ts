/**
 * A little JSON-RPC client on the stdio of an agent process, for tests that drive an agent without any host. Every line
 * of stdout is kept; requests of the agent are answered by the handlers given at the start, unknown ones with -32601.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { Frame, Json, JsonObject } from './fakeAgentScript.js';

/** Answers a request of the agent: `{result}` or `{error}`, or undefined to leave it open. */
export type Serve = (params: JsonObject, frame: Frame) => Json | Promise<Json | undefined> | undefined;

export type RpcProcess = {
  readonly child: ChildProcessWithoutNullStreams;
  /** All lines of stdout so far, to the letter. */
  readonly lines: readonly string[];
  /** All messages so far. */
  readonly frames: readonly Frame[];
  /** Each piece as `data` gave it. */
  readonly pieces: readonly Buffer[];
  stderr(): string;
  /** Sends a request; resolves with the whole answer, also an error. */
  request(method: string, params: JsonObject): Promise<Frame>;
  notify(method: string, params: JsonObject): void;
  /** Sends text to the letter. */
  send(text: string): void;
  /** The first message that fits, also one that already came. Rejects when the process ends before. */
  waitFor(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves when the process has ended and its output is read. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Kills what is left. */
  dispose(): Promise<void>;
};

/** Starts the command. `serve` maps a method of the agent's requests to its answer's result. */
export function rpcProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly serve?: Readonly<Record<string, Serve>> } = {},
): RpcProcess {
  const child = spawn(command, [...args], { cwd: options.cwd, stdio: 'pipe' });
  const lines: string[] = [];
  const frames: Frame[] = [];
  const pieces: Buffer[] = [];
  let errorText = '';
  let waiting: { fits: (frame: Frame) => boolean; resolve: (frame: Frame) => void; reject: (e: Error) => void }[] = [];
  let nextId = 0;
  let rest = '';
  const decoder = new StringDecoder('utf8');

  const send = (text: string): void => void child.stdin.write(text);
  const sendFrame = (frame: object): void => send(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);

  const serve = async (frame: Frame): Promise<void> => {
    const handler = options.serve?.[frame.method ?? ''];
    if (!handler) {
      sendFrame({ id: frame.id, error: { code: -32601, message: 'method not found' } });
      return;
    }
    const answer = await handler((frame.params ?? {}) as JsonObject, frame);
    if (answer !== undefined) {
      sendFrame({ id: frame.id, ...(answer as object) });
    }
  };

  const receive = (line: string): void => {
    lines.push(line);
    let frame: Frame;
    try {
      frame = JSON.parse(line) as Frame;
    } catch {
      return;
    }
    frames.push(frame);
    if (frame.method !== undefined && frame.id !== undefined) {
      void serve(frame);
    }
    const due = waiting.filter((waiter) => waiter.fits(frame));
    waiting = waiting.filter((waiter) => !due.includes(waiter));
    for (const waiter of due) {
      waiter.resolve(frame);
    }
  };

  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece);
    const parts = (rest + decoder.write(piece)).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(receive);
  });
  child.stderr.on('data', (piece: Buffer) => {
    errorText += piece.toString('utf8');
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const waiter of waiting) {
        waiter.reject(new Error(`the agent ended (${code ?? signal}): ${errorText}`));
      }
      waiting = [];
      resolve({ code, signal });
    });
  });

  const waitFor = (fits: (frame: Frame) => boolean): Promise<Frame> => {
    const found = frames.find(fits);
    if (found) {
      return Promise.resolve(found);
    }
    return new Promise((resolve, reject) => {
      waiting.push({ fits, resolve, reject });
    });
  };

  return {
    child,
    lines,
    frames,
    pieces,
    stderr: () => errorText,
    request: (method, params) => {
      const id = nextId++;
      const answer = waitFor((frame) => frame.method === undefined && frame.id === id);
      sendFrame({ id, method, params });
      return answer;
    },
    notify: (method, params) => {
      sendFrame({ method, params });
    },
    send,
    waitFor,
    exited,
    dispose: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
      }
      await exited.catch(() => undefined);
    },
  };
}
