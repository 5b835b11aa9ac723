import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { type Generation, StaleDocument } from '#stores/read-models/read-models.ts';
import { counted, findKeys, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { takeOverServed, type TestDocument, writeDocuments } from '../../support/write-documents.ts';

export function describeCounting(make: MakeReadModels): void {
  describe('the count of a list by a counted index', () => {
    let subject: ReadModelsSubject;
    let readModels: Generation;
    const write = async (...documents: readonly TestDocument[]): Promise<void> =>
      await writeDocuments(readModels, counted.name, documents, 9n);
    const countOf = async (query: Parameters<typeof findKeys>[1]): Promise<number> =>
      (await findKeys(readModels, { limit: 0, ...query }, counted.name)).count;
    const countsOf = async (...merchants: readonly string[]): Promise<readonly number[]> =>
      await Promise.all(merchants.map(async (merchant) => await countOf({ where: { merchant } })));

    beforeEach(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([counted]));
    });
    afterEach(() => subject.dispose());

    test('is the number of its documents, also with other conditions, on any page and after a restart', async () => {
      await write(policy('a'), policy('b'), policy('c', { indexes: { status: 'ended', test: true } }));
      await write(policy('d', { indexes: { merchant: 'm2' } }), policy('e', { indexes: { merchant: null } }));
      readModels = await takeOverServed(await subject.open([counted]));
      const after = { order: 0n };
      for (const page of [{ limit: 0 }, { limit: 1 }, { limit: 1, newestFirst: true }, { limit: 1, after }]) {
        expect(await countOf({ where: { merchant: 'm1' }, ...page })).toBe(3);
        expect(await countOf({ where: { test: false }, ...page })).toBe(4);
        expect(await countOf({ where: { merchant: ['m1', 'm2'] }, ...page })).toBe(4);
        expect(await countOf({ where: { merchant: 'm1', status: 'active' }, ...page })).toBe(2);
        expect(await countOf({ contains: { merchant: 'm' }, ...page })).toBe(4);
        expect(await countOf(page)).toBe(5);
      }
      expect(await countOf({ where: { merchant: null } })).toBe(1);
      expect(await countOf({ where: { merchant: 'm3' } })).toBe(0);
    });

    test('changes with a document that gets or loses its body or changes its value', async () => {
      await write(policy('a'), policy('b', { body: undefined }));
      expect(await countsOf('m1', 'm2')).toEqual([1, 0]);
      await write(policy('a', { position: 2n, body: undefined }), policy('b', { position: 2n }));
      expect(await countsOf('m1', 'm2')).toEqual([1, 0]);
      await write(policy('a', { position: 3n, indexes: { merchant: 'm2' } }), policy('b', { position: 3n, body: '1' }));
      expect(await countsOf('m1', 'm2')).toEqual([1, 1]);
      await write(
        policy('a', { position: 4n, body: undefined, indexes: { merchant: 'm1' } }),
        policy('b', { position: 4n, indexes: { merchant: 'm2' } }),
      );
      expect(await countsOf('m1', 'm2')).toEqual([0, 1]);
      await write(policy('b', { position: 5n, indexes: { merchant: null } }));
      expect(await countsOf('m1', 'm2')).toEqual([0, 0]);
    });

    test('stays when a batch is repeated, in whole or after a failure', async () => {
      const batch = ['a', 'b'].map((key) => ({ ...policy(key), replaces: null }));
      await write(...batch);
      await write(...batch);
      expect(await countsOf('m1')).toEqual([2]);
      const next = {
        ...policy('a', { position: 2n, indexes: { merchant: 'm2' } }),
        replaces: { position: 1n, isParked: false },
      };
      const stale = { ...policy('b', { position: 2n }), replaces: null };
      await expect(write(next, stale)).rejects.toThrow(StaleDocument);
      await write(next);
      expect(await countsOf('m1', 'm2')).toEqual([1, 1]);
    });
  });
}
