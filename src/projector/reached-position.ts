import type { Position } from '../event-store/event-store.ts';

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

/** How far something is, and who waits for it to be further. */
export class ReachedPosition {
  readonly #waiters = new Set<Waiter>();
  #position: Position | undefined;
  #ended = false;

  /** Undefined: nothing is reached. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Whether anybody waits for something. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Whether everything up to the position is reached. */
  covers(position: Position): boolean {
    return this.#position !== undefined && position <= this.#position;
  }

  /** From now on it is there, be that further or less far than before. */
  moveTo(position: Position | undefined): void {
    this.#position = position;
    for (const waiter of this.#waiters) if (this.covers(waiter.position)) waiter.settle(true);
  }

  /** Whether the position is reached within the time. It may be one that the log does not have. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.covers(position)) return Promise.resolve(true);
    if (this.#ended || timeoutMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  /** Nothing more will be reached: nobody waits in vain. */
  end(): void {
    this.#ended = true;
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
