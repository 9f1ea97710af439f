/** Nothing that an agent started may outlive this window, whatever ends it. */
import type { Disposable, Log } from '../agent/ports.js';
import { processRegistry } from '../agent/process/registry.js';
import { recordProcesses, sweep } from '../agent/process/stateFile.js';
import { startWatchdog, type Watchdog } from '../agent/process/watchdog.js';
import { messageOf } from '../core/errors.js';

export type ProcessCare = Disposable & {
  /** Call after everything was stopped: the watchdog has nothing left to do. */
  readonly bye: () => void;
};

/**
 * Ends what a killed window left, and from the first agent on writes down what runs and starts the watchdog. Does no
 * work before its caller is done.
 */
export function careForProcesses(folder: string, watchdogScript: string, log: Log): ProcessCare {
  const registry = processRegistry();
  let watchdog: Watchdog | undefined;
  let stopRecording: (() => void) | undefined;
  const timer = setTimeout(() => {
    void sweep(folder).then((found) => {
      if (found > 0) {
        log.info(`${found} processes of a window that ended before were ended.`);
      }
    });
  }, 0);
  const stopObserving = registry.observe({
    added: () => {
      if (watchdog === undefined) {
        watchdog = startWatchdog(registry, { node: process.execPath, script: watchdogScript });
        try {
          stopRecording = recordProcesses(registry, folder);
        } catch (error) {
          log.warn(`Running agents cannot be written down: ${messageOf(error)}`);
        }
      }
    },
    removed: () => undefined,
  });
  const bye = (): void => {
    watchdog?.bye();
    watchdog = undefined;
  };
  return {
    bye,
    dispose: () => {
      clearTimeout(timer);
      stopObserving();
      stopRecording?.();
    },
  };
}
