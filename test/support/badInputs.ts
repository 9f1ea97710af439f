/**
 * Everything that can be wrong at the start or on the way, as one table: how to bring it about in a window, and the
 * words that a person must find in the panel. Tests walk it, and the gallery of errors is drawn from it.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeAgentScript, Step } from './fakeAgentScript.js';
import { exit, fail, noise, noResponse, readFile, stderr, text, toolCall, toolUpdate } from './fakeAgentSteps.js';

/** An agent's entry in `acpHost.agents`. */
export type AgentSetting = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export type BadInput = {
  /** What is wrong, as in the list of issue and gallery. */
  readonly title: string;
  /** The name of its picture. */
  readonly slug: string;
  /** The agent to choose; none where the window itself is what is wrong. */
  readonly agent?: { readonly setting: AgentSetting } | { readonly script: FakeAgentScript };
  /** Prepares the open folder, absolute. */
  readonly prepare?: (folder: string) => void;
  /** Seconds, where the answer that never comes must not take half a minute. */
  readonly handshakeTimeout?: number;
  /** Where it is said: in the conversation after a prompt, or in the empty panel. */
  readonly where: 'conversation' | 'emptyPanel';
  /** How the window has to be. */
  readonly window?: 'noFolder' | 'untrusted' | 'noAgents';
  /** The first line. */
  readonly what: RegExp;
  /** The rest: the cause and the next step. */
  readonly why: RegExp;
  /** Buttons that have to be there. */
  readonly buttons: readonly string[];
  /** Sentences of the rest. Two, but where the design's own words are three. */
  readonly sentences?: number;
};

const node = process.execPath;

/** A program that prints one line on stderr and ends with 1. */
const ends = (words: string): AgentSetting => ({
  command: node,
  args: ['-e', `console.error(${JSON.stringify(words)}); process.exit(1)`],
});

/** An agent that tries one file and says how it went. */
const reads = (path: string): { readonly script: FakeAgentScript } => ({
  script: {
    prompts: [
      {
        repeat: true,
        steps: [
          toolCall('r', { title: 'Read a file', kind: 'read', status: 'in_progress', locations: [{ path }] }),
          readFile(path, {}, { as: 'file' }),
          toolUpdate('r', { status: 'failed' }),
          text('I could not read it, so I go on without.'),
        ],
      },
    ],
  },
});

const initialize = (...steps: readonly Step[]): { readonly script: FakeAgentScript } => ({
  script: { on: { initialize: steps } },
});

export const badInputs: readonly BadInput[] = [
  {
    title: 'No agent configured',
    slug: 'no-agent',
    where: 'emptyPanel',
    window: 'noAgents',
    what: /^Choose an agent for csv-kit$/,
    why: /Demo Agent.*no key, no network/s,
    buttons: ['Add Agent…'],
  },
  {
    title: 'Command not found',
    slug: 'command-not-found',
    agent: { setting: { command: 'no-such-agent' } },
    where: 'conversation',
    what: /^“no-such-agent” was not found$/,
    why: /^VS Code looked for it in the (\d+ folders|one folder) of PATH on this machine\.$/,
    buttons: ['Add Agent…', 'Edit Agent Settings', 'Probe Agent'],
  },
  {
    title: 'npx missing',
    slug: 'npx-missing',
    agent: { setting: { command: 'npx', args: ['-y', 'some-agent@1.0.0'], env: { PATH: '/nowhere' } } },
    where: 'conversation',
    what: /^“npx” was not found$/,
    why: /^VS Code looked for it in the one folder of PATH on this machine\. Install Node\.js 20 or newer, which brings npx, then try again\.$/,
    buttons: ['Edit Agent Settings'],
  },
  {
    title: 'Node too old for the agent',
    slug: 'node-too-old',
    agent: { setting: ends('some-agent requires Node.js 24 or newer. Current: v18.19.0') },
    where: 'conversation',
    what: /^Node\.js is too old for .+$/,
    why: /needs a newer Node\.js.* Install Node\.js 24, then try again\.$/,
    buttons: ['Try Again', 'Show Log'],
  },
  {
    title: 'Not executable',
    slug: 'not-executable',
    agent: { setting: { command: '{{folder}}/agent.sh' } },
    prepare: (folder) => {
      writeFileSync(join(folder, 'agent.sh'), '#!/bin/sh\n');
      chmodSync(join(folder, 'agent.sh'), 0o644);
    },
    where: 'conversation',
    what: /^“.*agent\.sh” may not be run$/,
    why: /^The file is there but not executable \(EACCES\)\. Make it executable, or /,
    buttons: ['Edit Agent Settings', 'Show Log'],
  },
  {
    title: 'Exits at once',
    slug: 'exits-at-once',
    agent: { setting: ends('cannot open the configuration: no such profile') },
    where: 'conversation',
    what: / stopped unexpectedly$/,
    why: /^Exit code 1 before it answered `?initialize`?\.$/,
    buttons: ['Try Again', 'Show Log', 'Copy Details'],
  },
  {
    title: 'Prints garbage',
    slug: 'garbage',
    agent: {
      script: {
        start: [noise('Welcome to the shell of some program'), noise('> ')],
        on: { initialize: [noResponse()] },
      },
    },
    handshakeTimeout: 2,
    where: 'conversation',
    what: / did not answer$/,
    why: /^No answer to `?initialize`? within 2 s\. The command does not speak ACP; its first line was “Welcome to the shell of some program”\.$/,
    buttons: ['Try Again', 'Edit Agent Settings', 'Show Log'],
  },
  {
    title: 'Wrong protocol version',
    slug: 'wrong-version',
    agent: { script: { protocolVersion: 3 } },
    where: 'conversation',
    what: / speaks another protocol version$/,
    why: /^It offers version 3; this extension speaks 1\.$/,
    buttons: ['Edit Agent Settings', 'Copy Details'],
  },
  {
    title: 'Never answers',
    slug: 'never-answers',
    agent: initialize(noResponse()),
    handshakeTimeout: 2,
    where: 'conversation',
    what: / did not answer$/,
    why: /^No answer to `?initialize`? within 2 s\.$/,
    buttons: ['Try Again', 'Edit Agent Settings', 'Show Log'],
  },
  {
    title: '`initialize` answered with an error',
    slug: 'initialize-error',
    agent: initialize(fail({ code: -32603, message: 'The licence of this agent has ended.' })),
    where: 'conversation',
    what: / refused to start$/,
    why: /^It answered `?initialize`? with an error \(-32603\): “The licence of this agent has ended”\.$/,
    buttons: ['Try Again', 'Show Log'],
  },
  {
    title: 'Needs sign-in',
    slug: 'needs-sign-in',
    agent: {
      script: {
        authMethods: [{ id: 'browser', name: 'Sign in with a browser' }],
        on: { 'session/new': [fail({ code: -32000, message: 'Authentication required' })] },
      },
    },
    where: 'conversation',
    what: /^Sign in to /,
    why: /refused the prompt because nobody is signed in\. Sign in to .+ with “Sign in with a browser” in its own command line, then try again\.$/,
    buttons: ['Try Again'],
  },
  {
    title: 'Says that it is not logged in',
    slug: 'not-logged-in',
    agent: { setting: ends('Not logged in. Please run /login') },
    where: 'conversation',
    what: /^Sign in to /,
    why: /says that nobody is signed in\. Sign in with the command line of .+, then try again\.$/,
    buttons: ['Try Again'],
  },
  {
    title: 'No folder open',
    slug: 'no-folder',
    where: 'emptyPanel',
    window: 'noFolder',
    what: /^Open a folder: an agent works inside one\.$/,
    why: /^/,
    buttons: ['Open Folder'],
  },
  {
    title: 'Folder not trusted',
    slug: 'untrusted',
    where: 'emptyPanel',
    window: 'untrusted',
    what: /^This folder is not trusted, so no agent starts\.$/,
    why: /^/,
    buttons: ['Manage Trust'],
  },
  {
    title: 'File outside the folder',
    slug: 'outside',
    agent: reads('/etc/hostname'),
    where: 'conversation',
    what: /^hostname was not read$/,
    why: /^It is outside csv-kit\. VS Code opens nothing else for .+\.$/,
    buttons: [],
  },
  {
    title: 'Binary file',
    slug: 'binary',
    agent: reads('{{cwd}}/data/logo.bin'),
    prepare: (folder) => {
      mkdirSync(join(folder, 'data'), { recursive: true });
      writeFileSync(join(folder, 'data/logo.bin'), Buffer.from([0x89, 0x50, 0, 0, 1, 2, 3, 0]));
    },
    where: 'conversation',
    what: /^logo\.bin was not read$/,
    why: /^It is a binary file\. VS Code serves only text\.$/,
    buttons: [],
  },
  {
    title: 'File over the limit',
    slug: 'too-large',
    agent: reads('{{cwd}}/data/large.csv'),
    prepare: (folder) => {
      mkdirSync(join(folder, 'data'), { recursive: true });
      writeFileSync(join(folder, 'data/large.csv'), 'a,b,c\n'.repeat(1_000_000));
    },
    where: 'conversation',
    what: /^large\.csv was not read$/,
    why: /^It is larger than 5 MB\. .+ can read it in parts\.$/,
    buttons: [],
  },
  {
    title: 'Agent dies in the middle of a turn',
    slug: 'dies',
    agent: {
      script: {
        prompts: [{ repeat: true, steps: [text('I begin,'), stderr('out of memory\n'), exit('SIGABRT')] }],
      },
    },
    where: 'conversation',
    what: / stopped unexpectedly$/,
    why: /^Ended by SIGABRT after \d+ (s|min)\. Your prompt is kept\. After a restart .+ starts without memory of it\.$/,
    buttons: ['Restart', 'Show Log', 'Copy Details'],
    sentences: 3,
  },
];
