import type { EventStore, Position } from '../event-store/event-store.ts';
import { Progress } from './progress.ts';
import type { Projector, ProjectorStatus } from './projector.ts';

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
 */
export class RecordedProgress implements Projector {
  readonly #options: RecordedProgressOptions;
  readonly #progress: Progress;
  readonly #stopping = new AbortController();
  readonly #looking: Promise<unknown>;
  #wake = new AbortController();
  #head: Position | undefined;
  #awaited: Awaited | undefined;
  #caughtUp = false;

  constructor(options: RecordedProgressOptions) {
    this.#options = options;
    this.#progress = new Progress(options.monotonic);
    this.#looking = Promise.all([this.#followReached(), this.#followHead()]);
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const reached = this.#progress.waitFor(position, timeoutMs);
    if (this.#progress.isAwaited) this.#wake.abort();
    return reached;
  }

  status(): ProjectorStatus {
    return {
      collections: [],
      position: this.#progress.position,
      head: this.#head,
      lagMs: this.#awaited === undefined ? 0 : this.#options.monotonic() - this.#awaited.since,
      caughtUp: this.#caughtUp,
      unroutable: 0,
      // Stores that do not answer are told by their own checks.
      failure: undefined,
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    this.#progress.end();
    await this.#looking;
  }

  async #followReached(): Promise<void> {
    const { readReached, pause } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // What was known before still holds while the store does not answer.
      const reached = await readReached().catch(() => undefined);
      if (reached !== undefined) this.#reached(reached);
      if (this.#progress.isAwaited) {
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
      await eventStore.lastPosition().then(
        (head) => this.#heard(head, monotonic()),
        () => undefined,
      );
      await pause(LOOK_EVERY_MS, this.#stopping.signal);
    }
  }

  #reached(position: Position): void {
    if (this.#progress.position === undefined || position > this.#progress.position) this.#progress.reached(position);
    if (this.#awaited === undefined || !this.#isReached(this.#awaited.position)) return;
    this.#awaited = undefined;
    this.#caughtUp = true;
  }

  #heard(head: Position | undefined, at: number): void {
    this.#head = head;
    if (head === undefined || this.#isReached(head)) {
      this.#awaited = undefined;
      this.#caughtUp = true;
    } else {
      this.#awaited ??= { position: head, since: at };
    }
  }

  #isReached(position: Position): boolean {
    return this.#progress.position !== undefined && position <= this.#progress.position;
  }
}
