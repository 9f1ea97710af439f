/**
 * Every bound of the host in one table. Documents name a bound, this holds its number. Bytes are UTF-8 bytes,
 * characters are UTF-16 units, times are milliseconds.
 */
export const limits = {
  /** One frame on the agent's stdout, bytes. Real agents send 1.5 MB lines; nothing honest comes near this. */
  frame: 64 * 1024 * 1024,
  /** Answers to things that are no valid request, over the life of a connection. */
  refusals: 100,
  /** Requests of the agent that wait for an answer at the same time. */
  unansweredRequests: 10_000,
  /** What we write to an agent in one message, bytes: agents on the SDK refuse more than 32 MiB. */
  outgoing: 31 * 1024 * 1024,
  /** Bytes of stderr that are kept. */
  stderr: 64 * 1024,
  /** Lines of stderr in a notice or a report. */
  stderrTail: 8,
  /** Characters of one line of stderr. */
  stderrLine: 1_000,
  /** Lines of stdout noise that are kept, and characters of each. */
  noiseLines: 20,
  noiseLine: 300,
  /** Characters of message text, thoughts, plan and tool text that one turn may add. */
  turnText: 5_000_000,
  /** Characters of one title, plan step, command description or name. */
  title: 4_000,
  identifier: 4_096,
  /** Characters of a value from an open set: a status, a category, a MIME type. */
  word: 100,
  planEntries: 100,
  toolCalls: 2_000,
  commands: 1_000,
  locations: 1_000,
  contentItems: 1_000,
  choices: 1_000,
  configOptions: 100,
  permissionOptions: 16,
  /** Bytes of one option's id. */
  optionId: 1_024,
  /** Characters of a text that is kept inline; longer ones become bodies with this much preview. */
  inline: 8_000,
  bodyPreview: 2_000,
  /** Bytes of one body; the middle of a longer one is cut. */
  body: 1024 * 1024,
  /** Bytes of all bodies of a process kept in memory, oldest dropped first. */
  bodies: 32 * 1024 * 1024,
  /** Characters of a JSON-RPC error's data that are shown. */
  errorData: 4_000,
  /** Bytes of a file that one read returns, and that are scanned to reach a window. */
  readBytes: 5 * 1024 * 1024,
  scanBytes: 64 * 1024 * 1024,
  writeBytes: 5 * 1024 * 1024,
  /** Reads of one turn: files and bytes. */
  /** Characters of answers that were made and that an agent has not read. */
  waitingAnswers: 16 * 1024 * 1024,
  turnReads: 2_000,
  turnReadBytes: 256 * 1024 * 1024,
  parallelReads: 4,
  /** Bytes of one step through a file, which are also the bytes searched for NUL to tell text from binary. */
  readChunk: 64 * 1024,
  /** Questions about one write: while a person decides the file may change, and then the answer is about old text. */
  writeQuestions: 3,
  /** Texts of one turn that a person allowed in advance, and the files whose last read text is remembered. */
  expectations: 64,
  rememberedTexts: 64,
  path: 4_096,
  pathComponent: 255,
  terminalBytes: 1024 * 1024,
  terminalTail: 16_000,
  terminals: 64,
  /** How long a run waits at its end for answers that are on their way to the agent, ms. */
  answerDrain: 500,
  /** Different paths of tool calls that are looked at in one turn. */
  outsidePaths: 500,
  /** Characters of one recording of traffic. */
  trafficCharacters: 64 * 1024 * 1024,
  /** Characters of what a window keeps of each agent, how many agents, and processes of one recording with a stderr. */
  trafficWindow: 2 * 1024 * 1024,
  trafficAgents: 4,
  trafficProcesses: 5,
  /** Lines listed in a diff view. */
  diffLines: 2_000,
  /** Characters of one line in a diff view, and of all of them. */
  diffLine: 2_000,
  diffText: 200_000,
  /** Edits and time in which the shortest diff is searched; beyond either the change is shown as a whole. */
  diffEdits: 1_000,
  diffTime: 300,
  queue: 50,
  promptText: 1_000_000,
  pendingApprovals: 64,
  /** The same request, denied so often in one turn: the person is offered to stop it. */
  sameDenied: 5,
  command: 32 * 1024,
  /** A notice for a session id that was not announced waits this long and this many. */
  earlyUpdates: 1_000,
  handshake: 30_000,
  handshakeDownload: 60_000,
  sessionNew: 60_000,
  /** After the leader of a process group exits: time for its last output to arrive. */
  exitDrain: 250,
  stop: { stdin: 3_000, term: 2_000, kill: 1_000 },
  stopFast: { stdin: 500, term: 500, kill: 500 },
  /** Stop was pressed this long ago and the turn still runs: offer to end it here. */
  cancelGrace: 10_000,
  idleNotice: 120_000,
  /** A test turn of the probe. */
  testTurn: 180_000,
  redact: 64 * 1024,
  /** Bytes of one saved session; what comes later is not saved. */
  sessionLog: 64 * 1024 * 1024,
} as const;

/** Cuts a string to at most `max` characters, never inside a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
