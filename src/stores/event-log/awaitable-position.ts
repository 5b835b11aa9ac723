import type { Position } from './event-log.ts';

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

export class AwaitablePosition {
  readonly #waiters = new Set<Waiter>();
  #position: Position | undefined;
  #ended = false;

  get position(): Position | undefined {
    return this.#position;
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  covers(position: Position): boolean {
    return this.#position !== undefined && position <= this.#position;
  }

  moveTo(position: Position | undefined): void {
    this.#position = position;
    for (const waiter of this.#waiters) if (this.covers(waiter.position)) waiter.settle(true);
  }

  /** Resolves with true when the position is reached; with false after the time, if there is a limit, or at the end. */
  waitFor(position: Position, timeoutMs?: number): Promise<boolean> {
    if (this.covers(position)) return Promise.resolve(true);
    if (this.#ended || (timeoutMs !== undefined && timeoutMs <= 0)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => waiter.settle(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  end(): void {
    this.#ended = true;
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
