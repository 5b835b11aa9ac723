import { beforeEach, describe, expect, test } from '@jest/globals';
import { pointAt } from '../../../test/support/log-points.ts';
import { MemoryRecords } from '../../../test/support/memory-records.ts';
import type { StoredEvent } from '../../event-store/event-store.ts';
import { Checkpoint } from './checkpoint.ts';

let records: MemoryRecords;
let checkpoint: Checkpoint;
beforeEach(() => {
  records = new MemoryRecords();
  checkpoint = new Checkpoint('mail-jobs', records);
});

const logAt = (end: bigint | undefined) => ({
  lastPosition: async () => await Promise.resolve(end),
  readAt: async (position: bigint) => await Promise.resolve(pointAt(position) as StoredEvent),
});

describe('a checkpoint', () => {
  test('starts at the first event of a log that was empty, also when events were appended since', async () => {
    await checkpoint.initialise(logAt(undefined));
    await checkpoint.initialise(logAt(7n));
    expect(await checkpoint.read()).toBeUndefined();
  });

  test('starts at the end of a log of an earlier version', async () => {
    await checkpoint.initialise(logAt(42n));
    expect(await checkpoint.read()).toEqual(pointAt(42n));
  });

  test('keeps a saved position when it is initialised again', async () => {
    await checkpoint.initialise(logAt(undefined));
    await checkpoint.save(pointAt(9n));
    await checkpoint.initialise(logAt(12n));
    expect(await new Checkpoint('mail-jobs', records).read()).toEqual(pointAt(9n));
    await expect(new Checkpoint('other', records).read()).rejects.toThrow('checkpoint other');
  });

  test.each(['9', 'event-9', '9 event-9 x', ' '])('is refused with a sentence when its text is %p', async (text) => {
    await records.setValue(checkpoint.name, text);
    await expect(checkpoint.read()).rejects.toThrow(
      'checkpoint mail-jobs must be empty, or the position of an event, a space and the id of that event',
    );
  });
});
