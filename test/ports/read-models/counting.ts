import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { countKey, type CountToWrite, type ReadModels, StaleDocument } from '../../../src/read-models/read-models.ts';
import { counted, findKeys, keys, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { writeDocuments } from '../../support/write-documents.ts';

const M1 = countKey('merchant', 'm1');
const m1 = (number: number, position: bigint, replaces: bigint | null): CountToWrite => ({
  ...{ key: M1, number, position, replaces },
});

export function describeCounting(make: MakeReadModels): void {
  describe('counts', () => {
    let subject: ReadModelsSubject;
    let readModels: ReadModels;
    const write = async (...counts: readonly CountToWrite[]): Promise<void> =>
      await writeDocuments(readModels, counted.name, [], 9n, undefined, counts);
    const countOf = async (key: string): Promise<object | undefined> =>
      (await readModels.getCounts(counted.name, [key]))[0];

    beforeEach(async () => {
      subject = await make();
      readModels = subject.readModels;
      await readModels.open([counted]);
    });
    afterEach(() => subject.dispose());

    test('are the count of a list by one value, and of no other list', async () => {
      const documents = ['a', 'b', 'c'].map((key) => policy(key));
      const isTest = { key: countKey('test', false), number: 70, position: 3n, replaces: null };
      await writeDocuments(readModels, counted.name, documents, 3n, undefined, [m1(50, 3n, null), isTest]);
      const countFor = async (query: Parameters<typeof findKeys>[1]) =>
        (await findKeys(readModels, { limit: 2, ...query }, counted.name)).count;
      expect(await countFor({ where: { merchant: 'm1' } })).toBe(50);
      expect(await countFor({ where: { test: false }, newestFirst: true })).toBe(70);
      expect(await countFor({ where: { merchant: 'm1' }, after: { createdAt: '', key: '' } })).toBe(50);
      expect(await countFor({ where: { merchant: 'm2' }, limit: 0 })).toBe(0);
      expect(await countFor({ where: { merchant: ['m1'] } })).toBe(3);
      expect(await countFor({ where: { merchant: 'm1', test: false } })).toBe(3);
      expect(await countFor({ where: { status: 'active' } })).toBe(3);
      expect(await countFor({ contains: { merchant: 'm1' } })).toBe(3);
      expect(await countFor({})).toBe(3);
    });

    test('are kept by a reopened store, and are no documents', async () => {
      await writeDocuments(readModels, counted.name, [policy('a')], 3n, undefined, [m1(1, 3n, null)]);
      readModels = await subject.reopen();
      await readModels.open([counted]);
      expect(await countOf(M1)).toEqual({ key: M1, number: 1, position: 3n });
      expect(await countOf(countKey('merchant', 'm2'))).toBeUndefined();
      expect(keys(await readModels.scan(counted.name, { after: undefined, limit: 10 }))).toEqual(['a']);
      expect(keys(await readModels.scan(counted.name, { after: 'a', limit: 10 }))).toEqual([]);
      expect(await readModels.countParked(counted.name)).toBe(0);
      await readModels.close();
    });

    test('are scanned in order of key', async () => {
      const of = (merchant: string) => ({ ...m1(1, 2n, null), key: countKey('merchant', merchant) });
      await write(of('b'), of('c'), of('a'));
      const page = async (after: string | undefined) =>
        keys(await readModels.scanCounts(counted.name, { after, limit: 2 }));
      expect(await page(undefined)).toEqual([of('a').key, of('b').key]);
      expect(await page(of('b').key)).toEqual([of('c').key]);
    });

    test('replace only the count from which they were computed', async () => {
      await write(m1(1, 2n, null));
      await write(m1(2, 4n, 2n));
      expect(await countOf(M1)).toEqual({ key: M1, number: 2, position: 4n });
      for (const late of [m1(1, 2n, null), m1(9, 3n, 2n), m1(9, 4n, 2n)]) await write(late);
      expect(await countOf(M1)).toEqual({ key: M1, number: 2, position: 4n });
      for (const stale of [m1(9, 5n, null), m1(9, 5n, 3n)]) await expect(write(stale)).rejects.toThrow(StaleDocument);
      await expect(write({ ...m1(9, 5n, 3n), key: countKey('merchant', 'm9') })).rejects.toThrow(StaleDocument);
      expect(await countOf(M1)).toEqual({ key: M1, number: 2, position: 4n });
    });
  });
}
