import { say } from '../say.js';
import type { TestEvent } from './events.js';

/** Counts and prints the events of one ring. A ring that did not run to its end, or ran nothing, has failed. */
export class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  /** Titles of what failed, in order. */
  readonly failures: string[] = [];
  private ended = false;

  constructor(readonly ring: string) {}

  /** Takes one event of the ring's suite. */
  add(event: TestEvent): void {
    switch (event.event) {
      case 'passed':
        this.passed += 1;
        process.stdout.write(`  ok    ${event.title}${event.ms > 1000 ? ` (${Math.round(event.ms)} ms)` : ''}\n`);
        break;
      case 'skipped':
        this.skipped += 1;
        process.stdout.write(`  skip  ${event.title}\n`);
        break;
      case 'failed':
        this.fail(event.title, event.error);
        break;
      case 'ended':
        this.ended = true;
        if (event.error !== undefined) {
          this.fail(`The ${this.ring} ring did not run to its end.`, event.error);
        }
        break;
    }
  }

  /** Counts one failure that is not a test's own. */
  fail(title: string, detail = ''): void {
    this.failed += 1;
    this.failures.push(title);
    process.stdout.write(`  FAIL  ${title}\n${detail.replace(/^/gm, '        ').trimEnd()}\n`);
  }

  /** Says how the ring ended; call it once, after the suite is gone. */
  close(startedAt: number): void {
    if (!this.ended) {
      this.fail(`The ${this.ring} ring ended without saying so: it crashed or hung.`);
    } else if (this.passed + this.failed === 0) {
      this.fail(`The ${this.ring} ring has no test that ran.`);
    }
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const skips = this.skipped > 0 ? `, ${this.skipped} skipped` : '';
    say(`Ring ${this.ring}: ${this.passed} passed, ${this.failed} failed${skips} in ${seconds} s`);
  }
}
