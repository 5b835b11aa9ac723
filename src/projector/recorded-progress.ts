import type { EventStore, Position } from '../event-store/event-store.ts';
import type { Projector, ProjectorStatus } from './projector.ts';
import { ReachedPosition } from './reached-position.ts';

export interface RecordedProgressOptions {
  /** How far the projector, wherever it runs, says that all read models are; undefined: nothing yet. */
  readonly readReached: () => Promise<Position | undefined>;
  readonly eventStore: Pick<EventStore, 'lastPosition'>;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How often the stores are asked while nobody waits, and while somebody does. */
const LOOK_EVERY_MS = 1_000;
const LOOK_SOON_MS = 8;

/** A position that the log had when it was looked at, and that is not reflected yet. */
interface Awaited {
  readonly position: Position;
  readonly since: number;
}

/**
 * The progress of a projector in another process, by what it has recorded. All who wait share one question to the read
 * models. Lag is measured by the clock of this process: since when it has known of an event that is not reflected yet.
 * Read models that are deleted, or replaced by an older copy, are noticed at the next look: what was reached then counts no
 * more. While they do not answer, what was known before still holds. While the head of the log cannot be read, because the event
 * store does not answer or no longer leads its cluster, the read models count as behind.
 */
export class RecordedProgress implements Projector {
  readonly #options: RecordedProgressOptions;
  readonly #reached = new ReachedPosition();
  readonly #stopping = new AbortController();
  readonly #looking: Promise<unknown>;
  #wake = new AbortController();
  #head: Position | undefined;
  #awaited: Awaited | undefined;
  /** Since when the head of the log cannot be read; undefined while it can. */
  #headUnknownSince: number | undefined;
  #caughtUp = false;
  /** What is recorded lies behind the end of the log, so it was made from another one: nothing of this one is reached. */
  #isOfAnotherLog = false;
  #recorded: Position | undefined;

  constructor(options: RecordedProgressOptions) {
    this.#options = options;
    this.#looking = Promise.all([this.#followReached(), this.#followHead()]);
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const reached = this.#reached.waitFor(position, timeoutMs);
    if (this.#reached.isAwaited) this.#wake.abort();
    return reached;
  }

  status(): ProjectorStatus {
    return {
      collections: [],
      position: this.#reached.position,
      head: this.#head,
      lagMs: this.#lagMs(),
      caughtUp: this.#caughtUp,
      unroutable: 0,
      // Stores that do not answer are reported by their own checks.
      failure: undefined,
      isOfAnotherLog: this.#isOfAnotherLog,
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    this.#reached.end();
    await this.#looking;
  }

  async #followReached(): Promise<void> {
    const { readReached, pause } = this.#options;
    while (!this.#stopping.signal.aborted) {
      await readReached().then(
        (position) => this.#found(position),
        () => undefined,
      );
      if (this.#reached.isAwaited) {
        await pause(LOOK_SOON_MS, this.#stopping.signal);
        continue;
      }
      await pause(LOOK_EVERY_MS, this.#wake.signal);
      if (this.#wake.signal.aborted) this.#wake = new AbortController();
    }
  }

  async #followHead(): Promise<void> {
    const { eventStore, monotonic, pause } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // The log only grows, so it must hold what was recorded before it was asked.
      const recorded = this.#recorded;
      const at = monotonic();
      await eventStore.lastPosition().then(
        (head) => {
          this.#headUnknownSince = undefined;
          this.#judged(recorded, head, monotonic());
        },
        () => (this.#headUnknownSince ??= at),
      );
      await pause(LOOK_EVERY_MS, this.#stopping.signal);
    }
  }

  #lagMs(): number {
    const since = Math.min(this.#awaited?.since ?? Infinity, this.#headUnknownSince ?? Infinity);
    return since === Infinity ? 0 : this.#options.monotonic() - since;
  }

  #judged(recorded: Position | undefined, head: Position | undefined, at: number): void {
    const isAhead = recorded !== undefined && recorded > (head ?? 0n);
    if (isAhead !== this.#isOfAnotherLog) {
      this.#isOfAnotherLog = isAhead;
      this.#found(this.#recorded);
    }
    this.#heard(head, at);
  }

  #found(recorded: Position | undefined): void {
    this.#recorded = recorded;
    const position = this.#isOfAnotherLog ? undefined : recorded;
    const before = this.#reached.position;
    this.#reached.moveTo(position);
    if (before !== undefined && !this.#reached.covers(before)) this.#fellBack();
    else if (this.#awaited !== undefined && this.#reached.covers(this.#awaited.position)) this.#becameLevel();
  }

  #heard(head: Position | undefined, at: number): void {
    this.#head = head;
    if (head === undefined || this.#reached.covers(head)) this.#becameLevel();
    else this.#awaited ??= { position: head, since: at };
  }

  #becameLevel(): void {
    this.#awaited = undefined;
    this.#caughtUp = true;
  }

  #fellBack(): void {
    this.#caughtUp = false;
    this.#awaited = undefined;
    if (this.#head !== undefined) this.#heard(this.#head, this.#options.monotonic());
  }
}
