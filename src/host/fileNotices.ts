import type { Disposable } from '../agent/ports.js';
import { fileNotice } from '../core/notices.js';
import type { Chat } from './chat.js';

/** One turn says this many different things of files; an agent that tries a thousand paths must not bury the answer. */
const mostInOneTurn = 5;

/** Says in the conversation which files were not served and why, until the result is disposed. */
export function tellRefusedFiles(chat: Chat): Disposable {
  const told = new Set<string>();
  return chat.onEvent((event) => {
    if (event.type === 'promptSent') {
      told.clear();
    }
    if ((event.type !== 'fileRead' && event.type !== 'fileWritten') || event.outcome === 'done') {
      return;
    }
    const { session } = chat;
    const [operation, reason] = [
      event.type === 'fileRead' ? ('read' as const) : ('write' as const),
      event.reason ?? '',
    ];
    const notice = fileNotice(operation, event.path, reason, chat.agentName ?? '', chat.folder?.name ?? 'the folder');
    const key = `${operation} ${reason} ${event.path}`;
    if (session === null || notice === undefined || told.has(key) || told.size >= mostInOneTurn) {
      return;
    }
    told.add(key);
    // Not inside the event: others who listen must hear of the file before they hear of the notice.
    queueMicrotask(() => {
      session.emit({ type: 'noticeShown', at: session.now(), notice });
    });
  });
}
