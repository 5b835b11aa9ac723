import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Leases } from '#stores/records/records.ts';

const TIME_TO_LIVE = 60_000;
/** Less than no time: every lease that is judged by it has expired. */
const EXPIRED = -1_000;

/** Declares the tests of leases. Each calls `open`, which returns leases that no process has acquired. */
export function describeLeases(name: string, open: () => Promise<Leases>): void {
  describe(`leases: ${name}`, () => {
    let leases: Leases;
    beforeEach(async () => {
      leases = await open();
    });

    const acquire = async (holder: string, timeToLive = TIME_TO_LIVE): Promise<number | undefined> =>
      await leases.acquireLease('projector', holder, timeToLive);
    const holder = async (timeToLive = TIME_TO_LIVE): Promise<string | undefined> =>
      await leases.findHolder('projector', timeToLive);

    test('one of several concurrent processes acquires a free lease', async () => {
      expect(await holder()).toBeUndefined();
      const names = ['a', 'b', 'c', 'd'];
      for (const _state of ['new', 'released']) {
        const tokens = await Promise.all(names.map(async (one) => await acquire(one)));
        expect(tokens.filter((token) => token !== undefined)).toHaveLength(1);
        const winner = names[tokens.findIndex((token) => token !== undefined)] ?? '';
        expect(await holder()).toBe(winner);
        expect(await leases.findHolder('relay', TIME_TO_LIVE)).toBeUndefined();
        await leases.releaseLease('projector', winner);
        expect(await holder()).toBeUndefined();
      }
    });

    test('a lease that was not renewed for the time to live has no holder, and one of several processes acquires it', async () => {
      await acquire('a');
      expect(await acquire('b')).toBeUndefined();
      expect(await holder(EXPIRED)).toBeUndefined();
      const tokens = await Promise.all(['b', 'c'].map(async (one) => await acquire(one, EXPIRED)));
      expect(tokens.some((token) => token !== undefined)).toBe(true);
      expect(['b', 'c']).toContain(await holder());
    });

    test('the holder acquires its own lease again', async () => {
      expect(await acquire('a')).toBe(1);
      expect(await acquire('a')).toBe(2);
    });

    test('a renewal can be repeated, and fails when the lease was released or acquired by another process', async () => {
      await acquire('a');
      for (const _time of [1, 2]) expect(await leases.renewLease('projector', 'a')).toBe(true);
      await acquire('b', EXPIRED);
      expect(await leases.renewLease('projector', 'a')).toBe(false);
      await leases.releaseLease('projector', 'a');
      expect(await holder()).toBe('b');
      await leases.releaseLease('projector', 'b');
      expect(await leases.renewLease('projector', 'b')).toBe(false);
    });

    test('every acquisition has a greater token than all before', async () => {
      const tokens = [await acquire('a')];
      await leases.releaseLease('projector', 'a');
      tokens.push(await acquire('b'), await acquire('c', EXPIRED));
      expect(tokens).toEqual([1, 2, 3]);
    });
  });
}
