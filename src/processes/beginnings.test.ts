import { beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredEvent } from '../event-store/event-store.ts';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { beginAll, beginAnew, demandBegun, NotBegun } from './beginnings.ts';
import { Checkpoint, type From } from './checkpoint.ts';

let records: MemoryRecords;
let checkpoints: readonly Checkpoint[];
beforeEach(() => {
  records = new MemoryRecords();
  checkpoints = ['mail-jobs', 'public-events'].map((name) => new Checkpoint(name, records));
});

/** A log whose events stand at odd positions. */
const logAt = (end: bigint | undefined) => ({
  lastPosition: async () => await Promise.resolve(end),
  readAll: async ({ after }: { readonly after: bigint | undefined }) => {
    const next = ((after ?? 0n) + 1n) | 1n;
    return await Promise.resolve(end === undefined || next > end ? [] : [{ position: next } as StoredEvent]);
  },
});
const all = async () => await Promise.all(checkpoints.map(async (checkpoint) => await checkpoint.read()));

describe('where processes begin on servers', () => {
  test('given nothing is set up, then a role that demands it is refused; once it is set up, it is not', async () => {
    await expect(demandBegun(checkpoints, 'Not yet.')).rejects.toThrow(new NotBegun('Not yet.'));
    await beginAll(checkpoints, logAt(undefined), undefined);
    await demandBegun(checkpoints, 'Not yet.');
  });

  test.each([undefined, 'start', 'end'] as const)(
    'given an empty log and --from %s, then at its beginning',
    async (from) => {
      await beginAll(checkpoints, logAt(undefined), from);
      expect(await all()).toEqual([undefined, undefined]);
    },
  );

  test('given a log with events and nothing said, then what the caller knows of it is told', async () => {
    const beginning = beginAll(checkpoints, logAt(7n), undefined, 'Set MONGODB_URL.');
    await expect(beginning).rejects.toThrow(new NotBegun('Set MONGODB_URL.'));
  });

  test('given a log with events and nothing said, then nobody guesses', async () => {
    await expect(beginAll(checkpoints, logAt(7n), undefined)).rejects.toThrow(
      /--from start, --from end or --from POSITION/,
    );
    await expect(demandBegun(checkpoints, 'Not yet.')).rejects.toThrow(new NotBegun('Not yet.'));
  });

  test.each<[From, bigint | undefined]>([
    ['start', undefined],
    ['end', 7n],
    [5n, 5n],
    [7n, 7n],
  ])('given a log with events and --from %s, then there', async (from, position) => {
    await beginAll(checkpoints, logAt(7n), from);
    expect(await all()).toEqual([position, position]);
  });

  test('given a position behind the end, then it is refused', async () => {
    await expect(beginAll(checkpoints, logAt(7n), 8n)).rejects.toThrow('--from 8 lies behind the end of the log');
    await expect(beginAll(checkpoints, logAt(undefined), 1n)).rejects.toThrow('which is empty');
  });

  test('given a position at which no event stands, then it is refused: nobody could tell later whether the log is the same', async () => {
    await expect(beginAll(checkpoints, logAt(7n), 4n)).rejects.toThrow('--from 4 is not the position of an event');
    await expect(demandBegun(checkpoints, 'Not yet.')).rejects.toThrow(new NotBegun('Not yet.'));
    await beginAll(checkpoints, logAt(7n), 0n);
    expect(await all()).toEqual([undefined, undefined]);
  });

  test('given a process that has begun and a new one, then the first keeps its place whatever is said', async () => {
    await checkpoints[0]?.save(3n);
    await beginAll(checkpoints, logAt(7n), 'end');
    expect(await all()).toEqual([3n, 7n]);
    await beginAll(checkpoints, logAt(9n), 'start');
    expect(await all()).toEqual([3n, 7n]);
  });

  test('given a checkpoint that was read under a fence, then who led before saves nothing any more', async () => {
    await beginAll(checkpoints, logAt(undefined), undefined);
    const [before, after] = [1, 2].map((token) => new Checkpoint('mail-jobs', records, { token }));
    await before?.read();
    await before?.save(4n);
    expect(await after?.read()).toBe(4n);
    await expect(before?.save(5n)).rejects.toMatchObject({ name: 'Fenced' });
    await after?.save(6n);
    expect(await checkpoints[0]?.read()).toBe(6n);
  });

  test('given processes that are far, when one is to begin anew, then it alone does', async () => {
    await beginAll(checkpoints, logAt(7n), 'end');
    const [first] = checkpoints;
    await beginAnew(first === undefined ? [] : [first], logAt(9n), 'start');
    expect(await all()).toEqual([undefined, 7n]);
    await expect(beginAnew(checkpoints, logAt(9n), 4n)).rejects.toThrow('--from 4 is not the position of an event');
    await beginAnew(checkpoints, logAt(9n), 5n);
    expect(await all()).toEqual([5n, 5n]);
  });
});
