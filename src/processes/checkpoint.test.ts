import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { Checkpoint } from './checkpoint.ts';

let records: MemoryRecords;
let checkpoint: Checkpoint;
beforeEach(() => {
  records = new MemoryRecords();
  checkpoint = new Checkpoint('mail-jobs', records);
});

const logAt = (position: bigint | undefined) => ({ lastPosition: async () => await Promise.resolve(position) });

describe('a checkpoint', () => {
  test('given an empty log, then the process begins at its beginning, whatever came meanwhile', async () => {
    await checkpoint.begin(logAt(undefined));
    await checkpoint.begin(logAt(7n));
    expect(await checkpoint.read()).toBeUndefined();
  });

  test('given a log of an earlier version, then it begins at its end', async () => {
    await checkpoint.begin(logAt(42n));
    expect(await checkpoint.read()).toBe(42n);
  });

  test('given a saved position, when it begins again, then it goes on there', async () => {
    await checkpoint.begin(logAt(undefined));
    await checkpoint.save(9n);
    await checkpoint.begin(logAt(12n));
    expect(await new Checkpoint('mail-jobs', records).read()).toBe(9n);
    await expect(new Checkpoint('other', records).read()).rejects.toThrow('checkpoint other');
  });
});
