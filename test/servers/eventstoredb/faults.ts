/** What may go wrong with an append. */
export type AppendFault =
  /** The connection is cut before anything is written. */
  | { readonly kind: 'cut_before' }
  /** The events are written, and the connection is cut instead of an answer. */
  | { readonly kind: 'cut_after' }
  /** The events are written at once, and answered after `ms`. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The events are under way for `ms`: a retry is dropped without a word meanwhile. Other appends wait too. */
  | { readonly kind: 'under_way'; readonly ms: number }
  /** Nothing is written, and nothing answered but a timeout. */
  | { readonly kind: 'lost' }
  /** The events are written, and the answer is what gRPC makes of a stream that HTTP/2 has reset with ENHANCE_YOUR_CALM. */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'not_ready' };

/** How a read is refused. `internal` is what a server tells that is just being stopped. */
export type ReadFault = 'too_busy' | 'not_leader' | 'no_leader' | 'internal' | 'exhausted' | 'handler';

/** How a subscription ends: without an error, as by a server that is being stopped, or as for a reader that is too slow. */
export type SubscriptionEnd = 'clean' | 'internal' | 'too_slow';

/** How the stand-in is to fail. */
export class Faults {
  readonly #appends: AppendFault[] = [];
  readonly #reads: ReadFault[] = [];
  /** After which time the real server gives up an append that it dropped. */
  commitTimeoutMs = 2_000;
  /** The most bytes of an append; this is the real server's default. */
  largestAppend = 1024 * 1024;
  /** Whether the answer to events that were known already tells their position. */
  knownTellsPosition = true;
  /** Whether a position within a record has an error of its own, as in the source of 24.2. */
  knowsInvalidPositions = false;
  /** Every call is refused as by a server that has just been started. */
  notReady = false;

  /**
   * Whether a subscription ends for which more than 32 events wait once it has caught up, as the filtered ones of 23.10 do: those
   * 32 are sent first. From 24.2 on it catches up again.
   */
  dropsSlowReaders = true;
  /** Whether subscriptions, open ones and new ones, send nothing more and report no error. */
  isMute = false;

  /** How many reads and subscriptions began at a position within a record, which makes the real server log an error. */
  misplacedReads = 0;

  /** Before each event of a read. */
  readPauseMs = 0;
  /** How many events reads of the log were sent so far. */
  eventsRead = 0;
  /** How many events subscriptions were sent so far. */
  eventsSent = 0;
  /** How many calls of each kind were made so far. */
  readonly calls = { append: 0, readStream: 0, readAll: 0, subscribe: 0 };

  /** The next appends fail so, one fault each. */
  push(...faults: readonly AppendFault[]): void {
    this.#appends.push(...faults);
  }

  /** The next reads, subscriptions not among them, are refused so. */
  pushReads(...faults: readonly ReadFault[]): void {
    this.#reads.push(...faults);
  }

  nextRead(): ReadFault | undefined {
    return this.#reads.shift();
  }

  /** How many appends are yet to fail. */
  get waiting(): number {
    return this.#appends.length;
  }

  next(): AppendFault | undefined {
    return this.#appends.shift();
  }
}
