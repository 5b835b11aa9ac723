import { beforeEach, expect, test } from '@jest/globals';
import { pointAt } from '#test/support/log-points.ts';
import { MemoryRecords } from '#test/support/memory-records.ts';
import { Checkpoint } from './checkpoint.ts';

let records: MemoryRecords;
let checkpoint: Checkpoint;
beforeEach(() => {
  records = new MemoryRecords();
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
