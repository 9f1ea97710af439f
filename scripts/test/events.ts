// How a test run tells its runner what happened: JSON lines over a loopback socket. The same way serves plain Node and
// the extension host, and a socket that closes before `end` shows a crash at once.
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Names the port that the suite reports to. */
export const PORT_VARIABLE = 'ACP_HOST_TEST_PORT';

export type TestEvent =
  | { readonly event: 'passed'; readonly title: string; readonly ms: number }
  | { readonly event: 'skipped'; readonly title: string }
  | { readonly event: 'failed'; readonly title: string; readonly error: string }
  | { readonly event: 'ended'; readonly error?: string };

export type Emit = (event: TestEvent) => void;

/** Connects to the runner. `close` returns when everything has been sent. */
export function reportTo(port: number): { readonly emit: Emit; readonly close: () => Promise<void> } {
  const socket = createConnection({ host: '127.0.0.1', port });
  return {
    emit: (event) => void socket.write(`${JSON.stringify(event)}\n`),
    close: () => new Promise((resolve) => socket.end(resolve)),
  };
}

/** Listens for one suite. `finished` settles on its `ended` event or when its socket closes, whichever is first. */
export async function listenForSuite(
  onEvent: Emit,
): Promise<{ readonly port: number; readonly finished: Promise<void>; readonly close: () => void }> {
  let socket: Socket | undefined;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((connection) => {
    socket = connection;
    connection.on('error', () => finish());
    connection.on('close', () => finish());
    createInterface({ input: connection }).on('line', (line) => {
      const event = JSON.parse(line) as TestEvent;
      onEvent(event);
      if (event.event === 'ended') {
        finish();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    finished,
    close: () => {
      socket?.destroy();
      server.close();
    },
  };
}

/** A mocha reporter that emits events and prints nothing. */
export function reporterFor(emit: Emit): new (runner: Mocha.Runner) => object {
  return class {
    constructor(runner: Mocha.Runner) {
      runner.on('pass', (test) => emit({ event: 'passed', title: test.fullTitle(), ms: test.duration ?? 0 }));
      runner.on('pending', (test) => emit({ event: 'skipped', title: test.fullTitle() }));
      runner.on('fail', (test, error: Error) =>
        emit({ event: 'failed', title: test.fullTitle(), error: error.stack ?? String(error) }),
      );
    }
  };
}
