import { LRUCache } from 'lru-cache';

export interface RateLimiterOptions {
  /** Requests a second for one key; as many may come at once. */
  readonly perSecond: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** How many keys are remembered; one that is forgotten starts with a full bucket. */
  readonly rememberedKeys?: number;
}

/** The limit of a key after a request. */
export interface RateLimitResult {
  readonly allowed: boolean;
  /** `RateLimit` and `RateLimit-Policy`, as draft-ietf-httpapi-ratelimit-headers-11 has them. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  /** Requests that may come now, with fractions of the next one. */
  tokens: number;
  filledAt: number;
}

const REMEMBERED_KEYS = 10_000;

/** A token bucket for each key: it holds the requests of one second and fills at their rate. */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets: LRUCache<string, Bucket>;
  readonly #policy: string;

  constructor({ perSecond, now, rememberedKeys = REMEMBERED_KEYS }: RateLimiterOptions) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#buckets = new LRUCache({ max: rememberedKeys });
    this.#policy = `"key";q=${perSecond};w=1`;
  }

  /** Counts a request of this key. A refused one costs nothing. */
  take(keyId: string): RateLimitResult {
    const bucket = this.#filled(keyId);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const reset = Math.ceil((this.#perSecond - bucket.tokens) / this.#perSecond);
    const state = `"key";r=${Math.floor(bucket.tokens)};t=${reset}`;
    return { allowed, headers: { 'RateLimit-Policy': this.#policy, RateLimit: state } };
  }

  #filled(keyId: string): Bucket {
    const now = this.#now();
    const known = this.#buckets.get(keyId);
    if (known === undefined) {
      const bucket = { tokens: this.#perSecond, filledAt: now };
      this.#buckets.set(keyId, bucket);
      return bucket;
    }
    known.tokens = Math.min(this.#perSecond, known.tokens + ((now - known.filledAt) / 1000) * this.#perSecond);
    known.filledAt = now;
    return known;
  }
}
