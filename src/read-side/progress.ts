import type { Position } from '#stores/event-log/event-log.ts';
import { AwaitablePosition } from '#stores/event-log/awaitable-position.ts';

/** Progress of the projector: position, head of the log, lag, and callers that wait for a position. */
export class ProjectorProgress {
  readonly #now: () => number;
  readonly #reached = new AwaitablePosition();
  head: Position | undefined;
  /** Time from which the oldest event that is not reflected may have waited; undefined when there is none. */
  #behindSince: number | undefined;
  failure: string | undefined;
  hasLogMismatch = false;
  caughtUp = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#behindSince = now();
  }

  get position(): Position | undefined {
    return this.#reached.position;
  }

  get lagMs(): number {
    return this.#behindSince === undefined ? 0 : Math.max(0, this.#now() - this.#behindSince);
  }

  /** Raises the head, so that the distance to it is known before its events are read. */
  knowHead(head: Position): void {
    this.head = this.head === undefined || head > this.head ? head : this.head;
  }

  /** @param since when the oldest event that is not reflected was recorded */
  updateHead(head: Position, since: number): void {
    this.knowHead(head);
    if (!this.#reached.covers(this.head ?? head)) this.#behindSince = since;
  }

  advanceTo(position: Position): void {
    this.#reached.moveTo(position);
    this.knowHead(position);
    if (position === this.head) this.#behindSince = undefined;
  }

  /** Sets where the fold resumes, which may be before the last position. */
  resumeFrom(position: Position | undefined, head: Position | undefined): void {
    this.#reached.moveTo(position);
    this.#behindSince ??= this.#now();
    if (head !== undefined) this.knowHead(head);
    if (position !== undefined) this.advanceTo(position);
  }

  clearFailure(): void {
    this.failure = undefined;
    this.hasLogMismatch = false;
  }

  markCaughtUp(): void {
    this.#behindSince = undefined;
    this.caughtUp = true;
  }

  /** Starts the lag, because no event is received during a stall. */
  recordFailure(reason: string, { isLogMismatch = false } = {}): void {
    this.failure = reason;
    this.hasLogMismatch = isLogMismatch;
    this.#behindSince ??= this.#now();
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#reached.waitFor(position, timeoutMs);
  }

  end(): void {
    this.#reached.end();
  }
}
