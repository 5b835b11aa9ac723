import type { Position } from '../event-store/event-store.ts';

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

/** How far the read models are, how far the log is known to be, and who waits for what. */
export class Progress {
  readonly #now: () => number;
  readonly #waiters = new Set<Waiter>();
  #position: Position | undefined;
  #head: Position | undefined;
  /** Since when the oldest event that is not reflected may have been waiting; undefined when there is none. */
  #behindSince: number | undefined;
  #failure: string | undefined;
  #caughtUp = false;
  #ended = false;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#behindSince = now();
  }

  get position(): Position | undefined {
    return this.#position;
  }

  get head(): Position | undefined {
    return this.#head;
  }

  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  get lagMs(): number {
    return this.#behindSince === undefined ? 0 : Math.max(0, this.#now() - this.#behindSince);
  }

  /** Whether anybody waits for something. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** The log reaches to `head`, and the oldest event that is not reflected has been waiting since `since`. */
  heard(head: Position, since: number): void {
    this.#head = this.#head === undefined || head > this.#head ? head : this.#head;
    if (this.#position === undefined || this.#position < this.#head) this.#behindSince = since;
  }

  /** Everything up to `position` is reflected. */
  reached(position: Position): void {
    this.#position = position;
    this.#head = this.#head === undefined || position > this.#head ? position : this.#head;
    if (position === this.#head) this.#behindSince = undefined;
    for (const waiter of this.#waiters) if (waiter.position <= position) waiter.settle(true);
  }

  /** It goes on after it stood still. */
  recovered(): void {
    this.#failure = undefined;
  }

  /** The end of the log is reached. */
  level(): void {
    this.#behindSince = undefined;
    this.#caughtUp = true;
  }

  /** It stands still: what happens in the log meanwhile, it does not hear. */
  failed(reason: string): void {
    this.#failure = reason;
    this.#behindSince ??= this.#now();
  }

  /** Whether the position is reached within the time. It may be one that the log does not have. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.#position !== undefined && position <= this.#position) return Promise.resolve(true);
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
