import { setImmediate as nextTurn } from 'node:timers/promises';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A monotonic clock that a test moves by hand, and pauses that end by it. A process with such a clock can be frozen. */
export class HandMovedTime {
  #now = 0;
  #sleepers: Sleeper[] = [];
  /** While it is, nothing that waits for this clock goes on. */
  frozen = false;

  readonly monotonic = (): number => this.#now;

  readonly pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => resolve();
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
      signal?.addEventListener('abort', wake, { once: true });
    });
  };

  /** Moves on in steps, so that whoever sleeps again in between is woken again. */
  async advance(milliseconds: number, step = 100): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.#now += Math.min(step, left);
      await this.settle();
    }
  }

  /** Wakes whose time has come, and lets everything go on that can. */
  async settle(): Promise<void> {
    if (!this.frozen) {
      const due = this.#sleepers.filter(({ until }) => until <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
      for (const { wake } of due) wake();
    }
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }
}
