import { beforeEach, expect, test } from '@jest/globals';
import { pointAt } from '#test/support/log-points.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { Checkpoint } from './checkpoint.ts';

let records: Records;
let checkpoint: Checkpoint;
beforeEach(() => {
  records = openTemporaryRecords();
  checkpoint = new Checkpoint('mail-requests', records);
});

test('a checkpoint keeps its position, apart from those of other processes', async () => {
  await checkpoint.save(undefined);
  expect(await checkpoint.read()).toBeUndefined();
  await checkpoint.save(pointAt(9n));
  expect(await new Checkpoint('mail-requests', records).read()).toEqual(pointAt(9n));
  await expect(new Checkpoint('other', records).read()).rejects.toThrow('checkpoint other');
});

test.each(['9', 'event-9', '9 event-9 x', ' '])(
  'a checkpoint is refused with a sentence when its text is %p',
  async (text) => {
    await records.setValue(checkpoint.name, text);
    await expect(checkpoint.read()).rejects.toThrow(
      'checkpoint mail-requests must be empty, or the position of an event, a space and the id of that event',
    );
  },
);

test('rejects a save of the previous leader once the checkpoint was taken over, also of the same point', async () => {
  const [before, after] = [checkpoint, new Checkpoint('mail-requests', records)];
  await before.save(pointAt(4n));
  expect(await after.read()).toEqual(pointAt(4n));
  await before.save(pointAt(5n));
  expect(await after.takeOver()).toEqual(pointAt(5n));
  for (const point of [5n, 6n]) await expect(before.save(pointAt(point))).rejects.toMatchObject({ name: 'TakenOver' });
  await after.save(pointAt(6n));
  // The value of before does not bring back its revision.
  await after.save(pointAt(5n));
  await expect(before.save(pointAt(6n))).rejects.toMatchObject({ name: 'TakenOver' });
  expect(await before.takeOver()).toEqual(pointAt(5n));
  await expect(after.save(pointAt(6n))).rejects.toMatchObject({ name: 'TakenOver' });
});

test('rejects the save after one of unknown outcome that was written, until the checkpoint is taken over again', async () => {
  await checkpoint.save(undefined);
  const replaceValue = records.replaceValue.bind(records);
  records.replaceValue = async (...values) => {
    await replaceValue(...values);
    throw new StoreUnavailable('The response was lost');
  };
  await expect(checkpoint.save(pointAt(4n))).rejects.toThrow('The response was lost');
  records.replaceValue = replaceValue;
  await expect(checkpoint.save(pointAt(5n))).rejects.toMatchObject({ name: 'TakenOver' });
  expect(await checkpoint.takeOver()).toEqual(pointAt(4n));
  await checkpoint.save(pointAt(5n));
});

test('rejects a leader that was frozen while it took the checkpoint over', async () => {
  await checkpoint.save(pointAt(4n));
  const replaceValue = records.replaceValue.bind(records);
  records.replaceValue = async (...values) => {
    records.replaceValue = replaceValue;
    await new Checkpoint('mail-requests', records).takeOver();
    return await replaceValue(...values);
  };
  await expect(new Checkpoint('mail-requests', records).takeOver()).rejects.toMatchObject({ name: 'TakenOver' });
});
