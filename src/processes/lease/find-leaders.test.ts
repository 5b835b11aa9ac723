import { expect, test } from '@jest/globals';
import { MemoryRecords } from '#test/support/memory-records.ts';
import type { Lease } from '#stores/records/records.ts';
import { findLeaders } from './leadership.ts';

const ROLES = ['projector', 'relay', 'scheduler'];

/** Runs `findLeaders` and calls `onPoll` at each poll; returns the roles and the duration by the clock of the test. */
async function watchLeases(
  records: MemoryRecords,
  onPoll: (poll: number) => Promise<unknown> = async () => await Promise.resolve(),
  atLeastMs = 0,
): Promise<{ readonly roles: readonly string[]; readonly ms: number }> {
  let [ms, polls] = [0, 0];
  const pause = async (milliseconds: number): Promise<void> => {
    ms += milliseconds;
    await onPoll(++polls);
  };
  const roles = await findLeaders(records, ROLES, { pause, atLeastMs });
  return { roles, ms };
}

async function acquireLease(records: MemoryRecords, role: string): Promise<Lease> {
  const lease = await records.acquireLease(role, 'a process', undefined);
  if (lease === undefined) throw new Error('the lease has a holder');
  return lease;
}

test('finds no leader, without waiting, when the leases were never acquired or are released', async () => {
  const records = new MemoryRecords();
  await records.releaseLease('relay', await acquireLease(records, 'relay'));
  expect(await watchLeases(records)).toEqual({ roles: [], ms: 0 });
});

test('finds the leader that renews its lease', async () => {
  const records = new MemoryRecords();
  let lease: Lease | undefined = await acquireLease(records, 'scheduler');
  await acquireLease(records, 'relay');
  const { roles, ms } = await watchLeases(records, async (poll) => {
    if (poll === 3 && lease !== undefined) lease = await records.renewLease('scheduler', lease);
  });
  expect(roles).toEqual(['scheduler']);
  expect(ms).toBe(3_000);
});

test('finds no leader after watching the lease of a killed holder for the time to live', async () => {
  const records = new MemoryRecords();
  await acquireLease(records, 'projector');
  expect(await watchLeases(records)).toEqual({ roles: [], ms: 8_000 });
});

test('finds a leader that acquires the lease while the leases are watched', async () => {
  const records = new MemoryRecords();
  const onPoll = async (poll: number): Promise<unknown> => poll === 2 && (await acquireLease(records, 'relay'));
  expect(await watchLeases(records, onPoll, 3_000)).toEqual({ roles: ['relay'], ms: 2_000 });
});

test('finds no leader when the lease is released while the leases are watched', async () => {
  const records = new MemoryRecords();
  const lease = await acquireLease(records, 'relay');
  const { roles } = await watchLeases(records, async (poll) => {
    if (poll === 1) await records.releaseLease('relay', lease);
  });
  expect(roles).toEqual([]);
});
