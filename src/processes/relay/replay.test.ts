import { beforeEach, expect, test } from '@jest/globals';
import { pointAt } from '#test/support/log-points.ts';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { dyingRecords } from '#test/support/dying-records.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { readInstallation } from '#stores/records/installation.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import { publicEventsCheckpoint } from './relay.ts';
import { replayPublicEvents } from './replay.ts';

let records: Records;
let leases: MemoryLeases;
let ms: number;
beforeEach(async () => {
  ms = 0;
  leases = new MemoryLeases(() => ms);
  records = { ...openTemporaryRecords(), leases };
  await publicEventsCheckpoint(records).save(pointAt(7n));
});

const TIME_TO_LIVE = 8_000;
const holder = async (): Promise<string | undefined> => await leases.findHolder('relay', TIME_TO_LIVE);

/** A log with events at the positions 5, 7 and 9. */
const eventStore = {
  lastPosition: async () => await Promise.resolve(9n),
  readAt: async (position: bigint) =>
    await Promise.resolve([5n, 7n, 9n].includes(position) ? (pointAt(position) as StoredEvent) : undefined),
};
const pause = async (milliseconds: number): Promise<void> => void (await Promise.resolve((ms += milliseconds)));
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
  expect(await holder()).toBeUndefined();
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
  await leases.acquireLease('relay', 'a relay', TIME_TO_LIVE);
  const renewing: typeof pause = async (milliseconds) => {
    await pause(milliseconds);
    await leases.renewLease('relay', 'a relay');
  };
  await expect(replay('start', undefined, renewing)).rejects.toThrow(
    new OperatorError('A relay runs: stop every process that has the role relay first.'),
  );
  expect(await checkpoint()).toBe(7n);
  expect(await holder()).toBe('a relay');
});

test('waits until the lease of a killed relay expires, and a relay that was frozen cannot overwrite the new checkpoint', async () => {
  await leases.acquireLease('relay', 'frozen', TIME_TO_LIVE);
  const frozen = publicEventsCheckpoint(records);
  await frozen.takeOver();
  await replay('start');
  expect(ms).toBeGreaterThan(TIME_TO_LIVE);
  await expect(frozen.save(pointAt(9n))).rejects.toMatchObject({ name: 'TakenOver' });
  expect(await checkpoint()).toBeUndefined();
  await replay('start');
  expect(await checkpoint()).toBeUndefined();
});

test('refuses when a relay that was frozen saves its checkpoint after the lease was acquired', async () => {
  const frozen = publicEventsCheckpoint(records);
  await frozen.takeOver();
  const getRevised = records.getRevised.bind(records);
  records.getRevised = async (name) => {
    const before = await getRevised(name);
    records.getRevised = getRevised;
    await frozen.save(pointAt(9n));
    return before;
  };
  await expect(replay('start')).rejects.toThrow('A relay runs');
  expect(await checkpoint()).toBe(9n);
});

test('resets the relay before it creates topics, also when that fails', async () => {
  const seen: unknown[] = [];
  const failing = replay('start', async () => {
    seen.push(await checkpoint(), await holder());
    throw new Error('killed');
  });
  await expect(failing).rejects.toThrow('killed');
  expect(seen).toEqual([undefined, expect.stringMatching(/^surety replay /)]);
  expect(await holder()).toBeUndefined();
});

test.each(['before', 'while'])(
  'ends with a sentence and leaves the lease to a relay that takes it %s topics are created',
  async (moment) => {
    const takeOver = async (): Promise<void> => {
      await pause(TIME_TO_LIVE + 1);
      await leases.acquireLease('relay', 'a relay', TIME_TO_LIVE);
    };
    let creates = 0;
    if (moment === 'before') {
      const replaceValue = records.replaceValue.bind(records);
      records.replaceValue = async (...values) => {
        await takeOver();
        return await replaceValue(...values);
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
    expect(await holder()).toBe('a relay');
  },
);

test('leaves the old or the new checkpoint after a kill at any write, and can be repeated', async () => {
  for (let allowed = 0; allowed < 6; allowed += 1) {
    records = { ...openTemporaryRecords(), leases };
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
