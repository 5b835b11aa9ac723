import { LRUCache } from 'lru-cache';

export interface RateLimiterOptions {
  readonly perSecond: number;
  readonly now: () => number;
  /** Maximum number of buckets; an evicted key starts with a full bucket. */
  readonly maxKeys?: number;
}

interface Bucket {
  readonly tokens: number;
  readonly filledAt: number;
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

  /** Takes a token. The headers are those of draft-ietf-httpapi-ratelimit-headers-11. */
  take(keyId: string): { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> } {
    const perSecond = this.#perSecond;
    const now = this.#now();
    const { tokens: left, filledAt } = this.#buckets.get(keyId) ?? { tokens: perSecond, filledAt: now };
    const available = Math.min(perSecond, left + ((now - filledAt) / 1000) * perSecond);
    const allowed = available >= 1;
    const tokens = allowed ? available - 1 : available;
    this.#buckets.set(keyId, { tokens, filledAt: now });
    const state = `"key";r=${Math.floor(tokens)};t=${Math.ceil((perSecond - tokens) / perSecond)}`;
    return { allowed, headers: { 'RateLimit-Policy': this.#policy, RateLimit: state } };
  }
}
