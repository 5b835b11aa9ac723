import { beforeEach, expect, test } from '@jest/globals';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { acquireFreeLease, findLeaders } from './leadership.ts';

const ROLES = ['projector', 'relay', 'scheduler'];
const TIME_TO_LIVE = 8_000;

let ms: number;
let leases: MemoryLeases;
beforeEach(() => {
  ms = 0;
  leases = new MemoryLeases(() => ms);
});

const acquire = async (role: string) => await leases.acquireLease(role, 'a process', TIME_TO_LIVE);

/** Moves the clock, and calls `onPoll` at each poll with its number. */
function pauseWith(onPoll: (poll: number) => Promise<unknown>) {
  let polls = 0;
  return async (milliseconds: number): Promise<void> => {
    ms += milliseconds;
    await onPoll(++polls);
  };
}
const nothing = async (): Promise<void> => await Promise.resolve();
const watch = async (onPoll: (poll: number) => Promise<unknown> = nothing, atLeastMs = 0) =>
  await findLeaders(leases, ROLES, { pause: pauseWith(onPoll), atLeastMs });

test('finds no leader, without waiting, when the leases were never acquired or are released', async () => {
  await acquire('relay');
  await leases.releaseLease('relay', 'a process');
  expect([await watch(), ms]).toEqual([[], 0]);
});

test('finds the leader that renews its lease, not one that was killed', async () => {
  for (const role of ['scheduler', 'relay']) await acquire(role);
  const renew = async (): Promise<boolean> => await leases.renewLease('scheduler', 'a process');
  expect([await watch(renew), ms]).toEqual([['scheduler'], 9_000]);
});

test('finds no leader once the lease of a killed one has expired', async () => {
  await acquire('projector');
  expect([await watch(), ms]).toEqual([[], 9_000]);
});

test('finds a leader that acquires the lease while the leases are watched', async () => {
  const onPoll = async (poll: number): Promise<unknown> => poll === 2 && (await acquire('relay'));
  const renewing = async (poll: number) => (await onPoll(poll)) ?? (await leases.renewLease('relay', 'a process'));
  expect(await watch(renewing, 3_000)).toEqual(['relay']);
});

test('finds no leader when the lease is released while the leases are watched', async () => {
  await acquire('relay');
  const release = async (poll: number) => poll === 1 && (await leases.releaseLease('relay', 'a process'));
  expect([await watch(release), ms]).toEqual([[], 1_000]);
});

test('a command acquires the lease of a killed leader when it expires, and not that of a running one', async () => {
  await acquire('relay');
  expect(await acquireFreeLease(leases, 'relay', 'a command', pauseWith(nothing))).toBe(true);
  expect(ms).toBe(9_000);
  const renew = async (): Promise<boolean> => await leases.renewLease('relay', 'a command');
  expect(await acquireFreeLease(leases, 'relay', 'another command', pauseWith(renew))).toBe(false);
});
