import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import type { BuildProgress, Projector, ProjectorStatus } from './projector.ts';
import { AwaitablePosition } from '#stores/event-log/awaitable-position.ts';

interface PublishedProgressOptions {
  /** Returns the position that the served read models reflect; undefined when there is none. */
  readonly readPublishedPosition: () => Promise<Position | undefined>;
  readonly eventStore: Pick<EventStore, 'lastPosition'>;
  readonly monotonic: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 1_000;
const FAST_POLL_MS = 8;

interface Unreflected {
  readonly position: Position;
  readonly since: number;
}

/**
 * The progress of a projector in another process, polled from the checkpoint of the served read models. All callers
 * that wait share one poll. The lag is measured by the clock of this process, from the instant it learns of an event
 * that is not reflected. Read models that are deleted or replaced by an older copy are detected at the next poll. While
 * the read models do not answer, the last known position counts. While the head of the log cannot be read, because the
 * event store does not answer or no longer leads its cluster, the read models count as behind.
 */
export class PublishedProgress implements Projector {
  readonly #options: PublishedProgressOptions;
  readonly #position = new AwaitablePosition();
  readonly #stopping = new AbortController();
  readonly #polling: Promise<unknown>;
  #wake = new AbortController();
  #head: Position | undefined;
  #unreflected: Unreflected | undefined;
  /** Since when the head of the log cannot be read; undefined while it can. */
  #headUnknownSince: number | undefined;
  #caughtUp = false;
  /** The recorded position is beyond the end of the log, so it belongs to another log and does not count. */
  #isOfAnotherLog = false;
  #recorded: Position | undefined;

  constructor(options: PublishedProgressOptions) {
    this.#options = options;
    this.#polling = Promise.all([this.#pollPosition(), this.#pollHead()]);
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const isReached = this.#position.waitFor(position, timeoutMs);
    if (this.#position.isAwaited) this.#wake.abort();
    return isReached;
  }

  status(): ProjectorStatus {
    return {
      collections: [],
      position: this.#position.position,
      head: this.#head,
      lagMs: this.#lagMs(),
      caughtUp: this.#caughtUp,
      unroutable: 0,
      // Stores that do not answer are reported by their own checks.
      failure: undefined,
      hasLogMismatch: this.#isOfAnotherLog,
    };
  }

  /** Without a recorded position the leading projector is building, until the log is known to be empty. */
  initialBuildProgress(): BuildProgress | undefined {
    const { position } = this.#position;
    if (position !== undefined || this.#caughtUp || this.#isOfAnotherLog) return undefined;
    return { position, head: this.#head };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    this.#position.end();
    await this.#polling;
  }

  async #pollPosition(): Promise<void> {
    const { readPublishedPosition, pause } = this.#options;
    while (!this.#stopping.signal.aborted) {
      await readPublishedPosition().then(
        (position) => this.#updatePosition(position),
        () => undefined,
      );
      if (this.#position.isAwaited) {
        await pause(FAST_POLL_MS, this.#stopping.signal);
        continue;
      }
      await pause(POLL_MS, this.#wake.signal);
      if (this.#wake.signal.aborted) this.#wake = new AbortController();
    }
  }

  async #pollHead(): Promise<void> {
    const { eventStore, monotonic, pause } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // The log only grows, so its head must not be behind a position that was recorded before this request.
      const recorded = this.#recorded;
      const at = monotonic();
      await eventStore.lastPosition().then(
        (head) => {
          this.#headUnknownSince = undefined;
          this.#compare(recorded, head, monotonic());
        },
        () => (this.#headUnknownSince ??= at),
      );
      await pause(POLL_MS, this.#stopping.signal);
    }
  }

  #lagMs(): number {
    const since = Math.min(this.#unreflected?.since ?? Infinity, this.#headUnknownSince ?? Infinity);
    return since === Infinity ? 0 : this.#options.monotonic() - since;
  }

  #compare(recorded: Position | undefined, head: Position | undefined, at: number): void {
    const isAhead = recorded !== undefined && recorded > (head ?? 0n);
    if (isAhead !== this.#isOfAnotherLog) {
      this.#isOfAnotherLog = isAhead;
      this.#updatePosition(this.#recorded);
    }
    this.#updateHead(head, at);
  }

  #updatePosition(recorded: Position | undefined): void {
    this.#recorded = recorded;
    const position = this.#isOfAnotherLog ? undefined : recorded;
    const before = this.#position.position;
    this.#position.moveTo(position);
    if (before !== undefined && !this.#position.covers(before)) this.#restart();
    else if (this.#unreflected !== undefined && this.#position.covers(this.#unreflected.position)) this.#markCaughtUp();
  }

  #updateHead(head: Position | undefined, at: number): void {
    this.#head = head;
    if (head === undefined || this.#position.covers(head)) this.#markCaughtUp();
    else this.#unreflected ??= { position: head, since: at };
  }

  #markCaughtUp(): void {
    this.#unreflected = undefined;
    this.#caughtUp = true;
  }

  #restart(): void {
    this.#caughtUp = false;
    this.#unreflected = undefined;
    if (this.#head !== undefined) this.#updateHead(this.#head, this.#options.monotonic());
  }
}
