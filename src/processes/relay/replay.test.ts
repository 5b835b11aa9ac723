import { beforeEach, expect, test } from '@jest/globals';
import { pointAt } from '#test/support/log-points.ts';
import { dyingRecords, MemoryRecords } from '#test/support/memory-records.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { readInstallation } from '#stores/records/installation.ts';
import { OperatorError } from '#stores/shared/operator-error.ts';
import { publicEventsCheckpoint } from './relay.ts';
import { replayPublicEvents } from './replay.ts';

let records: MemoryRecords;
beforeEach(async () => {
  records = new MemoryRecords();
  await publicEventsCheckpoint(records).save(pointAt(7n));
});

/** A log with events at the positions 5, 7 and 9. */
const eventStore = {
  lastPosition: async () => await Promise.resolve(9n),
  readAt: async (position: bigint) =>
    await Promise.resolve([5n, 7n, 9n].includes(position) ? (pointAt(position) as StoredEvent) : undefined),
};
const pause = async (): Promise<void> => await Promise.resolve();
const replay = async (from: 'start' | bigint, then?: () => Promise<void>, paused = pause) =>
  await replayPublicEvents(from, { records, eventStore, pause: paused }, then);
const checkpoint = async () => (await publicEventsCheckpoint(records).read())?.position;
const start = async () => (await readInstallation(records)).relayStart['checkpoint public-events'];

test.each<['start' | bigint, bigint | undefined]>([
  ['start', undefined],
  [5n, 5n],
  [7n, 7n],
])('resets the relay to --from %s and releases the lease', async (from, position) => {
  await replay(from);
  expect(await checkpoint()).toBe(position);
  // A missing topic must still be refused by the next set-up: what was sent before the position would be lacking in it.
  expect(await start()).toBeUndefined();
  expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
  await replay(from, async () => {
    expect(await start()).toBe(position === undefined ? '' : `${position} event-${position}`);
  });
});

test.each<[bigint, string]>([
  [9n, '--from 9 is after position 7, up to which public events were sent.'],
  [4n, '--from 4 is not the position of an event of the log.'],
  [11n, '--from 11 is beyond the end of the log, which is 9.'],
])('rejects --from %s and changes nothing', async (from, sentence) => {
  await expect(replay(from)).rejects.toThrow(new OperatorError(sentence));
  expect(await checkpoint()).toBe(7n);
  expect(await start()).toBeUndefined();
});

test('refuses while a relay runs, and leaves its lease', async () => {
  let lease = await records.acquireLease('relay', 'a relay', undefined);
  const beating = async (): Promise<void> => {
    lease = lease && (await records.renewLease('relay', lease));
  };
  await expect(replay('start', undefined, beating)).rejects.toThrow(
    new OperatorError('A relay runs: stop every process that has the role relay first.'),
  );
  expect(await checkpoint()).toBe(7n);
  expect(await records.readLease('relay')).toEqual(lease);
});

test('refuses when a relay takes the lease during the check', async () => {
  const dead = await records.acquireLease('relay', 'a dead relay', undefined);
  let polls = 0;
  const taking = async (): Promise<void> => {
    // At the last poll the lease has not changed; then another process takes it first.
    polls += 1;
  };
  const readLease = records.readLease.bind(records);
  records.readLease = async (name) => {
    const lease = await readLease(name);
    if (polls === 8) await records.acquireLease('relay', 'a relay', dead);
    return lease;
  };
  await expect(replay('start', undefined, taking)).rejects.toThrow('A relay runs');
  expect(await checkpoint()).toBe(7n);
});

test('a relay that was frozen cannot overwrite the new checkpoint', async () => {
  const led = await records.acquireLease('relay', 'frozen', undefined);
  await replay('start');
  const frozen = publicEventsCheckpoint(records).withFence({ token: led?.token ?? 0 });
  await expect(frozen.save(pointAt(9n))).rejects.toMatchObject({ name: 'WriterFenced' });
  expect(await checkpoint()).toBeUndefined();
});

test('takes a token above the fence when the leases were lost with a restore', async () => {
  await publicEventsCheckpoint(records).withFence({ token: 40 }).save(pointAt(7n));
  await replay('start');
  expect(await checkpoint()).toBeUndefined();
  expect((await records.readLease('relay'))?.token).toBeGreaterThan(40);
});

test('resets the relay before it creates topics, also when that fails', async () => {
  const seen: unknown[] = [];
  const failing = replay('start', async () => {
    seen.push(await checkpoint(), (await records.readLease('relay'))?.holder);
    throw new Error('killed');
  });
  await expect(failing).rejects.toThrow('killed');
  expect(seen).toEqual([undefined, 'surety replay']);
  expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
});

test.each(['before', 'while'])(
  'ends with a sentence and leaves the lease to a relay that takes it %s topics are created',
  async (moment) => {
    const takeOver = async (): Promise<void> =>
      void (await records.acquireLease('relay', 'a relay', await records.readLease('relay')));
    let creates = 0;
    if (moment === 'before') {
      const setValue = records.setValue.bind(records);
      records.setValue = async (...values) => {
        await setValue(...values);
        await takeOver();
      };
    }
    const create = async (): Promise<void> => {
      creates += 1;
      await takeOver();
    };
    await expect(replay('start', create)).rejects.toThrow(
      new OperatorError('A relay runs: stop every process that has the role relay first.'),
    );
    expect(creates).toBe(moment === 'while' ? 1 : 0);
    expect(await records.readLease('relay')).toMatchObject({ holder: 'a relay' });
  },
);

test('leaves the old or the new checkpoint after a kill at any write, and can be repeated', async () => {
  for (let allowed = 0; allowed < 6; allowed += 1) {
    records = new MemoryRecords();
    await publicEventsCheckpoint(records).save(pointAt(7n));
    const dying = dyingRecords(records, allowed);
    await replayPublicEvents(5n, { records: dying, eventStore, pause }).catch(() => undefined);
    expect([5n, 7n]).toContain(await checkpoint());
    // A checkpoint that was not set back is not where the relay started: no topic would be created for it.
    if ((await checkpoint()) === 7n) expect(await start()).not.toBe('7 event-7');
    await replay(5n);
    expect(await checkpoint()).toBe(5n);
  }
});
