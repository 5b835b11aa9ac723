import type { Position } from '../event-store/event-store.ts';
import { ReachedPosition } from './reached-position.ts';

/** How far the read models are, how far the log is known to be, and who waits for what. */
export class Progress {
  readonly #now: () => number;
  readonly #reached = new ReachedPosition();
  #head: Position | undefined;
  /** Since when the oldest event that is not reflected may have been waiting; undefined when there is none. */
  #behindSince: number | undefined;
  #failure: string | undefined;
  #caughtUp = false;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#behindSince = now();
  }

  get position(): Position | undefined {
    return this.#reached.position;
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

  /** The log reaches to `head`, and the oldest event that is not reflected has been waiting since `since`. */
  heard(head: Position, since: number): void {
    this.#head = this.#head === undefined || head > this.#head ? head : this.#head;
    if (!this.#reached.covers(this.#head)) this.#behindSince = since;
  }

  /** Everything up to `position` is reflected. */
  reached(position: Position): void {
    this.#reached.moveTo(position);
    this.#head = this.#head === undefined || position > this.#head ? position : this.#head;
    if (position === this.#head) this.#behindSince = undefined;
  }

  /** What was reached is there no more: the read models were deleted, or are an older copy. */
  lost(): void {
    this.#reached.moveTo(undefined);
    this.#caughtUp = false;
    this.#behindSince ??= this.#now();
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
    return this.#reached.waitFor(position, timeoutMs);
  }

  /** Nothing more will be reached: nobody waits in vain. */
  end(): void {
    this.#reached.end();
  }
}
