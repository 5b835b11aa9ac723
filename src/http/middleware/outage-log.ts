import type { StoreName, StoreUnavailable } from '../../event-store/event-store.ts';
import type { HealthChecks } from '../../observability/health-checks.ts';

/** How often the stores are asked during an outage, and how long they must have answered, and no request been refused, at its end. */
const POLL_INTERVAL_MS = 1_000;
const ENDED_AFTER_MS = 3_000;

export interface OutageLogOptions {
  readonly log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  readonly results: HealthChecks['results'];
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Outage {
  readonly beganAt: number;
  refused: number;
  /** Since when the store has answered every check and no request was refused. */
  answersSince: number | undefined;
}

/** The checks of `/readyz` that ask a store. */
const CHECKS_OF: Readonly<Record<StoreName, readonly string[]>> = {
  EventStoreDB: ['event_store'],
  MongoDB: ['read_models', 'records'],
  SQLite: ['event_store', 'read_models', 'records'],
};

/**
 * Logs when a store stops answering requests, and when it answers again, with the length of the outage and the number of refused
 * requests: two lines for an outage, whatever the load. An outage that is open at `stop` is logged then.
 */
export class OutageLog {
  readonly #options: OutageLogOptions;
  readonly #open = new Map<StoreName, Outage>();
  readonly #stopping = new AbortController();

  constructor(options: OutageLogOptions) {
    this.#options = options;
  }

  /** Counts a request that was refused because a store did not answer. An error that names no store is no outage. */
  recordRefusal({ store, message }: StoreUnavailable): void {
    if (store === undefined || this.#stopping.signal.aborted) return;
    const { log, monotonic } = this.#options;
    const known = this.#open.get(store);
    const outage = known ?? { beganAt: monotonic(), refused: 0, answersSince: undefined };
    outage.refused += 1;
    outage.answersSince = undefined;
    if (known !== undefined) return;
    this.#open.set(store, outage);
    log.warn({ store, reason: message }, 'A store does not answer; requests that need it are refused');
    if (this.#open.size === 1) void this.#watch();
  }

  /** Logs the outages that are open, and watches them no longer. */
  stop(): void {
    this.#stopping.abort();
    for (const [store, outage] of this.#open) {
      this.#options.log.warn(
        { store, ...this.#summaryOf(outage, this.#options.monotonic()) },
        'The service stops while a store does not answer',
      );
    }
    this.#open.clear();
  }

  async #watch(): Promise<void> {
    const { results, monotonic, pause } = this.#options;
    const { signal } = this.#stopping;
    while (this.#open.size > 0) {
      await pause(POLL_INTERVAL_MS, signal);
      const failing = (await results()).filter(({ ok }) => !ok).map(({ name }) => name);
      for (const [store, outage] of this.#open) {
        const answers = CHECKS_OF[store].every((check) => !failing.includes(check));
        outage.answersSince = answers ? (outage.answersSince ?? monotonic()) : undefined;
        if (outage.answersSince !== undefined && monotonic() - outage.answersSince >= ENDED_AFTER_MS)
          this.#end(store, outage, outage.answersSince);
      }
    }
  }

  #end(store: StoreName, outage: Outage, endedAt: number): void {
    this.#open.delete(store);
    this.#options.log.info({ store, ...this.#summaryOf(outage, endedAt) }, 'The store answers again');
  }

  #summaryOf({ beganAt, refused }: Outage, endedAt: number): { readonly seconds: number; readonly refused: number } {
    return { seconds: Math.round((endedAt - beganAt) / 100) / 10, refused };
  }
}
