import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Lease, Records } from '#stores/records/records.ts';
import type { RecordsSubject } from './subject.ts';

const fenced = { name: 'WriterFenced' };

/** Declares the tests of leases and fences. The calling suite creates and disposes the subject of each test. */
export function describeLeases(current: () => RecordsSubject): void {
  describe('leases', () => {
    let records: Records;
    beforeEach(() => {
      records = current().records;
    });

    const acquire = async (holder: string): Promise<Lease> => {
      const lease = await records.acquireLease('projector', holder, await records.readLease('projector'));
      if (lease === undefined) throw new Error('the lease was not to be had');
      return lease;
    };

    test('one of several concurrent processes acquires a new lease', async () => {
      expect(await records.readLease('projector')).toBeUndefined();
      const names = ['a', 'b', 'c', 'd'];
      const acquired = await Promise.all(names.map((name) => records.acquireLease('projector', name, undefined)));
      const [lease, ...others] = acquired.filter((outcome) => outcome !== undefined);
      expect(others).toEqual([]);
      expect(lease).toMatchObject({ token: 1 });
      expect(await records.readLease('projector')).toEqual(lease);
      expect(await records.readLease('relay')).toBeUndefined();
    });

    test('a renewed lease cannot be acquired with the beat from before', async () => {
      const lease = await acquire('a');
      const renewed = await records.renewLease('projector', lease);
      expect(renewed).toMatchObject({ holder: 'a', token: lease.token });
      expect(renewed?.beat).not.toBe(lease.beat);
      expect(await records.acquireLease('projector', 'b', lease)).toBeUndefined();
      expect(await records.acquireLease('projector', 'b', undefined)).toBeUndefined();
      expect(await records.readLease('projector')).toEqual(renewed);
    });

    test('a renewal without a response can be repeated', async () => {
      const lease = await acquire('a');
      await records.renewLease('projector', lease);
      expect(await records.renewLease('projector', lease)).toMatchObject({ holder: 'a', token: lease.token });
    });

    test('a new holder has a greater token, and the previous holder cannot renew', async () => {
      const first = await acquire('a');
      const second = await acquire('b');
      expect(second).toMatchObject({ holder: 'b' });
      expect(second.token).toBeGreaterThan(first.token);
      expect(await records.renewLease('projector', first)).toBeUndefined();
      await records.releaseLease('projector', first);
      expect(await records.readLease('projector')).toEqual(second);
    });

    test('a released lease has no holder, keeps its token, and can be acquired once', async () => {
      const lease = await acquire('a');
      await records.releaseLease('projector', lease);
      const free = await records.readLease('projector');
      expect(free).toMatchObject({ holder: undefined, token: lease.token });
      expect(await records.renewLease('projector', lease)).toBeUndefined();
      const acquired = await Promise.all(['b', 'c'].map((name) => records.acquireLease('projector', name, free)));
      expect(acquired.filter((outcome) => outcome !== undefined)).toEqual([
        { holder: expect.any(String), token: lease.token + 1, beat: expect.any(Number) },
      ]);
    });

    test('a lease can be acquired with a token above a given one', async () => {
      const first = await records.acquireLease('projector', 'a', undefined, 37);
      expect(first).toMatchObject({ holder: 'a', token: 38 });
      expect(await records.acquireLease('projector', 'b', first, 20)).toMatchObject({ holder: 'b', token: 39 });
      expect(await records.acquireLease('projector', 'c', await records.readLease('projector'), 50)).toMatchObject({
        token: 51,
      });
      expect(await records.readLease('projector')).toMatchObject({ holder: 'c', token: 51 });
      expect(await records.acquireLease('projector', 'd', first, 90)).toBeUndefined();
    });

    test('the error of a fenced writer has the greater token', async () => {
      await records.setValue('checkpoint', '1', { token: 37 });
      const greater = { ...fenced, token: 37 };
      await expect(records.setValue('checkpoint', '2', { token: 1 })).rejects.toMatchObject(greater);
      await expect(records.fenceValue('checkpoint', { token: 36 })).rejects.toMatchObject(greater);
    });

    test('a smaller token than the stored one cannot write a value', async () => {
      await records.setValue('checkpoint', '1', { token: 1 });
      await records.setValue('checkpoint', '2', { token: 3 });
      await expect(records.setValue('checkpoint', '9', { token: 2 })).rejects.toMatchObject(fenced);
      expect(await records.getValue('checkpoint')).toBe('2');
      await records.setValue('checkpoint', '3', { token: 3 });
      await records.setValue('checkpoint', 'by hand');
      await expect(records.setValue('checkpoint', '9', { token: 2 })).rejects.toMatchObject(fenced);
      expect(await records.getValue('checkpoint')).toBe('by hand');
      await records.setValue('another', '1', { token: 1 });
      expect(await records.getValue('another')).toBe('1');
    });

    test('a value can be fenced before it exists', async () => {
      expect(await records.fenceValue('checkpoint', { token: 2 })).toBeUndefined();
      expect(await records.getValue('checkpoint')).toBeUndefined();
      await expect(records.setValue('checkpoint', '1', { token: 1 })).rejects.toMatchObject(fenced);
      await records.setValue('checkpoint', '2', { token: 2 });
      expect(await records.fenceValue('checkpoint', { token: 3 })).toBe('2');
      await expect(records.setValue('checkpoint', '3', { token: 2 })).rejects.toMatchObject(fenced);
      await expect(records.fenceValue('checkpoint', { token: 2 })).rejects.toMatchObject(fenced);
    });

    test('a restart keeps leases and fences', async () => {
      const lease = await acquire('a');
      await records.setValue('checkpoint', '1', { token: 2 });
      records = await current().reopen();
      expect(await records.readLease('projector')).toEqual(lease);
      await expect(records.setValue('checkpoint', '9', { token: 1 })).rejects.toMatchObject(fenced);
      expect((await acquire('b')).token).toBe(lease.token + 1);
    });
  });
}
