import type { StoreName, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { HealthChecks } from '#service/observability/health-checks.ts';

const POLL_INTERVAL_MS = 1_000;
/** An outage has ended after this time with successful checks and no refused request. */
const ENDED_AFTER_MS = 3_000;

interface OutageLogOptions {
  readonly log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  readonly results: HealthChecks['results'];
  readonly monotonic: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Outage {
  readonly startedAt: number;
  refused: number;
  /** Start of the time with successful checks and no refused request. */
  healthySince: number | undefined;
}

const CHECKS_OF: Readonly<Record<StoreName, readonly string[]>> = {
  EventStoreDB: ['event_store'],
  MongoDB: ['read_models', 'records'],
  SQLite: ['event_store', 'read_models', 'records'],
};

/**
 * Logs the start of an outage of a store, and its end with duration and number of refused requests: two lines per
 * outage, regardless of the load. `stop` logs open outages.
 */
export class OutageLog {
  readonly #options: OutageLogOptions;
  readonly #open = new Map<StoreName, Outage>();
  readonly #stopping = new AbortController();

  constructor(options: OutageLogOptions) {
    this.#options = options;
  }

  /** Counts a request that was refused because a store did not answer. Ignores errors without a store. */
  recordRefusal({ store, message }: StoreUnavailable): void {
    if (store === undefined || this.#stopping.signal.aborted) return;
    const { log, monotonic } = this.#options;
    const current = this.#open.get(store);
    const outage = current ?? { startedAt: monotonic(), refused: 0, healthySince: undefined };
    outage.refused += 1;
    outage.healthySince = undefined;
    if (current !== undefined) return;
    this.#open.set(store, outage);
    log.warn({ store, reason: message }, 'A store does not answer; requests that need it are refused');
    if (this.#open.size === 1) void this.#watch();
  }

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
        const isReachable = CHECKS_OF[store].every((check) => !failing.includes(check));
        outage.healthySince = isReachable ? (outage.healthySince ?? monotonic()) : undefined;
        if (outage.healthySince !== undefined && monotonic() - outage.healthySince >= ENDED_AFTER_MS)
          this.#end(store, outage, outage.healthySince);
      }
    }
  }

  #end(store: StoreName, outage: Outage, endedAt: number): void {
    this.#open.delete(store);
    this.#options.log.info({ store, ...this.#summaryOf(outage, endedAt) }, 'The store answers again');
  }

  #summaryOf({ startedAt, refused }: Outage, endedAt: number): { readonly seconds: number; readonly refused: number } {
    return { seconds: Math.round((endedAt - startedAt) / 100) / 10, refused };
  }
}
