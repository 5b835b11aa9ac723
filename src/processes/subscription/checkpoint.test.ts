import { beforeEach, expect, test } from '@jest/globals';
import { MemoryRecords } from '../../../test/support/memory-records.ts';
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
  await checkpoint.save(9n);
  expect(await new Checkpoint('mail-requests', records).read()).toBe(9n);
  await expect(new Checkpoint('other', records).read()).rejects.toThrow('checkpoint other');
});
