/** A fault of an append. */
export type AppendFault =
  /** The connection closes before anything is written. */
  | { readonly kind: 'cut_before' }
  /** The events are written, and the connection closes instead of a response. */
  | { readonly kind: 'cut_after' }
  /** The events are written at once; the response follows after `ms`. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The write takes `ms`: a retry in the meantime gets no response. Other appends wait too. */
  | { readonly kind: 'under_way'; readonly ms: number }
  /** Nothing is written, and the response is a timeout. */
  | { readonly kind: 'lost' }
  /**
   * The events are written, and the response is RESOURCE_EXHAUSTED, as after an HTTP/2 reset with ENHANCE_YOUR_CALM.
   */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'not_ready' };

/** The error of a read. A server that is shutting down reports `internal`. */
export type ReadFault = 'too_busy' | 'not_leader' | 'no_leader' | 'internal' | 'exhausted' | 'handler';

/** How a subscription ends: without an error, as at a server shutdown, or as for a slow consumer. */
export type SubscriptionEnd = 'clean' | 'internal' | 'too_slow';

/** Faults and settings of the stand-in. */
export class Faults {
  readonly #appends: AppendFault[] = [];
  readonly #reads: ReadFault[] = [];
  /** Time after which the real server reports a timeout for a dropped append. */
  commitTimeoutMs = 2_000;
  /** Maximum size of an append in bytes; the default of the real server. */
  largestAppend = 1024 * 1024;
  /** Whether the response to a repeated append includes the position. */
  reportsPositionOfRepeats = true;
  /** Whether a position within a record has a specific error, as in the source of 24.2. */
  reportsInvalidPositions = false;
  /** Rejects every call, as a server does right after its start. */
  notReady = false;

  /**
   * Whether a subscription that has caught up ends when more than 32 events wait for it, as filtered ones of 23.10 do;
   * those 32 are sent first. From 24.2 on it catches up again instead.
   */
  dropsSlowReaders = true;
  /** Whether all subscriptions send nothing more and report no error. */
  isSilent = false;

  /** Number of reads and subscriptions from a position within a record; the real server logs an error for each. */
  misplacedReads = 0;

  /** Pause before each event of a read. */
  readPauseMs = 0;
  /** Number of events sent to reads of $all. */
  eventsRead = 0;
  /** Number of events sent to subscriptions. */
  eventsSent = 0;
  /** Number of calls of each kind. */
  readonly calls = { append: 0, readStream: 0, readAll: 0, subscribe: 0 };

  /** Queues faults for the next appends, one each. */
  push(...faults: readonly AppendFault[]): void {
    this.#appends.push(...faults);
  }

  /** Queues errors for the next reads; subscriptions are not affected. */
  pushReads(...faults: readonly ReadFault[]): void {
    this.#reads.push(...faults);
  }

  nextRead(): ReadFault | undefined {
    return this.#reads.shift();
  }

  /** Number of queued append faults. */
  get pendingAppendFaults(): number {
    return this.#appends.length;
  }

  next(): AppendFault | undefined {
    return this.#appends.shift();
  }
}
