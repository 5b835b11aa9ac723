import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { CollectionDefinition, Generation, ReadModels } from '#stores/read-models/read-models.ts';
import { claims, findKeys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { takeOverServed, writeDocuments } from '../../support/write-documents.ts';

const second: CollectionDefinition = { name: 'policies', version: 2, indexes: ['merchant'] };

export function describeVersions(make: MakeReadModels): void {
  describe('versions of a collection', () => {
    let subject: ReadModelsSubject;
    let store: ReadModels;
    beforeEach(async () => {
      subject = await make();
      const first = await openWith(policies, claims);
      await writeDocuments(first, 'policies', [policy('p-1')]);
      await writeDocuments(first, 'claims', [withoutIndexes(policy('c-1'))], 1n);
    });
    afterEach(() => subject.dispose());

    async function openWith(...definitions: readonly CollectionDefinition[]): Promise<Generation> {
      store = await subject.open(definitions);
      return await takeOverServed(store);
    }

    test('are separate: those of a new one are empty, and the old ones do not change', async () => {
      const newer = await openWith(second, claims);
      expect(await newer.get('policies', 'p-1')).toBeUndefined();
      expect(await newer.checkpoint()).toBeUndefined();
      await writeDocuments(newer, 'policies', [{ ...policy('p-2'), indexes: { merchant: 'm9' } }], 2n);
      await openWith(policies, claims);
      expect((await store.checkpoint())?.position).toBe(1n);
      expect(await findKeys(store, {})).toEqual({ count: 1, keys: ['p-1'] });
      await openWith(second, claims);
      expect(await findKeys(store, { where: { merchant: 'm9' } })).toEqual({ count: 1, keys: ['p-2'] });
    });

    test('are those of the declared indexes, in any order', async () => {
      await openWith({ ...policies, indexes: policies.indexes.toReversed() }, claims);
      expect((await store.checkpoint())?.position).toBe(1n);
      await openWith({ ...policies, indexes: ['merchant', 'colour'] }, claims);
      expect(await store.checkpoint()).toBeUndefined();
    });

    test.each<[string, readonly CollectionDefinition[]]>([
      ['one version only', [policies, second]],
      ['cannot name a collection', [{ ...policies, name: 'no."name' }]],
      ['has the version 0', [{ ...policies, version: 0 }]],
      ['differ by case', [{ ...policies, indexes: ['a', 'A'] }]],
    ])('are refused when a definition is invalid: %s', async (reason, definitions) => {
      await expect(subject.open(definitions)).rejects.toThrow(reason);
    });

    test('may have indexes of any name, also that of a column', async () => {
      const names = [
        'key',
        'body',
        '_id',
        '$where',
        'a.b',
        'a%2Eb',
        'row_number',
        'select',
        'a"b',
        'customer-id',
        'größe',
      ];
      const readModels = await openWith({ name: 'named', version: 1, indexes: names });
      const indexes = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
      await writeDocuments(readModels, 'named', [{ ...policy('p'), indexes }], 1n);
      expect((await readModels.get('named', 'p'))?.indexes).toEqual(indexes);
      for (const name of names)
        expect((await findKeys(readModels, { where: { [name]: `of ${name}` } }, 'named')).keys).toEqual(['p']);
    });

    test('that are not open can be dropped', async () => {
      const newer = await openWith(second, claims);
      await writeDocuments(newer, 'policies', [{ ...policy('p-2'), indexes: { merchant: 'm9' } }], 2n);
      await store.dropOtherVersions();
      expect(await findKeys(store, {})).toEqual({ count: 1, keys: ['p-2'] });
      const older = await openWith(policies, claims);
      expect(await older.checkpoint()).toBeUndefined();
      expect(await older.get('policies', 'p-1')).toBeUndefined();
    });
  });
}

function withoutIndexes(document: ReturnType<typeof policy>): ReturnType<typeof policy> {
  return { ...document, indexes: {} };
}
