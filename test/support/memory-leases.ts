import type { Leases } from '#stores/records/records.ts';

interface StoredLease {
  readonly holder: string | undefined;
  readonly token: number;
  readonly renewedAt: number;
}

/** Leases in memory, judged by a clock that the test moves. */
export class MemoryLeases implements Leases {
  readonly #leases = new Map<string, StoredLease>();
  readonly #now: () => number;

  /** @param now clock of the store in milliseconds; by default it stands still, so that no lease expires */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  async acquireLease(name: string, holder: string, timeToLiveMs: number): Promise<number | undefined> {
    const current = this.#holderOf(name, timeToLiveMs);
    if (current !== undefined && current !== holder) return undefined;
    const token = (this.#leases.get(name)?.token ?? 0) + 1;
    this.#leases.set(name, { holder, token, renewedAt: this.#now() });
    return token;
  }

  async renewLease(name: string, holder: string): Promise<boolean> {
    const lease = this.#leases.get(name);
    if (lease?.holder !== holder) return false;
    this.#leases.set(name, { ...lease, renewedAt: this.#now() });
    return true;
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    const lease = this.#leases.get(name);
    if (lease?.holder === holder) this.#leases.set(name, { ...lease, holder: undefined });
  }

  async findHolder(name: string, timeToLiveMs: number): Promise<string | undefined> {
    return this.#holderOf(name, timeToLiveMs);
  }

  #holderOf(name: string, timeToLiveMs: number): string | undefined {
    const lease = this.#leases.get(name);
    return lease === undefined || lease.renewedAt < this.#now() - timeToLiveMs ? undefined : lease.holder;
  }
}
