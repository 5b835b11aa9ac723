import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRecords } from '../../../test/support/memory-records.ts';
import { Checkpoint } from './checkpoint.ts';

let records: MemoryRecords;
let checkpoint: Checkpoint;
beforeEach(() => {
  records = new MemoryRecords();
  checkpoint = new Checkpoint('mail-jobs', records);
});

const logAt = (position: bigint | undefined) => ({ lastPosition: async () => await Promise.resolve(position) });

describe('a checkpoint', () => {
  test('starts at the first event of a log that was empty, also when events were appended since', async () => {
    await checkpoint.initialise(logAt(undefined));
    await checkpoint.initialise(logAt(7n));
    expect(await checkpoint.read()).toBeUndefined();
  });

  test('starts at the end of a log of an earlier version', async () => {
    await checkpoint.initialise(logAt(42n));
    expect(await checkpoint.read()).toBe(42n);
  });

  test('keeps a saved position when it is initialised again', async () => {
    await checkpoint.initialise(logAt(undefined));
    await checkpoint.save(9n);
    await checkpoint.initialise(logAt(12n));
    expect(await new Checkpoint('mail-jobs', records).read()).toBe(9n);
    await expect(new Checkpoint('other', records).read()).rejects.toThrow('checkpoint other');
  });
});
