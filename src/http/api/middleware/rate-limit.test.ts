import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RateLimiter } from './rate-limit.ts';

describe('the rate limit of a key', () => {
  test('allows a burst of one second, then the configured rate', () => {
    let now = 0;
    const limiter = new RateLimiter({ perSecond: 4, now: () => now });
    const taken = (): boolean => limiter.take('a').allowed;
    expect([taken(), taken(), taken(), taken(), taken()]).toEqual([true, true, true, true, false]);
    now += 250;
    expect([taken(), taken()]).toEqual([true, false]);
    now += 60_000;
    expect([taken(), taken(), taken(), taken(), taken()]).toEqual([true, true, true, true, false]);
  });

  test('returns the remaining requests in headers', () => {
    let now = 0;
    const limiter = new RateLimiter({ perSecond: 2, now: () => now });
    expect(limiter.take('a').headers).toEqual({ 'RateLimit-Policy': '"key";q=2;w=1', RateLimit: '"key";r=1;t=1' });
    expect(limiter.take('a').headers.RateLimit).toBe('"key";r=0;t=1');
    expect(limiter.take('a').headers.RateLimit).toBe('"key";r=0;t=1');
    now += 750;
    expect(limiter.take('a').headers.RateLimit).toBe('"key";r=0;t=1');
  });

  test('has a separate bucket per key', () => {
    const limiter = new RateLimiter({ perSecond: 1, now: () => 0 });
    expect([limiter.take('a'), limiter.take('a'), limiter.take('b')].map(({ allowed }) => allowed)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('evicts the least recently used key', () => {
    const limiter = new RateLimiter({ perSecond: 1, now: () => 0, maxKeys: 2 });
    const allowed = ['a', 'b', 'c', 'a', 'c'].map((key) => limiter.take(key).allowed);
    expect(allowed).toEqual([true, true, true, true, false]);
  });

  test('never allows more than the bucket and the refill of any interval', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), gaps, (perSecond, waits) => {
        let now = 0;
        const limiter = new RateLimiter({ perSecond, now: () => now });
        const passed: number[] = [];
        for (const wait of waits) {
          now += wait;
          if (limiter.take('a').allowed) passed.push(now);
        }
        for (const from of passed) {
          const within = passed.filter((at) => at >= from && at <= from + 1000).length;
          expect(within).toBeLessThanOrEqual(2 * perSecond);
        }
      }),
    );
  });
});
