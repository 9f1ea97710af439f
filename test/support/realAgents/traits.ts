/** What has to be known of each agent before its scenarios run; what it does then is observed and not written here. */
import type { AgentName } from './install.js';
import type { Traits } from './subject.js';

export const traits: Readonly<Record<AgentName, Traits>> = {
  kimi: {
    prelude: [],
    note:
      'its own question for a new file and for a command holds only a title, so the host asks again with what will be ' +
      'done.',
  },
  'codex-rs': {
    prelude: [],
    note: 'its request for permission announces the tool call, which is announced once more afterwards.',
  },
  gemini: {
    noPlan: 'its list of tasks is a tool call',
    launcher: 'GEMINI_CLI_NO_RELAUNCH',
    prelude: [],
    note:
      'reads through the host for an edit. Creates no file where a missing file is answered with an error ' +
      '(src/agent/quirks.ts). Sends updates for calls that it never announced.',
  },
  claude: {
    // It starts in a mode in which it decides itself.
    prelude: [{ do: 'setMode', modeId: 'default' }],
    note: 'the other scenarios set the mode `default`. Its commands run in sessions of their own.',
  },
  'sdk-example': {
    noModel: 'it plays one fixed turn',
    prelude: [],
    note: 'the example of the SDK: no methods to sign in, one fixed turn of five seconds.',
  },
};
