// @ts-check
/**
 * Runs in every frame of the window before anything else, and measures where the work happens: asking from outside
 * would cost time in the very thread that is measured. A frame with the chat's text box gets `globalThis.acpBench`.
 */
(() => {
  const COMPOSER = '[data-testid="composer-input"]';
  const TRANSCRIPT = '[data-testid="transcript"]';
  /** Nodes at the end of the conversation among which its last words are: the panel's own may follow. */
  const TAIL_NODES = 60;
  /** The window is at rest when no task of 50 ms and more came for so long. */
  const REST_MS = 1_500;

  /** @type {PerformanceEntry[]} */
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });

  /** Calls `then` when the frame that is being made now has been painted. @param {() => void} then */
  const afterPaint = (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      then();
    };
    port2.postMessage(null);
  };

  /** Resolves after the first frame in which `holds` is true, with the time after its paint. @param {() => boolean} holds */
  const drawn = (holds) =>
    new Promise((/** @type {(at: number) => void} */ resolve) => {
      const look = () => (holds() ? afterPaint(() => resolve(performance.now())) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });

  /** VS Code draws a new page hidden and shows it when it has loaded. */
  const frameIsShown = () => {
    const frame = window.frameElement;
    return frame === null || getComputedStyle(frame).visibility === 'visible';
  };

  /** @param {Element | Range} thing */
  const inSight = (thing) => {
    const box = thing.getBoundingClientRect();
    return box.height > 0 && box.width > 0 && box.top < innerHeight && box.bottom > 0;
  };

  /** True when `text` stands at the end of the conversation and within what the person sees. @param {string} text */
  const lastWordsInSight = (text) => {
    const log = document.querySelector(TRANSCRIPT);
    if (log === null) {
      return false;
    }
    // A walk from the end: a search through everything in each frame would cost as much as what is measured.
    const walker = document.createTreeWalker(log, NodeFilter.SHOW_ALL);
    while (walker.lastChild() !== null) {
      // Down to the last node.
    }
    for (let left = TAIL_NODES; left > 0; left -= 1) {
      const node = walker.currentNode;
      if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.includes(text) === true) {
        const range = document.createRange();
        range.selectNodeContents(node);
        return inSight(range);
      }
      if (walker.previousNode() === null) {
        return false;
      }
    }
    return false;
  };

  /** Resolves when the window has come to rest: VS Code goes on starting long after it is drawn. */
  const rest = async () => {
    const from = performance.now();
    for (;;) {
      const last = tasks.at(-1);
      const since = performance.now() - Math.max(from, last === undefined ? 0 : last.startTime + last.duration);
      if (since >= REST_MS) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, REST_MS - since));
    }
  };

  /** @typedef {{ type?: unknown, events?: { type: string, role?: string, content?: { text?: string } }[] }} Message */
  /** @type {Message[]} */
  let messages = [];
  /** When they came, `performance.now()`. @type {number[]} */
  let arrivals = [];
  let recording = false;

  /** Measures one answer from Enter to its last words, `sentinel`. @param {string} sentinel */
  const answer = async (sentinel) => {
    messages = [];
    arrivals = [];
    recording = true;
    const pressed = new Promise((/** @type {(at: number) => void} */ resolve) => {
      const onKey = (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Enter') {
          removeEventListener('keydown', onKey, true);
          resolve(event.timeStamp);
        }
      };
      addEventListener('keydown', onKey, true);
    });
    const startedAt = await pressed;
    const endedAt = await drawn(() => lastWordsInSight(sentinel));
    recording = false;
    // What was put off until after the last words is work for this answer too.
    await rest();
    const after = tasks.filter((task) => task.startTime >= endedAt);
    const during = tasks.filter((task) => task.startTime + task.duration > startedAt && task.startTime < endedAt);
    const events = messages.flatMap((message) => (message.type === 'events' ? (message.events ?? []) : []));
    const texts = events.map((event) =>
      event.type === 'messageChunk' && event.role === 'assistant' ? (event.content?.text ?? '') : '',
    );
    const result = {
      enterToLastChunkMs: endedAt - startedAt,
      longestTaskMs: Math.max(0, ...during.map((task) => task.duration)),
      longTasksMs: during.reduce((sum, task) => sum + task.duration, 0),
      longTasks: during.length,
      ownLongestTaskMs: Math.max(0, ...during.filter((task) => task.name === 'self').map((task) => task.duration)),
      afterwardsLongestTaskMs: Math.max(0, ...after.map((task) => task.duration)),
      lastMessageMs: Math.max(0, ...arrivals.filter((at) => at < endedAt)) - startedAt,
      messages: messages.length,
      snapshots: messages.filter((message) => message.type === 'snapshot').length,
      postedBytes: messages.reduce((sum, message) => sum + new Blob([JSON.stringify(message)]).size, 0),
      characters: texts.reduce((sum, text) => sum + text.length, 0),
    };
    messages = [];
    return result;
  };

  const start = () => {
    const visible = drawn(() => {
      const composer = document.querySelector(COMPOSER);
      return composer !== null && frameIsShown() && inSight(composer);
    }).then(() => Date.now());
    addEventListener('message', (/** @type {MessageEvent<Message | null>} */ { data }) => {
      if (recording && typeof data?.type === 'string') {
        messages.push(data);
        arrivals.push(performance.now());
      }
    });
    Object.assign(globalThis, { acpBench: { visible, answer, rest } });
  };

  // A webview's page sits two frames deep. Its frame begins blank and is then navigated and written to in the same
  // window: timers and observers of performance stay, what is bound to a document does not.
  if (window.parent === window.top) {
    return;
  }
  let watched = /** @type {Document | null} */ (null);
  const watch = new MutationObserver(() => {
    if (document.querySelector(COMPOSER) !== null) {
      watch.disconnect();
      clearInterval(timer);
      start();
    }
  });
  const timer = setInterval(() => {
    if (watched !== document) {
      watched = document;
      watch.observe(document, { childList: true, subtree: true });
    }
  }, 2);
})();
