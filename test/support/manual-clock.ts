import { setImmediate as nextTurn } from 'node:timers/promises';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A monotonic clock that only the test advances, with pauses that depend on it. */
export class ManualClock {
  #now = 0;
  #sleepers: Sleeper[] = [];
  /** While true, no pause ends: simulates a frozen process. */
  isFrozen = false;

  readonly monotonic = (): number => this.#now;

  readonly pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => resolve();
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
      signal?.addEventListener('abort', wake, { once: true });
    });
  };

  /** Advances in steps, so that pauses which start in between can end as well. */
  async advance(milliseconds: number, step = 100): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.#now += Math.min(step, left);
      await this.settle();
    }
  }

  /** Ends the pauses that are due and runs pending callbacks. */
  async settle(): Promise<void> {
    if (!this.isFrozen) {
      const due = this.#sleepers.filter(({ until }) => until <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
      for (const { wake } of due) wake();
    }
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }
}

/** The clocks of several processes, which the test moves together. */
export class ManualClocks {
  readonly #clocks: ManualClock[] = [];

  create(): ManualClock {
    const clock = new ManualClock();
    this.#clocks.push(clock);
    return clock;
  }

  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 100) for (const clock of this.#clocks) await clock.advance(100);
  }

  async settle(): Promise<void> {
    for (const clock of this.#clocks) await clock.settle();
  }
}
