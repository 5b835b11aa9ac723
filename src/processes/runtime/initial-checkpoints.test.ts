import { beforeEach, describe, expect, test } from '@jest/globals';
import { pointAt } from '#test/support/log-points.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { Checkpoint, type StartPosition } from './checkpoint.ts';
import { initialValues, startPointOf, requireInitialised } from './initial-checkpoints.ts';

let records: Records;
let checkpoints: readonly Checkpoint[];
beforeEach(() => {
  records = openTemporaryRecords();
  checkpoints = ['mail-jobs', 'public-events'].map((name) => new Checkpoint(name, records));
});

/** A log whose events are at odd positions. */
const logAt = (end: bigint | undefined) => ({
  lastPosition: async () => await Promise.resolve(end),
  readAt: async (position: bigint) =>
    await Promise.resolve(
      end !== undefined && position <= end && position % 2n === 1n ? (pointAt(position) as StoredEvent) : undefined,
    ),
});
const both = (value: string) => ({ 'checkpoint mail-jobs': value, 'checkpoint public-events': value });

describe('initial checkpoints on servers', () => {
  test('refuses a role when one of its checkpoints has no value', async () => {
    await checkpoints[0]?.save(pointAt(3n));
    await expect(requireInitialised(checkpoints)).rejects.toThrow('run surety setup first');
    await checkpoints[1]?.save(undefined);
    await requireInitialised(checkpoints);
  });

  test.each([undefined, 'start', 'end'] as const)(
    'start at the first event of an empty log with --from %s',
    async (from) => {
      expect(await initialValues(checkpoints, logAt(undefined), from)).toEqual(both(''));
    },
  );

  test('require --from on a log with events', async () => {
    const asked = initialValues(checkpoints, logAt(7n), undefined);
    await expect(asked).rejects.toThrow(/--from start, --from end or --from POSITION/);
  });

  test.each<[StartPosition, string]>([
    ['start', ''],
    ['end', '7 event-7'],
    [0n, ''],
    [5n, '5 event-5'],
    [7n, '7 event-7'],
  ])('start at --from %s on a log with events', async (from, value) => {
    expect(await initialValues(checkpoints, logAt(7n), from)).toEqual(both(value));
  });

  test('keep a checkpoint that has a value', async () => {
    await checkpoints[0]?.save(pointAt(3n));
    expect(await initialValues(checkpoints, logAt(7n), 'end')).toEqual({ 'checkpoint public-events': '7 event-7' });
    await checkpoints[1]?.save(undefined);
    expect(await initialValues(checkpoints, logAt(7n), undefined)).toEqual({});
  });

  test('accept that another process initialises them and appends events meanwhile', async () => {
    const log = logAt(undefined);
    const lastPosition = async () => {
      const end = await log.lastPosition();
      for (const checkpoint of checkpoints) await checkpoint.save(pointAt(9n));
      return end;
    };
    expect(await initialValues(checkpoints, { ...log, lastPosition }, undefined)).toEqual({});
  });

  test('reject a position without an event, because it could not identify the log later', async () => {
    await expect(startPointOf(4n, logAt(7n), 7n)).rejects.toThrow('--from 4 is not the position of an event');
    await expect(startPointOf(8n, logAt(7n), 7n)).rejects.toThrow('--from 8 is beyond the end of the log, which is 7');
    await expect(startPointOf(1n, logAt(undefined), undefined)).rejects.toThrow('which is empty');
  });
});
