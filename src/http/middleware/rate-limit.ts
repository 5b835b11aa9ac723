import { LRUCache } from 'lru-cache';

export interface RateLimiterOptions {
  readonly perSecond: number;
  readonly now: () => number;
  /** Maximum number of buckets; an evicted key starts with a full bucket. */
  readonly maxKeys?: number;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  /** `RateLimit` and `RateLimit-Policy`, as draft-ietf-httpapi-ratelimit-headers-11 has them. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const MAX_KEYS = 10_000;

/** Token bucket per key, with the capacity of one second. */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets: LRUCache<string, Bucket>;
  readonly #policy: string;

  constructor({ perSecond, now, maxKeys = MAX_KEYS }: RateLimiterOptions) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#buckets = new LRUCache({ max: maxKeys });
    this.#policy = `"key";q=${perSecond};w=1`;
  }

  take(keyId: string): RateLimitResult {
    const bucket = this.#refill(keyId);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const reset = Math.ceil((this.#perSecond - bucket.tokens) / this.#perSecond);
    const state = `"key";r=${Math.floor(bucket.tokens)};t=${reset}`;
    return { allowed, headers: { 'RateLimit-Policy': this.#policy, RateLimit: state } };
  }

  #refill(keyId: string): Bucket {
    const now = this.#now();
    const current = this.#buckets.get(keyId);
    if (current === undefined) {
      const bucket = { tokens: this.#perSecond, filledAt: now };
      this.#buckets.set(keyId, bucket);
      return bucket;
    }
    current.tokens = Math.min(this.#perSecond, current.tokens + ((now - current.filledAt) / 1000) * this.#perSecond);
    current.filledAt = now;
    return current;
  }
}
