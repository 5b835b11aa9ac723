import { expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import type { Lease } from '../records/records.ts';
import { findLeaders } from './leaders.ts';

const ROLES = ['projector', 'relay', 'scheduler'];

/** Watches leases of which `meanwhile` says what happens at each look; resolves with the roles and how long it took. */
async function watched(
  records: MemoryRecords,
  meanwhile: (look: number) => Promise<unknown> = async () => await Promise.resolve(),
  atLeastMs = 0,
): Promise<{ readonly roles: readonly string[]; readonly ms: number }> {
  let [ms, looks] = [0, 0];
  const pause = async (milliseconds: number): Promise<void> => {
    ms += milliseconds;
    await meanwhile(++looks);
  };
  const roles = await findLeaders(records, ROLES, { pause, atLeastMs });
  return { roles, ms };
}

async function taken(records: MemoryRecords, role: string): Promise<Lease> {
  const lease = await records.acquireLease(role, 'a process', undefined);
  if (lease === undefined) throw new Error('taken before');
  return lease;
}

test('finds no leader, without waiting, when the leases were never taken or are released', async () => {
  const records = new MemoryRecords();
  await records.releaseLease('relay', await taken(records, 'relay'));
  expect(await watched(records)).toEqual({ roles: [], ms: 0 });
});

test('finds the leader that renews its lease', async () => {
  const records = new MemoryRecords();
  let lease: Lease | undefined = await taken(records, 'scheduler');
  await taken(records, 'relay');
  const { roles, ms } = await watched(records, async (look) => {
    if (look === 3 && lease !== undefined) lease = await records.renewLease('scheduler', lease);
  });
  expect(roles).toEqual(['scheduler']);
  expect(ms).toBe(3_000);
});

test('finds no leader after watching the lease of a killed holder for the time to live', async () => {
  const records = new MemoryRecords();
  await taken(records, 'projector');
  expect(await watched(records)).toEqual({ roles: [], ms: 8_000 });
});

test('finds a leader that takes the lease meanwhile', async () => {
  const records = new MemoryRecords();
  const meanwhile = async (look: number): Promise<unknown> => look === 2 && (await taken(records, 'relay'));
  expect(await watched(records, meanwhile, 3_000)).toEqual({ roles: ['relay'], ms: 2_000 });
});

test('finds no leader when the lease is released meanwhile', async () => {
  const records = new MemoryRecords();
  const lease = await taken(records, 'relay');
  const { roles } = await watched(records, async (look) => {
    if (look === 1) await records.releaseLease('relay', lease);
  });
  expect(roles).toEqual([]);
});
