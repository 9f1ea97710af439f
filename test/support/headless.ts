/**
 * Runs the headless host, as bundled, against an agent and collects what it printed. The bundle is what people run, so
 * the tests do not import its sources.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Line = { readonly event: string; readonly sessionId: string | null; readonly at: number } & Record<
  string,
  unknown
>;
export type PrintedEntry = { readonly id: string; readonly kind: string; readonly text?: string } & Record<
  string,
  unknown
>;

export type HeadlessRun = {
  readonly status: number | null;
  readonly lines: readonly Line[];
  readonly stderr: string;
  /** The lines of one event, in order. */
  events(name: string): Line[];
  readonly entries: readonly PrintedEntry[];
  readonly transcript: Record<string, unknown>;
};

export type HeadlessRequest = {
  readonly agent: { readonly command: string; readonly args: readonly string[] };
  readonly cwd: string;
  /** Options before `--`, without `--cwd`, `--script` and `--answers FILE`. */
  readonly options?: readonly string[];
  readonly prompts?: readonly string[];
  readonly script?: readonly Record<string, unknown>[];
  readonly answers?: readonly Record<string, unknown>[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called for each line as it is printed. */
  readonly onLine?: (line: Line, pid: number) => void;
};

/** Resolves at the exit of the host. Rejects where stdout held anything but JSON lines. */
export async function runHeadless(request: HeadlessRequest): Promise<HeadlessRun> {
  const bundle = 'dist/headless.cjs';
  if (!existsSync(bundle)) {
    throw new Error(`${bundle} is missing: run "npm run build".`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'headless-'));
  try {
    const args = [bundle, '--cwd', request.cwd, ...(request.options ?? [])];
    for (const prompt of request.prompts ?? []) {
      args.push('--prompt', prompt);
    }
    if (request.script !== undefined) {
      args.push('--script', writeLines(join(folder, 'script.jsonl'), request.script));
    }
    if (request.answers !== undefined) {
      args.push('--answers', writeLines(join(folder, 'answers.jsonl'), request.answers));
    }
    args.push('--', request.agent.command, ...request.agent.args);
    return await collect(args, request);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLines(file: string, lines: readonly unknown[]): string {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function collect(args: readonly string[], request: HeadlessRequest): Promise<HeadlessRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...request.env },
    });
    const lines: Line[] = [];
    let stderr = '';
    let rest = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        try {
          const line = JSON.parse(part) as Line;
          lines.push(line);
          request.onLine?.(line, child.pid ?? 0);
        } catch {
          child.kill('SIGKILL');
          reject(new Error(`stdout held a line that is no JSON: ${part.slice(0, 200)}`));
        }
      }
    });
    child.on('error', reject);
    child.on('close', (status) => {
      const last = lines.at(-1);
      const transcript = (last?.event === 'transcript' ? last['transcript'] : {}) as Record<string, unknown>;
      resolve({
        status,
        lines,
        stderr,
        transcript,
        entries: (transcript['entries'] ?? []) as PrintedEntry[],
        events: (name) => lines.filter(({ event }) => event === name),
      });
    });
  });
}
